package dev.cella.agent;

import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.AgentAction;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.Reconciler;
import dev.cella.agent.reconciler.ReconcilerOptions;
import dev.cella.agent.reconciler.Report;
import dev.cella.agent.reconciler.ShownAttempt;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.KeptPerTask;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One machine: its reconciler, and the parts that carry out its actions. Owned by the agent's loop; the runner's events are
 * handed over.
 */
final class Machine implements TaskRunner.Listener, ReportOutbox.Reporter {
    private static final Logger logger = LoggerFactory.getLogger(Machine.class);

    private MachineOptions options;
    private Map<String, String> attributes;
    private final TaskRunner runner;
    private final Optional<KeptRegistration> earlier;
    private final AgentSurroundings around;
    private final Reconciler reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
    private final AgentAction.Driver driver = new Actions();
    private final LastCheck lastCheck = new LastCheck();
    private final MachineQueue queue = new MachineQueue();
    private boolean hasReportedWaits;
    private final KeptPerTask<Optional<ShownAttempt>> shown = new KeptPerTask<>(this::shown, Machine::standsAlone);
    private final CompletableFuture<Void> firstRegistered = new CompletableFuture<>();
    private Optional<Registered> registration = Optional.empty();
    /** The boot id of the registration, also while a restored cell has to confirm it. */
    private String bootId = "";

    /** True if a restored cell has this registration and the machine has to continue it. */
    private boolean isRestored;

    /** It has changed, and the cell may not know. */
    private boolean isUntold;

    /** The view did not show it at the last look, so its tasks in a later view are not known. */
    private boolean isToLook = true;

    private long timerAtMillis = Long.MAX_VALUE;

    /**
     * Older views are ignored: an earlier agent may have seen a newer one, and attempts that it had forgotten would start
     * again.
     */
    private long viewVersionMin;

    Machine(
            MachineOptions options,
            Map<String, String> attributes,
            TaskRunner runner,
            Optional<KeptRegistration> earlier,
            AgentSurroundings around) {
        this.options = options;
        this.attributes = Map.copyOf(attributes);
        this.runner = runner;
        this.earlier = earlier;
        this.around = around;
    }

    MachineOptions options() {
        return options;
    }

    Map<String, String> attributes() {
        return attributes;
    }

    /** It offers something else from now on, and has something else to say of itself. */
    void offer(Map<String, Long> capacity, Map<String, String> saying) {
        if (capacity.equals(options.capacity()) && saying.equals(attributes)) {
            return;
        }
        options = options.withCapacity(capacity);
        attributes = Map.copyOf(saying);
        isUntold = true;
        tellChange();
    }

    /** A registration that is under way may have been sent before the change. */
    private void tellChange() {
        if (isUntold && registration.isPresent()) {
            isUntold = false;
            around.registrar().update(this, bootId);
        }
    }

    /** Returns whether it should be registered, and its lease renewed. */
    boolean isReachable() {
        return runner.isReachable();
    }

    /** The machine's registration, while the cell knows it. */
    Optional<Registered> registration() {
        return registration;
    }

    /** Completes when the machine has been registered once. */
    CompletableFuture<Void> firstRegistered() {
        return firstRegistered;
    }

    /** The registration of an earlier agent of this data directory. */
    Optional<KeptRegistration> earlier() {
        return earlier;
    }

    /**
     * Adopts what an earlier agent left. A view from before the newest of these placements does not show it. That must not be
     * taken for its end.
     */
    void adopt(List<Adopted> adopted) {
        for (Adopted each : adopted) {
            if (each.end().isEmpty()) {
                lastCheck.adopt(each.launch());
                around.hosts()
                        .add(
                                options.name(),
                                each.launch(),
                                runner,
                                around.view().get());
            }
            viewVersionMin = Math.max(
                    viewVersionMin, each.launch().assignment().placement().version());
        }
        on(new AgentEvent.Adopts(adopted));
    }

    // events

