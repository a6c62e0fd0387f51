package dev.cella.agent.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * A cell, a wire and a runner around one reconciler, all seeded: the view lags, reports and answers get lost, arrive
 * late or twice, processes start slowly, ignore what they are told, end by themselves, the agent is killed and its
 * successor adopts what the keeper has, and the cell is restored from a backup. It checks at every step what must hold at
 * every step, and in {@link #settle} what must hold once nothing is under way any more.
 */
final class ReconcilerWorld {
    private static final int TASKS = 5;
    private static final long LEASE_MILLIS = 500;
    private static final GroupRun RUN = new GroupRun("job", "main", List.of("true"), Map.of(), Optional.empty(), 300);

    private record Row(Assignment assignment, TaskState state, TaskReason reason) {}

    /** The cell as it was once; it can be restored while the machine has the same registration. */
    private record Backup(int registration, long version, Map<TaskId, Row> cell, Map<TaskId, Integer> attempts) {}

    private static final class FakeProcess {
        final Launch launch;
        boolean started;
        boolean told;
        boolean killed;

        FakeProcess(Launch launch) {
            this.launch = launch;
        }
    }

    private final Random random;
    private Reconciler reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
    private boolean resumes;
    private long now;
    private long version = 100;
    private long leaseEndMillis;

    /** The current attempt of each task, if it has one, and the states of the cell that the view has not reached yet. */
    private final Map<TaskId, Row> cell = new LinkedHashMap<>();

    private final List<List<ShownAttempt>> unseen = new ArrayList<>();
    private boolean machineKnown;

    private int registrations;
    private Optional<Backup> backup = Optional.empty();

    /** The version of the restored cell, until the machine has registered with it. */
    private OptionalLong restoredAt = OptionalLong.empty();

    /**
     * Attempts that a restored cell shows: this machine may have forgotten their end, or may have ended them for the old
     * one.
     */
    private final Set<PlacementId> mayBeLost = new HashSet<>();

    private final List<AgentAction> pending = new ArrayList<>();
    private final List<AgentEvent> answersUnderWay = new ArrayList<>();
    private final Map<PlacementId, FakeProcess> processes = new LinkedHashMap<>();
    private final Map<PlacementId, Adopted> ended = new LinkedHashMap<>();
    private final Set<PlacementId> everStarted = new HashSet<>();
    private final Map<TaskId, Integer> attempts = new HashMap<>();

    ReconcilerWorld(long seed) {
        random = new Random(seed);
        feed(new AgentEvent.Begun());
    }

    void step() {
        now += random.nextInt(40);
        switch (random.nextInt(12)) {
            case 0 -> place();
            case 1 -> stopOne();
            case 2, 3 -> view();
            case 4, 5, 6 -> carryOutOne();
            case 7 -> processStepsOn();
            case 8 -> processEndsByItself();
            case 9 -> deliverAnAnswer();
            case 10 -> timer();
            default -> rarely();
        }
    }

    private void rarely() {
        int which = random.nextInt(20);
        if (which == 0 && machineKnown && restoredAt.isEmpty()) {
            loseMachine();
        } else if (which < 6) {
            killAgent();
        } else if (which == 6) {
            backUp();
        } else if (which == 7) {
            backup.filter(kept -> kept.registration() == registrations).ifPresent(this::restore);
        } else {
            renew();
        }
    }

    private void backUp() {
        if (machineKnown && restoredAt.isEmpty()) {
            backup = Optional.of(new Backup(registrations, version, new LinkedHashMap<>(cell), Map.copyOf(attempts)));
        }
    }

    /** The agent learns of it when it renews its lease, or when it resumes. */
    private void restore(Backup kept) {
        if (!machineKnown || restoredAt.isPresent() || registeringAgain()) {
            return;
        }
        cell.clear();
        cell.putAll(kept.cell());
        attempts.clear();
        attempts.putAll(kept.attempts());
        version = kept.version();
        unseen.clear();
        List<AgentAction> forgets = new ArrayList<>(pending);
        forgets.removeIf(action -> !(action instanceof AgentAction.Forget));
        pending.removeAll(forgets);
        forgets.forEach(forget -> carryOut(forget, true));
        pending.removeIf(
                action -> action instanceof AgentAction.Send || action instanceof AgentAction.FetchSpecification);
        answersUnderWay.removeIf(
                event -> event instanceof AgentEvent.ReportAnswered || event instanceof AgentEvent.ReportUnanswered);
        everStarted.removeIf(placement -> !isKept(placement));
        shownNow().forEach(task -> mayBeLost.add(task.assignment().placement()));
        restoredAt = OptionalLong.of(version);
        if (!resumes) {
            feed(new AgentEvent.Restored(version));
        }
    }

    private boolean registeringAgain() {
        return pending.stream().anyMatch(AgentAction.Register.class::isInstance) && !resumes;
    }

    private boolean isKept(PlacementId placement) {
        return processes.containsKey(placement) || ended.containsKey(placement);
    }

    private void renew() {
        if (machineKnown && restoredAt.isEmpty()) {
            leaseEndMillis = now + LEASE_MILLIS;
            feed(new AgentEvent.Renewed(now));
        }
    }

    /** Nothing is left of it but what the keeper has and what the cell shows. */
    private void killAgent() {
        pending.clear();
        answersUnderWay.clear();
        unseen.clear();
        changed();
        reconciler = new Reconciler(ReconcilerOptions.DEFAULT);
        resumes = true;
        List<Adopted> kept = new ArrayList<>(ended.values());
        for (FakeProcess process : processes.values()) {
            process.started = true;
            kept.add(new Adopted(process.launch, 0, Optional.empty()));
        }
        feed(new AgentEvent.Adopts(kept));
        feed(new AgentEvent.Begun());
    }

    /** No more faults: everything under way arrives, time passes, until nothing moves any more. */
    void settle() {
        renew();
        for (int round = 0; round < 10_000 && !isQuiet(); round++) {
            now += 10;
            while (!unseen.isEmpty()) {
                view();
            }
            for (AgentAction action : List.copyOf(pending)) {
                pending.remove(action);
                carryOut(action, true);
            }
            for (AgentEvent event : List.copyOf(answersUnderWay)) {
                answersUnderWay.remove(event);
                feed(event);
            }
            processes.values().stream()
                    .filter(process -> !process.started)
                    .toList()
                    .forEach(this::startProcess);
            processes.values().stream().filter(process -> process.told).toList().forEach(this::endTold);
            timer();
            renew();
        }
        assertThat(isQuiet()).as("the world comes to rest").isTrue();
        Set<PlacementId> shown = new HashSet<>();
        for (Row row : cell.values()) {
            if (row.state().isOnMachine()) {
                assertThat(row.state()).as("%s", row.assignment()).isEqualTo(TaskState.RUNNING);
                shown.add(row.assignment().placement());
            }
        }
        assertThat(processes.keySet())
                .as("the running processes are those that the cell shows")
                .isEqualTo(shown);
    }

    private boolean isQuiet() {
        return unseen.isEmpty()
                && pending.isEmpty()
                && answersUnderWay.isEmpty()
                && reconciler.dueAtMillis() == Long.MAX_VALUE
                && processes.values().stream().allMatch(process -> process.started && !process.told);
    }

    private void feed(AgentEvent event) {
        List<AgentAction> actions = reconciler.on(event, now);
        if (actions.stream().anyMatch(AgentAction.Start.class::isInstance)) {
            assertThat(now).as("starts within its lease").isLessThan(leaseEndMillis);
        }
        pending.addAll(actions);
        checkInvariants();
    }

    private void checkInvariants() {
        Set<TaskId> running = new HashSet<>();
        for (FakeProcess process : processes.values()) {
            TaskId task = process.launch.assignment().task();
            assertThat(running.add(task)).as("one process at most of %s", task).isTrue();
        }
    }

    // the cell

    private void changed() {
        version++;
        unseen.add(machineKnown ? shownNow() : List.of());
    }

    private List<ShownAttempt> shownNow() {
        return cell.values().stream()
                .filter(row -> row.state().isOnMachine())
                .map(row -> new ShownAttempt(row.assignment(), row.state(), row.reason(), false))
                .toList();
    }

    private void place() {
        TaskId task = new TaskId(new JobId(7), 0, random.nextInt(TASKS));
        Row row = cell.get(task);
        if (machineKnown && restoredAt.isEmpty() && (row == null || row.state().isEnded())) {
            int attempt = attempts.merge(task, 1, Integer::sum);
            Assignment assignment = new Assignment(new PlacementId(version + 1, 0), task, attempt, 1);
            cell.put(task, new Row(assignment, TaskState.PLACED, TaskReason.NONE));
            changed();
        }
    }

    private void stopOne() {
        List<Row> stoppable = cell.values().stream()
                .filter(row -> row.state().mayBecome(TaskState.STOPPING))
                .toList();
        if (!stoppable.isEmpty()) {
            Row row = stoppable.get(random.nextInt(stoppable.size()));
            TaskReason reason = random.nextBoolean() ? TaskReason.KILLED : TaskReason.PREEMPTED;
            cell.put(row.assignment().task(), new Row(row.assignment(), TaskState.STOPPING, reason));
            changed();
        }
    }

    private void loseMachine() {
        loseTasks();
        machineKnown = false;
        changed();
        answersUnderWay.add(new AgentEvent.LeaseLost());
    }

    private void loseTasks() {
        cell.replaceAll((task, row) ->
                row.state().isOnMachine() ? new Row(row.assignment(), TaskState.LOST, TaskReason.MACHINE_LOST) : row);
    }

    private Answer decide(Report report) {
        if (!mayBeLost.contains(report.assignment().placement())) {
            assertThat(report.state()).as("no end is lost").isNotEqualTo(TaskState.LOST);
        }
        Row row = cell.get(report.assignment().task());
        if (!machineKnown
                || row == null
                || !row.assignment().equals(report.assignment())
                || row.state() == TaskState.LOST) {
            return Answer.STOP_IT;
        }
        if (!row.state().mayBecome(report.state())) {
            assertThat(report.state().isEnded() && !row.state().isEnded() && row.state() != TaskState.STOPPING)
                    .as("an end is never reported before it is legal: %s in %s", report, row)
                    .isFalse();
            return Answer.REFUSED;
        }
        cell.put(report.assignment().task(), new Row(row.assignment(), report.state(), report.reason()));
        changed();
        return Answer.ACCEPTED;
    }

    // the wire

    private void view() {
        if (!unseen.isEmpty()) {
            int reached = random.nextInt(unseen.size());
            List<ShownAttempt> shown = unseen.get(reached);
            unseen.subList(0, reached + 1).clear();
            feed(new AgentEvent.ViewAdvanced(shown));
        }
    }

    private void carryOutOne() {
        if (!pending.isEmpty()) {
            carryOut(pending.remove(0), random.nextInt(4) > 0);
        }
    }

    private void carryOut(AgentAction action, boolean answered) {
        action.perform(new Carrying(answered));
    }

    /** Carries out each action; what goes to the cell is answered or not. */
    private final class Carrying implements AgentAction.Driver {
        private final boolean answered;

        Carrying(boolean answered) {
            this.answered = answered;
        }

        @Override
        public void register(AgentAction.Register action) {
            ReconcilerWorld.this.register(answered);
        }

        @Override
        public void fetchSpecification(AgentAction.FetchSpecification fetch) {
            answersUnderWay.add(
                    answered
                            ? new AgentEvent.SpecificationFound(
                                    new JobRuns(fetch.job(), fetch.generation(), List.of(RUN)))
                            : new AgentEvent.SpecificationUnanswered(fetch.job(), fetch.generation()));
        }

        @Override
        public void start(AgentAction.Start start) {
            Launch launch = start.launch();
            assertThat(everStarted.add(launch.assignment().placement()))
                    .as("started once")
                    .isTrue();
            processes.put(launch.assignment().placement(), new FakeProcess(launch));
            checkInvariants();
        }

        @Override
        public void upgrade(AgentAction.Upgrade upgrade) {
            assertThat(everStarted).as("upgrades what it started").contains(upgrade.placement());
        }

        @Override
        public void terminate(AgentAction.Terminate terminate) {
            Optional.ofNullable(processes.get(terminate.placement())).ifPresent(process -> process.told = true);
        }

        @Override
        public void kill(AgentAction.Kill kill) {
            Optional.ofNullable(processes.get(kill.placement())).ifPresent(process -> process.killed = true);
        }

        @Override
        public void forget(AgentAction.Forget forget) {
            ended.remove(forget.placement());
        }

        @Override
        public void send(AgentAction.Send send) {
            ReconcilerWorld.this.send(send.report(), answered);
        }
    }

    private void register(boolean answered) {
        if (answered && resumes) {
            resume();
        } else {
            registerAgain(answered);
        }
    }

    /** An agent asks first whether the cell still knows the registration of the one before it. */
    private void resume() {
        resumes = false;
        unseen.clear();
        changed();
        leaseEndMillis = now + LEASE_MILLIS;
        feed(new AgentEvent.Registered(LEASE_MILLIS));
        if (!machineKnown) {
            feed(new AgentEvent.LeaseLost());
        } else if (restoredAt.isPresent()) {
            feed(new AgentEvent.Restored(restoredAt.getAsLong()));
        }
    }

    private void registerAgain(boolean answered) {
        if (resumes) {
            answersUnderWay.add(new AgentEvent.NotRegistered());
            return;
        }
        assertThat(processes.keySet())
                .as("registers only capacity that is free, or held by what the restored cell knows")
                .allMatch(placement -> restoredAt.isPresent() && placement.version() <= restoredAt.getAsLong());
        if (answered) {
            if (restoredAt.isEmpty()) {
                loseTasks();
                registrations++;
            }
            restoredAt.ifPresent(restored -> everStarted.removeIf(placement -> placement.version() > restored));
            restoredAt = OptionalLong.empty();
            machineKnown = true;
            // An answer about the registration before this one is not passed on.
            answersUnderWay.removeIf(AgentEvent.LeaseLost.class::isInstance);
            unseen.clear();
            changed();
            leaseEndMillis = now + LEASE_MILLIS;
            feed(new AgentEvent.Registered(LEASE_MILLIS));
        } else {
            answersUnderWay.add(new AgentEvent.NotRegistered());
        }
    }

    private void send(Report report, boolean answered) {
        boolean lostOnTheWayThere = !answered && random.nextBoolean();
        Answer answer = lostOnTheWayThere ? Answer.REFUSED : decide(report);
        answersUnderWay.add(
                answered ? new AgentEvent.ReportAnswered(report, answer) : new AgentEvent.ReportUnanswered(report));
    }

    private void deliverAnAnswer() {
        if (!answersUnderWay.isEmpty()) {
            feed(answersUnderWay.remove(random.nextInt(answersUnderWay.size())));
        }
    }

    private void timer() {
        if (reconciler.dueAtMillis() <= now || random.nextInt(5) == 0) {
            feed(new AgentEvent.TimerFired());
        }
    }

    // the runner

    private void processStepsOn() {
        pick().ifPresent(process -> {
            if (!process.started) {
                startProcess(process);
            } else if (process.killed || (process.told && random.nextBoolean())) {
                endTold(process);
            }
        });
    }

    private void processEndsByItself() {
        pick().filter(process -> process.started && !process.told)
                .ifPresent(process -> end(process, TaskEnd.exited(random.nextInt(2))));
    }

    private Optional<FakeProcess> pick() {
        List<FakeProcess> all = List.copyOf(processes.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void startProcess(FakeProcess process) {
        if (random.nextInt(10) == 0) {
            end(process, TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        } else {
            process.started = true;
            feed(new AgentEvent.Started(process.launch.assignment().placement()));
        }
    }

    private void endTold(FakeProcess process) {
        if (process.started) {
            end(process, TaskEnd.stopped(process.killed ? 137 : 143));
        }
    }

    private void end(FakeProcess process, TaskEnd end) {
        PlacementId placement = process.launch.assignment().placement();
        processes.remove(placement);
        ended.put(placement, new Adopted(process.launch, 0, Optional.of(end)));
        feed(new AgentEvent.Ended(placement, end));
    }
}
