package dev.cella.chaos.simulated;

import dev.cella.agent.reconciler.AgentAction;
import dev.cella.agent.reconciler.AgentEvent;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.Reconciler;
import dev.cella.agent.reconciler.ReconcilerOptions;
import dev.cella.agent.reconciler.Report;
import dev.cella.agent.reconciler.ShownAttempt;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.chaos.history.History;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.KeptPerTask;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One machine: the production reconciler, the running processes, and the guard that ends them when the lease is over. The
 * hardware is a separate process: an agent that dies leaves its tasks running until the guard ends them.
 */
final class SimulatedMachine {
    private static final long START_NANOS = 5 * DueEvents.MILLI;
    private static final long GUARD_NANOS = 250 * DueEvents.MILLI;

    /** A process of a task on this machine. */
    private static final class Running {
        private final Assignment assignment;
        private final boolean ignoresTerm;
        private boolean begun;
        private boolean over;
        private boolean saidToBeOver;

        Running(Assignment assignment, boolean ignoresTerm) {
            this.assignment = assignment;
            this.ignoresTerm = ignoresTerm;
        }
    }

    private final SimulatedCell cell;
    private final SimulatedAgent agent;
    private final SimulatedProcess hardware;
    private final String name;
    private final Map<String, String> attributes;
    private final SplittableRandom random;
    private final Map<PlacementId, Running> running = new LinkedHashMap<>();
    private final Amounts capacity;
    private final AgentAction.Driver driver = new Actions();
    private Reconciler reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
    private final KeptPerTask<Optional<ShownAttempt>> shown =
            new KeptPerTask<>(SimulatedMachine::shown, task -> task.waitingFor().isEmpty());
    private Optional<MachineId> registration = Optional.empty();
    private long timerAt = Long.MAX_VALUE;
    private long leaseUntilNanos;
    private boolean guarded = true;
    private boolean lies;
    private long lied;
    private boolean dead;
    private int begun;

    SimulatedMachine(
            SimulatedCell cell,
            SimulatedAgent agent,
            SimulatedProcess hardware,
            Amounts capacity,
            Map<String, String> attributes,
            SplittableRandom random) {
        this.cell = cell;
        this.agent = agent;
        this.hardware = hardware;
        this.name = hardware.name();
        this.capacity = capacity;
        this.attributes = attributes;
        this.random = random;
    }

    String name() {
        return name;
    }

    Amounts capacity() {
        return capacity;
    }

    int processes() {
        return running.size();
    }

    boolean isRegistered() {
        return registration.isPresent();
    }

    boolean isRegisteredAs(MachineId id) {
        return registration.equals(Optional.of(id));
    }

    MachineId id() {
        return registration.orElseThrow();
    }

    // ---- life

    /** A new agent process: it ends what an earlier one left, then registers. */
    void begin() {
        if (dead) {
            return;
        }
        begun++;
        endAll();
        reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
        registration = Optional.empty();
        timerAt = Long.MAX_VALUE;
        on(new AgentEvent.Begun());
    }

    /** The guard looks when the lease should be over, and after that every quarter of a second until it is renewed. */
    void startGuard() {
        hardware.after(Math.max(GUARD_NANOS, leaseUntilNanos - hardware.nowNanos()), () -> {
            if (guarded && hardware.nowNanos() >= leaseUntilNanos) {
                endAll();
            }
            startGuard();
        });
    }

    /** Its reconciler is gone, too; the processes go on until the guard ends them. */
    void agentDied() {
        registration = Optional.empty();
    }

    /** Power off: everything on it is gone at once, without any report. */
    void losePower() {
        dead = true;
        endAll();
        hardware.kill();
        registration = Optional.empty();
    }

    /** Does nothing if it has power. */
    void powerOn() {
        if (!dead) {
            return;
        }
        dead = false;
        hardware.start();
        startGuard();
        if (agent.process().isAlive()) {
            agent.process().soon(this::begin);
        }
    }

    boolean isDead() {
        return dead;
    }

    /** The agent reports ends that did not happen. */
    void lie(boolean isLying) {
        if (lies && !isLying) {
            endAll();
        }
        lies = isLying;
    }

    long lied() {
        return lied;
    }

    /** Nobody on the machine ends tasks when the lease is over. */
    void unguard() {
        guarded = false;
    }