    void on(AgentEvent event) {
        long now = around.clock().nowMillis();
        long leaseEndMillis = reconciler.leaseEndMillis();
        List<AgentAction> actions = reconciler.on(event, now);
        if (reconciler.leaseEndMillis() > leaseEndMillis) {
            runner.renewed(reconciler.leaseEndMillis() - now);
        }
        actions.forEach(action -> action.perform(driver));
        setTimer();
    }

    private void setTimer() {
        long due = reconciler.dueAtMillis();
        if (due < timerAtMillis) {
            timerAtMillis = due;
            around.loop().handOverAt(Math.max(0, due - around.clock().nowMillis()), () -> fireTimer(due));
        }
    }

    private void fireTimer(long due) {
        if (timerAtMillis == due) {
            timerAtMillis = Long.MAX_VALUE;
            on(new AgentEvent.TimerFired());
        }
    }

    /** The boot id under which a restored cell knows this machine. */
    Optional<String> restoredBootId() {
        return isRestored ? Optional.of(bootId) : Optional.empty();
    }

    /** The machine is registered under that boot id, as of that version. */
    void registered(Registered registered, String asBootId, long answeredVersion) {
        bootId = asBootId;
        isRestored = false;
        viewVersionMin = Math.max(viewVersionMin, answeredVersion);
        registration = Optional.of(registered);
        queue.clear();
        on(new AgentEvent.Registered(around.leaseMillis()));
        firstRegistered.complete(null);
        tellChange();
        look();
    }

    /** The cell has given up an earlier agent's registration, so what that agent left is stopped. */
    void lostBefore(Registered earlierRegistration) {
        logger.warn("machine={} version={} event=lease-lost-before", options.name(), earlierRegistration.machine());
        on(new AgentEvent.Registered(around.leaseMillis()));
        on(new AgentEvent.LeaseLost());
    }

    /** The cell was restored from its state at that version, with this registration in it. */
    void restored(Registered known, long version) {
        if (registration.filter(known::equals).isPresent()) {
            registration = Optional.empty();
            continueFrom(known, version);
        }
    }

    /** As {@link #restored}, for the registration of an earlier agent. */
    void restoredBefore(KeptRegistration known, long version) {
        bootId = known.bootId();
        on(new AgentEvent.Registered(around.leaseMillis()));
        continueFrom(known.registered(), version);
    }

    /** The versions of the lost history mean nothing any more. */
    private void continueFrom(Registered known, long version) {
        logger.warn(
                "machine={} version={} event=cell-restored: the cell is that of version {}; what it placed later stops",
                options.name(),
                known.machine(),
                version);
        isRestored = true;
        viewVersionMin = 0;
        on(new AgentEvent.Restored(version));
    }

    void notRegistered() {
        isUntold |= registration.isPresent();
        on(new AgentEvent.NotRegistered());
    }

    /** The cell has renewed the lease of that registration; the request was sent at that time. */
    void renewed(Registered known, long askedAtMillis) {
        if (registration.filter(known::equals).isPresent()) {
            on(new AgentEvent.Renewed(askedAtMillis));
            tellChange();
        }
    }

    /** The cell no longer knows that registration. */
    void lost(Registered lost) {
        if (registration.filter(lost::equals).isPresent()) {
            logger.warn("machine={} version={} event=lease-lost", options.name(), lost.machine());
            registration = Optional.empty();
            on(new AgentEvent.LeaseLost());
        }
    }

    private void takenOver(Registered lost) {
        logger.error(
                "machine={} version={} event=taken-over: another agent registered this name; this one stops its tasks",
                options.name(),
                lost.machine());
        registration = Optional.empty();
        on(new AgentEvent.TakenOver());
    }

    @Override
    public void answered(Registered under, Report report, Answer answer) {
        if (registration.filter(under::equals).isPresent()) {
            on(new AgentEvent.ReportAnswered(report, answer));
        }
    }

    @Override
    public void unanswered(Registered under, Report report) {
        if (registration.filter(under::equals).isPresent()) {
            on(new AgentEvent.ReportUnanswered(report));
        }
    }

    @Override
    public void started(PlacementId placement) {
        around.loop().handOver(() -> on(new AgentEvent.Started(placement)));
    }

    @Override
    public void startedUnchecked(PlacementId placement) {
        around.loop().handOver(() -> on(new AgentEvent.Started(placement, true)));
    }

    @Override
    public void checked(PlacementId placement) {
        around.loop().handOver(() -> on(new AgentEvent.Checked(placement)));
    }

    @Override
    public void unhealthy(PlacementId placement) {
        around.loop().handOver(() -> on(new AgentEvent.Unhealthy(placement)));
    }

    @Override
    public void ended(PlacementId placement, TaskEnd end) {
        around.loop().handOver(() -> {
            lastCheck.release(placement);
            on(new AgentEvent.Ended(placement, end));
        });
    }

    // the view

    /** Reads the machine's tasks and its queue in the view. */
    void look() {
        CellView view = around.view().get();
        OptionalInt slot = shownSlot(view);
        if (slot.isPresent()) {
            isToLook = false;
            on(new AgentEvent.ViewAdvanced(shown.on(view, slot.getAsInt()).stream()
                    .flatMap(Optional::stream)
                    .toList()));
            SpareToEnd.on(view, slot.getAsInt()).forEach(placement -> on(new AgentEvent.NoRoom(placement)));
            startQueued(view, slot.getAsInt());
        } else {
            isToLook = true;
        }
    }

    /** Reads only its queue, unless it could not look the last time: to read all its tasks again costs much more. */
    void lookAtQueue() {
        if (isToLook) {
            look();
            return;
        }
        CellView view = around.view().get();
        shownSlot(view).ifPresent(slot -> startQueued(view, slot));
    }

    /**
     * Where the view shows it, while it is up. A view from before its registration, or of another history, is ignored. One in
     * which it is down or gone ends its registration.
     */
    private OptionalInt shownSlot(CellView view) {
        if (registration.isEmpty()) {
            return OptionalInt.empty();
        }
        Registered known = registration.get();
        boolean isTooOld = view.version().number() < Math.max(known.machine().version(), viewVersionMin);
        if (isTooOld || !view.incarnation().equals(known.incarnation())) {
            return OptionalInt.empty();
        }
        OptionalInt slot = view.findMachine(known.machine());
        if (slot.isEmpty()) {
            gone(view, known);
        } else if (view.status(slot.getAsInt()) == MachineStatus.DOWN) {
            lost(known);
            return OptionalInt.empty();
        }
        return slot;
    }

    /** Asks for the starts of the tasks at the head of its queue that have room now. */
    private void startQueued(CellView view, int slot) {
        registration.ifPresent(known -> queue.due(view, slot, around.clock().nowMillis())
                .forEach(row -> around.starts().add(this, known, row)));
    }

    /** The cell refused the start of a task in its queue, or did not answer. */
    void notStarted(Registered under, TaskId task, Optional<Reason> reason) {
        if (registration.filter(under::equals).isPresent()) {
            long now = around.clock().nowMillis();
            queue.refused(task, reason, now).ifPresent(due -> around.loop().handOverAt(due - now, this::lookAtQueue));
        }
    }

    /**
     * How long a task would wait here, if tasks wait in its queue, or a scheduler reads the waits of all machines. When the
     * queue is empty again, one more report says so.
     */
    Optional<WaitMatrix> waits(boolean areWanted) {
        CellView view = around.view().get();
        OptionalInt slot =
                registration.map(known -> view.findMachine(known.machine())).orElse(OptionalInt.empty());
        boolean isDue = slot.isPresent() && (areWanted || hasReportedWaits || view.queuedOn(slot.getAsInt()) > 0);
        hasReportedWaits = isDue && (areWanted || view.queuedOn(slot.getAsInt()) > 0);
        return isDue
                ? Optional.of(around.waits()
                        .of(view, slot.getAsInt(), around.clock().wall().millis()))
                : Optional.empty();
    }