    private void endAll() {
        for (Running each : List.copyOf(running.values())) {
            end(each, TaskEnd.exited(137));
        }
    }

    // ---- the lease

    void renewed(long askedAtNanos) {
        leaseUntilNanos = Math.max(leaseUntilNanos, askedAtNanos + SimulatedAgent.LEASE_MILLIS * DueEvents.MILLI);
        on(new AgentEvent.Renewed(askedAtNanos / DueEvents.MILLI));
    }

    void lost() {
        if (registration.isPresent()) {
            registration = Optional.empty();
            on(new AgentEvent.LeaseLost());
        }
    }

    // ---- the view

    void look(CellView view) {
        if (registration.isEmpty()
                || view.version().number() < registration.get().version()) {
            return;
        }
        OptionalInt slot = view.findMachine(registration.get());
        if (slot.isEmpty() || view.status(slot.getAsInt()) == MachineStatus.DOWN) {
            lost();
        } else {
            on(new AgentEvent.ViewAdvanced(shown.on(view, slot.getAsInt()).stream()
                    .flatMap(Optional::stream)
                    .toList()));
        }
    }

    private static Optional<ShownAttempt> shown(TaskRow task) {
        return task.placement()
                .map(placement -> new ShownAttempt(
                        new Assignment(placement, task.id(), task.attempt(), task.generation()),
                        task.state(),
                        task.reason(),
                        !task.waitingFor().isEmpty()));
    }

    // ---- the reconciler

    private void on(AgentEvent event) {
        reconciler.on(event, agent.process().nowMillis()).forEach(action -> action.perform(driver));
        long due = reconciler.dueAtMillis();
        if (due < timerAt) {
            timerAt = due;
            Reconciler of = reconciler;
            agent.process().after(due * DueEvents.MILLI - agent.process().nowNanos(), () -> fire(of, due));
        }
    }

    private void fire(Reconciler of, long due) {
        if (of == reconciler && timerAt == due) {
            timerAt = Long.MAX_VALUE;
            on(new AgentEvent.TimerFired());
        }
    }

    /** Carries out what the reconciler requests. */
    private final class Actions implements AgentAction.Driver {
        @Override
        public void register(AgentAction.Register action) {
            SimulatedMachine.this.register(action.epoch());
        }

        @Override
        public void fetchSpecification(AgentAction.FetchSpecification action) {
            Reconciler of = reconciler;
            agent.specification(
                    action.job(),
                    action.generation(),
                    found -> onIfSame(
                            of,
                            found.<AgentEvent>map(AgentEvent.SpecificationFound::new)
                                    .orElse(new AgentEvent.SpecificationUnanswered(action.job(), action.generation()))),
                    () -> onIfSame(of, new AgentEvent.SpecificationMissing(action.job(), action.generation())));
        }

        @Override
        public void start(AgentAction.Start action) {
            SimulatedMachine.this.start(action.launch());
        }

        /** Its tasks run alike, spare or not. */
        @Override
        public void upgrade(AgentAction.Upgrade action) {}

        @Override
        public void terminate(AgentAction.Terminate action) {
            SimulatedMachine.this.terminate(action.placement());
        }

        @Override
        public void kill(AgentAction.Kill action) {
            Running killed = running.get(action.placement());
            if (killed != null) {
                hardware.after(DueEvents.MILLI, () -> end(killed, TaskEnd.stopped(137)));
            }
        }

        /** An attempt leaves nothing behind. */
        @Override
        public void forget(AgentAction.Forget action) {}

        @Override
        public void send(AgentAction.Send action) {
            SimulatedMachine.this.send(action.report());
        }
    }

    private void onIfSame(Reconciler of, AgentEvent event) {
        if (of == reconciler && agent.process().isAlive() && !dead) {
            on(event);
        }
    }

    private void register(int epoch) {
        Reconciler of = reconciler;
        String boot = agent.process().name() + "-" + begun + "-" + epoch;
        AgentIdentity identity = new AgentIdentity(boot, "http://" + name, SimulatedAgent.LEASE_MILLIS);
        long askedAt = agent.process().nowNanos();
        agent.register(
                new Command.PutMachine(name, capacity, new TreeMap<>(attributes), Optional.of(identity), false),
                (machine, incarnation) -> {
                    if (of != reconciler || dead) {
                        return;
                    }
                    registration = machine;
                    machine.ifPresent(known -> renewed(askedAt));
                    on(
                            machine.isPresent()
                                    ? new AgentEvent.Registered(SimulatedAgent.LEASE_MILLIS)
                                    : new AgentEvent.NotRegistered());
                    if (machine.isPresent()) {
                        look(agent.feed().view());
                    }
                });
    }