    private void gone(CellView view, Registered known) {
        boolean isAnothers = view.machine(options.name())
                .flatMap(row -> row.agent())
                .filter(agent -> !around.registrar().isOurs(this, agent.bootId()))
                .isPresent();
        if (isAnothers) {
            takenOver(known);
        } else {
            lost(known);
        }
    }

    private Optional<ShownAttempt> shown(TaskRow task) {
        CellView view = around.view().get();
        return task.placement()
                .map(placement -> new ShownAttempt(
                        new Assignment(placement, task.id(), task.attempt(), task.generation()),
                        task.state(),
                        task.reason(),
                        !task.waitingFor().isEmpty(),
                        members(view.dimensions(), task.resources()),
                        stopGraceMillis(view, task),
                        task.spare()));
    }

    /** The grace of a task that stops may change with its job, and what a task waits for with other tasks. */
    private static boolean standsAlone(TaskRow task) {
        return task.state() != TaskState.STOPPING && task.waitingFor().isEmpty();
    }

    private static OptionalLong stopGraceMillis(CellView view, TaskRow task) {
        return task.state() == TaskState.STOPPING
                ? view.job(task.id().job()).map(JobRow::stopGraceMillis).orElse(OptionalLong.empty())
                : OptionalLong.empty();
    }

    /** The members that a task holds of each set, as "20000-20002,20005". */
    private static Map<String, String> members(Dimensions dimensions, Amounts held) {
        Map<String, String> members = new TreeMap<>();
        for (int place = 0; place < dimensions.size(); place++) {
            if (dimensions.isSet(place) && !held.members().at(place).isNone()) {
                members.put(dimensions.nameAt(place), held.members().at(place).toString());
            }
        }
        return members;
    }

    // actions

    private void start(Launch launch) {
        Optional<String> why = lastCheck.take(launch, this::capacity);
        if (why.isEmpty()) {
            around.hosts().add(options.name(), launch, runner, around.view().get());
            runner.start(options.name(), launch, this);
        } else {
            logger.error(
                    "task={} machine={} event=does-not-fit: {}; the cell placed it here, so one of the two is wrong",
                    launch.assignment(),
                    options.name(),
                    why.get());
            ended(launch.assignment().placement(), TaskEnd.neverStarted(TaskReason.DOES_NOT_FIT));
        }
    }

    /** As the cell shows it: an operator may have said another one than the agent. */
    private long capacity(String dimension) {
        CellView view = around.view().get();
        int place = view.dimensions().find(dimension);
        OptionalInt slot =
                registration.map(known -> view.findMachine(known.machine())).orElse(OptionalInt.empty());
        return place < 0 || slot.isEmpty() ? Long.MAX_VALUE : view.capacity(slot.getAsInt(), place);
    }

    /** Carries out what the reconciler requests. */
    private final class Actions implements AgentAction.Driver {
        @Override
        public void register(AgentAction.Register action) {
            around.registrar().register(Machine.this, action.epoch());
        }

        @Override
        public void fetchSpecification(AgentAction.FetchSpecification action) {
            registration.ifPresent(under -> around.specifications()
                    .fetch(Machine.this, under.incarnation(), action.job(), action.generation()));
        }

        @Override
        public void start(AgentAction.Start action) {
            Machine.this.start(action.launch());
        }

        @Override
        public void upgrade(AgentAction.Upgrade action) {
            runner.upgrade(action.placement());
        }

        @Override
        public void terminate(AgentAction.Terminate action) {
            runner.terminate(action.placement());
        }

        @Override
        public void kill(AgentAction.Kill action) {
            runner.kill(action.placement());
        }

        @Override
        public void forget(AgentAction.Forget action) {
            around.hosts().remove(action.placement());
            runner.forget(action.placement());
        }

        @Override
        public void send(AgentAction.Send action) {
            registration.ifPresent(under -> around.outbox().add(Machine.this, under, action.report()));
        }
    }
}