    private void send(Report report) {
        Reconciler of = reconciler;
        Optional<MachineId> under = registration;
        agent.report(command(report), result -> {
            if (registration.equals(under)) {
                onIfSame(
                        of,
                        result.<AgentEvent>map(answer -> new AgentEvent.ReportAnswered(report, answer(answer)))
                                .orElse(new AgentEvent.ReportUnanswered(report)));
            }
        });
    }

    private static Command.ReportTask command(Report report) {
        Assignment assignment = report.assignment();
        OptionalLong at = OptionalLong.of(1 + report.atMillis());
        return new Command.ReportTask(
                assignment.task(),
                assignment.attempt(),
                Optional.of(assignment.placement()),
                report.state(),
                report.exitCode(),
                report.reason(),
                report.state() == TaskState.RUNNING ? at : OptionalLong.empty(),
                report.state().isEnded() ? at : OptionalLong.empty());
    }

    private static AgentEvent.Answer answer(CommandResult result) {
        if (!(result instanceof CommandResult.Refused refused)) {
            return AgentEvent.Answer.ACCEPTED;
        }
        Reason reason = refused.reason();
        return reason == Reason.NOT_CURRENT || reason == Reason.UNKNOWN_TASK || reason == Reason.UNKNOWN_JOB
                ? AgentEvent.Answer.STOP_IT
                : AgentEvent.Answer.REFUSED;
    }

    // ---- the runner

    private void start(Launch launch) {
        RunText run = RunText.of(launch.run());
        Running started = new Running(launch.assignment(), run.ignoresTerm());
        Amounts resources = agent.feed()
                .view()
                .task(launch.assignment().task())
                .map(TaskRow::resources)
                .orElse(Amounts.NONE);
        running.put(launch.assignment().placement(), started);
        Reconciler of = reconciler;
        hardware.after(START_NANOS + random.nextLong(START_NANOS), () -> {
            if (started.over) {
                return;
            }
            started.begun = true;
            journalStart(launch.assignment(), resources);
            onIfSame(of, new AgentEvent.Started(launch.assignment().placement()));
            if (lies && !cell.isQuiet()) {
                lied++;
                started.saidToBeOver = true;
                onIfSame(of, new AgentEvent.Ended(launch.assignment().placement(), TaskEnd.exited(0)));
            } else if (run.runMillis() > 0) {
                boolean fails = run.attemptsToOneFailure() > 0 && random.nextInt(run.attemptsToOneFailure()) == 0;
                long runs = 1 + random.nextLong(2 * run.runMillis());
                hardware.after(runs * DueEvents.MILLI, () -> exit(started, fails ? 1 : 0));
            }
        });
    }

    private void exit(Running started, int code) {
        if (!cell.isQuiet()) {
            end(started, TaskEnd.exited(code));
        }
    }

    private void journalStart(Assignment assignment, Amounts resources) {
        cell.history()
                .started
                .add(new History.ProcessStarted(
                        name,
                        hardware.nowNanos(),
                        assignment.placement(),
                        assignment.task(),
                        assignment.attempt(),
                        resources));
    }

    private void terminate(PlacementId placement) {
        Running told = running.get(placement);
        if (told != null && !told.ignoresTerm) {
            hardware.after(DueEvents.MILLI * (1 + random.nextLong(50)), () -> end(told, TaskEnd.stopped(143)));
        }
    }

    private void end(Running ended, TaskEnd how) {
        if (ended.over) {
            return;
        }
        ended.over = true;
        running.remove(ended.assignment.placement());
        if (ended.begun) {
            cell.history().ended.add(new History.ProcessEnded(name, hardware.nowNanos(), ended.assignment.placement()));
        }
        if (!ended.saidToBeOver) {
            Reconciler of = reconciler;
            agent.process().soon(() -> onIfSame(of, new AgentEvent.Ended(ended.assignment.placement(), how)));
        }
    }

    /** The tasks that it runs now. */
    List<PlacementId> placements() {
        return List.copyOf(running.keySet());
    }
}
