package dev.cella.agent.reconciler;

import static dev.cella.agent.reconciler.LocalAttempt.NEVER;
import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.agent.reconciler.LocalAttempt.Phase;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Brings one machine to the state that the cell shows, and reports the results to the cell: an event and the time go in,
 * actions come out. There is no thread, no clock and no I/O. The caller uses one thread and carries out the actions.
 *
 * <h2>Attempts that the view shows run; all others stop.</h2> The view is the only source of work. An attempt that it shows for
 * the first time is started. One that it shows as STOPPING is told to end, then killed after its grace time. One that it no
 * longer shows is stopped without a report, because nobody waits for one. A timer or a late answer only repeats what is still
 * open.
 *
 * <h2>Without a lease, nothing starts</h2> The view may come from a follower while the leader hears nothing of this machine and
 * is about to give it up. An attempt that started then would still run when the cell starts the task elsewhere, because the
 * cell waits only for attempts that began within the lease. So an attempt waits until the lease is renewed.
 *
 * <h2>Why ended attempts are remembered</h2> The naive way forgets an attempt when the cell has accepted its end. The view may
 * still be older than that answer and show the attempt as RUNNING, so it would be started a second time. So its record stays
 * until the view no longer shows it. Placements are never reused, so that is final.
 *
 * <h2>Reports</h2> One report at a time for each attempt, RUNNING before the end, each repeated until it is answered. An
 * answer may be lost after the cell has accepted the report. Then the repeated report is refused as an illegal step, and that
 * is an answer, too. The first check that passes is a second report of RUNNING. After a restart of the agent the check of an
 * adopted attempt passes again, and is reported only if the cell does not show it.
 *
 * <h2>A restored cell</h2> It has this machine and the attempts of its earlier state. These go on, and are reported again as
 * soon as a view shows them. The machine continues its registration only when the later attempts are gone, because the
 * restored cell uses their versions again.
 *
 * <h2>A lost registration</h2> The cell has given up everything on the machine and promised its amounts elsewhere. So all of
 * it is stopped, with little grace time, and the machine registers again only when its last process is gone. Then registered
 * capacity is really free.
 */
public final class Reconciler {
    private enum Registration {
        NOT_BEGUN,
        ASKED,
        REGISTERED,
        /** Lost; its tasks are being stopped. */
        LOST,
        /** The cell was restored from an earlier state; the tasks that it does not know are being stopped. */
        RESTORED,
        /** Another agent has taken this machine over permanently. */
        TAKEN_OVER
    }

    private final ReconcilerOptions options;
    private final Map<PlacementId, LocalAttempt> attempts = new LinkedHashMap<>();
    private Registration registration = Registration.NOT_BEGUN;
    private int epoch;
    private int registerFailures;
    private long registerDueMillis = NEVER;
    private long attemptsDueMillis = NEVER;
    private long askedSinceMillis;
    private long leaseMillis;
    private long leaseEndMillis;
    private long looks;

    /** The attempts that wait for a specification, and perhaps some that did. */
    private final Set<LocalAttempt> fetching = new LinkedHashSet<>();

    private List<AgentAction> actions = new ArrayList<>();
    private final Events events = new Events();

    public Reconciler(ReconcilerOptions options) {
        this.options = options;
    }

    /** Handles one event. Returns the next actions, in order. */
    public List<AgentAction> on(AgentEvent event, long nowMillis) {
        actions = new ArrayList<>();
        event.tell(events, nowMillis);
        return actions;
    }

    /** Handles each kind of event. */
    private final class Events implements AgentEvent.Listener {
        @Override
        public void begun(AgentEvent.Begun event, long nowMillis) {
            register(nowMillis);
        }

        @Override
        public void registered(AgentEvent.Registered event, long nowMillis) {
            Reconciler.this.registered(event.leaseMillis());
        }

        @Override
        public void renewed(AgentEvent.Renewed event, long nowMillis) {
            Reconciler.this.renewed(event.askedAtMillis(), nowMillis);
        }

        @Override
        public void notRegistered(AgentEvent.NotRegistered event, long nowMillis) {
            retryRegistering(nowMillis);
        }

        @Override
        public void leaseLost(AgentEvent.LeaseLost event, long nowMillis) {
            giveUp(Registration.LOST, nowMillis);
        }

        @Override
        public void restored(AgentEvent.Restored event, long nowMillis) {
            Reconciler.this.restored(event.version(), nowMillis);
        }

        @Override
        public void takenOver(AgentEvent.TakenOver event, long nowMillis) {
            giveUp(Registration.TAKEN_OVER, nowMillis);
        }

        @Override
        public void viewAdvanced(AgentEvent.ViewAdvanced event, long nowMillis) {
            follow(event.shown(), nowMillis);
        }

        @Override
        public void adopts(AgentEvent.Adopts event, long nowMillis) {
            event.attempts().forEach(adopted -> adopt(adopted, nowMillis));
        }

        @Override
        public void noRoom(AgentEvent.NoRoom event, long nowMillis) {
            endBecause(event.placement(), TaskReason.PREEMPTED, nowMillis);
        }

        @Override
        public void checked(AgentEvent.Checked event, long nowMillis) {
            pass(event.placement(), nowMillis);
        }

        @Override
        public void unhealthy(AgentEvent.Unhealthy event, long nowMillis) {
            endBecause(event.placement(), TaskReason.UNHEALTHY, nowMillis);
        }

        @Override
        public void specificationFound(AgentEvent.SpecificationFound event, long nowMillis) {
            start(event.runs(), nowMillis);
        }

        @Override
        public void specificationMissing(AgentEvent.SpecificationMissing event, long nowMillis) {
            failFetching(event.job(), event.generation(), nowMillis);
        }

        @Override
        public void specificationUnanswered(AgentEvent.SpecificationUnanswered event, long nowMillis) {
            retryFetching(event.job(), event.generation(), nowMillis);
        }

        @Override
        public void started(AgentEvent.Started event, long nowMillis) {
            Reconciler.this.started(withProcess(event.placement()), event.unchecked(), nowMillis);
        }

        @Override
        public void ended(AgentEvent.Ended event, long nowMillis) {
            end(withProcess(event.placement()), event.end(), nowMillis);
        }

        @Override
        public void reportAnswered(AgentEvent.ReportAnswered event, long nowMillis) {
            answered(event.report(), event.answer(), nowMillis);
        }

        @Override
        public void reportUnanswered(AgentEvent.ReportUnanswered event, long nowMillis) {
            retryReporting(event.report(), nowMillis);
        }

        @Override
        public void timerFired(AgentEvent.TimerFired event, long nowMillis) {
            doWhatIsDue(nowMillis);
        }
    }

    /**
     * When {@link AgentEvent.TimerFired} is needed next, or earlier: this time moves back only when a timer has looked through
     * all attempts.
     */
    public long dueAtMillis() {
        return Math.min(registerDueMillis, attemptsDueMillis);
    }

    private void attemptIsDue(long atMillis) {
        attemptsDueMillis = Math.min(attemptsDueMillis, atMillis);
    }

    /** When the machine's lease ends, unless the cell renews it. */
    public long leaseEndMillis() {
        return leaseEndMillis;
    }

    /** How many attempts have, or may have, a process. */
    public int processes() {
        return (int) attempts.values().stream()
                .filter(attempt -> attempt.phase.mayHaveProcess())
                .count();
    }

    // the registration

    private void register(long now) {
        registration = Registration.ASKED;
        askedSinceMillis = now;
        epoch++;
        actions.add(new AgentAction.Register(epoch));
    }

    private void registered(long itsLeaseMillis) {
        if (registration == Registration.ASKED) {
            registration = Registration.REGISTERED;
            registerFailures = 0;
            leaseMillis = itsLeaseMillis;
            leaseEndMillis = askedSinceMillis + leaseMillis;
        }
    }

    private void renewed(long askedAtMillis, long now) {
        if (registration == Registration.REGISTERED) {
            leaseEndMillis = Math.max(leaseEndMillis, askedAtMillis + leaseMillis);
            attempts.values().forEach(attempt -> beginIfReady(attempt, now));
        }
    }

    private void retryRegistering(long now) {
        if (registration == Registration.ASKED) {
            registerFailures++;
            registerDueMillis = now + options.retryDelayMillis(registerFailures);
        }
    }

    private void giveUp(Registration next, long now) {
        if (registration != Registration.REGISTERED && next == Registration.LOST) {
            return;
        }
        registration = next;
        registerDueMillis = NEVER;
        for (LocalAttempt attempt : List.copyOf(attempts.values())) {
            abandon(attempt, options.graceLostMillisMax(), now);
        }
        registerAgainWhenEmpty(now);
    }

    private void registerAgainWhenEmpty(long now) {
        boolean isEmpty = switch (registration) {
            case LOST -> attempts.isEmpty();
            case RESTORED -> attempts.values().stream().allMatch(attempt -> attempt.awaitsView);
            default -> false;
        };
        if (isEmpty) {
            register(now);
        }
    }

    private void restored(long version, long now) {
        if (registration != Registration.REGISTERED) {
            return;
        }
        registration = Registration.RESTORED;
        registerDueMillis = NEVER;
        for (LocalAttempt attempt : List.copyOf(attempts.values())) {
            attempt.reports.clear();
            attempt.retryDueMillis = NEVER;
            if (attempt.assignment.placement().version() <= version && attempt.phase.hasBegun()) {
                attempt.shown = Optional.empty();
                attempt.isDisowned = false;
                attempt.awaitsView = true;
            } else {
                abandon(attempt, options.graceLostMillisMax(), now);
            }
        }
        registerAgainWhenEmpty(now);
    }

    // what the cell shows

    private void follow(List<ShownAttempt> shown, long now) {
        if (registration != Registration.REGISTERED) {
            return;
        }
        looks++;
        int known = 0;
        for (ShownAttempt task : shown) {
            LocalAttempt attempt = attempts.get(task.assignment().placement());
            if (attempt != null) {
                attempt.seenByLook = looks;
                known++;
            }
        }
        if (known < attempts.size()) {
            abandonUnseen(now);
        }
        shown.forEach(task -> followOne(task, now));
    }

    private void abandonUnseen(long now) {
        for (LocalAttempt attempt : List.copyOf(attempts.values())) {
            if (attempt.seenByLook != looks) {
                abandon(attempt, Long.MAX_VALUE, now);
            }
        }
    }

    private void followOne(ShownAttempt task, long now) {
        LocalAttempt attempt =
                attempts.computeIfAbsent(task.assignment().placement(), unknown -> new LocalAttempt(task));
        attempt.shown = Optional.of(task);
        if (attempt.isSpare && !task.spare()) {
            attempt.isSpare = false;
            actions.add(new AgentAction.Upgrade(task.assignment().placement()));
        }
        boolean isFirstView = attempt.awaitsView;
        attempt.awaitsView = false;
        if (task.state() == TaskState.STOPPING) {
            stop(attempt, Long.MAX_VALUE, now);
        } else if (attempt.phase == Phase.WAITING) {
            beginIfReady(attempt, now);
        } else if (isFirstView && attempt.phase != Phase.STARTING && task.state() == TaskState.PLACED) {
            report(attempt, Report.running(attempt.assignment, attempt.check, now));
        } else if (isFirstView) {
            reportCheck(attempt, now);
        }
        if (isFirstView && attempt.phase == Phase.ENDED) {
            report(attempt, attempt.report(attempt.end.orElseThrow(), now));
        }
    }

    /** If the cell shows it as running and this agent does not know it, it was lost with its former agent. */
    private void beginIfReady(LocalAttempt attempt, long now) {
        if (!attempt.waitsAlone()) {
            return;
        }
        if (attempt.isShownAs(TaskState.RUNNING)) {
            end(attempt, TaskEnd.unknown(), now);
        } else if (now < leaseEndMillis) {
            attempt.phase = Phase.FETCHING;
            fetching.add(attempt);
            fetch(attempt);
        }
    }

    /**
     * An adopted attempt that ended before the first view keeps its end. If it were forgotten, a view that shows it as placed
     * would start it again.
     */
    private void adopt(Adopted adopted, long now) {
        LocalAttempt attempt = LocalAttempt.adopted(adopted, now);
        attemptIsDue(attempt.timeoutDueMillis);
        attempts.put(attempt.assignment.placement(), attempt);
    }

    /** Ends an attempt on the agent's own decision. */
    private void endBecause(PlacementId placement, TaskReason reason, long now) {
        LocalAttempt attempt = attempts.get(placement);
        if (attempt != null && attempt.phase == Phase.RUNNING && !attempt.isToldToEnd) {
            attempt.endedBecause = reason;
            terminate(attempt, attempt.graceMillis(), now);
        }
    }

    private void forget(LocalAttempt attempt) {
        attempts.remove(attempt.assignment.placement());
        fetching.remove(attempt);
        if (attempts.isEmpty()) {
            attemptsDueMillis = NEVER;
        }
        actions.add(new AgentAction.Forget(attempt.assignment.placement()));
    }

    /** The cell no longer shows it on this machine. */
    private void abandon(LocalAttempt attempt, long graceMillisMax, long now) {
        attempt.shown = Optional.empty();
        attempt.awaitsView = false;
        attempt.reports.clear();
        attempt.retryDueMillis = NEVER;
        if (attempt.phase.mayHaveProcess()) {
            stop(attempt, graceMillisMax, now);
        } else {
            forget(attempt);
        }
    }

    // start and stop

    private void fetch(LocalAttempt attempt) {
        Assignment assignment = attempt.assignment;
        actions.add(new AgentAction.FetchSpecification(assignment.task().job(), assignment.generation()));
    }

    private void start(JobRuns runs, long now) {
        for (LocalAttempt attempt : fetching(runs.job(), runs.generation())) {
            Optional<GroupRun> run = runs.run(attempt.assignment);
            if (now >= leaseEndMillis) {
                attempt.phase = Phase.WAITING;
            } else if (run.isPresent()) {
                attempt.failures = 0;
                attempt.retryDueMillis = NEVER;
                attempt.phase = Phase.STARTING;
                actions.add(new AgentAction.Start(attempt.launch(run.get())));
            } else {
                end(attempt, TaskEnd.neverStarted(TaskReason.NOT_STARTED), now);
            }
        }
    }

    private void failFetching(JobId job, int generation, long now) {
        for (LocalAttempt attempt : fetching(job, generation)) {
            end(attempt, TaskEnd.neverStarted(TaskReason.NOT_STARTED), now);
        }
    }

    private void retryFetching(JobId job, int generation, long now) {
        for (LocalAttempt attempt : fetching(job, generation)) {
            retryLater(attempt, now);
        }
    }

    private List<LocalAttempt> fetching(JobId job, int generation) {
        fetching.removeIf(attempt -> attempt.phase != Phase.FETCHING);
        return fetching.stream()
                .filter(attempt ->
                        attempt.assignment.task().job().equals(job) && attempt.assignment.generation() == generation)
                .toList();
    }

    /** Tells it to end if it runs; otherwise this is its end. */
    private void stop(LocalAttempt attempt, long graceMillisMax, long now) {
        if (attempt.phase.mayHaveProcess()) {
            terminate(attempt, Math.min(attempt.graceMillis(), graceMillisMax), now);
        } else if (attempt.phase != Phase.ENDED) {
            end(attempt, new TaskEnd(OptionalInt.empty(), TaskReason.NONE, true), now);
        }
    }

    private void terminate(LocalAttempt attempt, long graceMillis, long now) {
        if (!attempt.isToldToEnd) {
            attempt.isToldToEnd = true;
            actions.add(new AgentAction.Terminate(attempt.assignment.placement()));
        }
        attempt.killDueMillis = Math.min(attempt.killDueMillis, now + graceMillis);
        attemptIsDue(attempt.killDueMillis);
    }

    // what the runner says

    private LocalAttempt withProcess(PlacementId placement) {
        checkInvariant(attempts.containsKey(placement), "a runner speaks only of what it was asked to start");
        LocalAttempt attempt = Objects.requireNonNull(attempts.get(placement));
        checkInvariant(attempt.phase.mayHaveProcess(), "an attempt ends once");
        return attempt;
    }

    private void started(LocalAttempt attempt, boolean unchecked, long now) {
        checkInvariant(attempt.phase == Phase.STARTING, "an attempt starts once");
        attempt.phase = Phase.RUNNING;
        attempt.check = unchecked ? TaskReason.AWAITS_CHECK : TaskReason.NONE;
        attempt.setTimeout(now);
        attemptIsDue(attempt.timeoutDueMillis);
        if (attempt.isShownAs(TaskState.PLACED) && !attempt.isDisowned) {
            report(attempt, Report.running(attempt.assignment, attempt.check, now));
        }
    }

    /** The runner may say it just before it says that the attempt has ended. */
    private void pass(PlacementId placement, long now) {
        LocalAttempt attempt = attempts.get(placement);
        if (attempt != null && attempt.phase == Phase.RUNNING && attempt.check != TaskReason.CHECKED) {
            attempt.check = TaskReason.CHECKED;
            reportCheck(attempt, now);
        }
    }

    /** An attempt that awaits its view is reported with that, and one that is told to end no more. */
    private void reportCheck(LocalAttempt attempt, long now) {
        boolean isNews = attempt.check == TaskReason.CHECKED && attempt.isShownUnchecked();
        if (isNews && attempt.phase == Phase.RUNNING && !attempt.isToldToEnd && !attempt.isDisowned) {
            report(attempt, Report.running(attempt.assignment, TaskReason.CHECKED, now));
        }
    }

    private void end(LocalAttempt attempt, TaskEnd end, long now) {
        attempt.phase = Phase.ENDED;
        attempt.killDueMillis = NEVER;
        attempt.timeoutDueMillis = NEVER;
        attempt.end = Optional.of(end);
        if (!attempt.awaitsView && attempt.shown.isEmpty()) {
            forget(attempt);
        } else if (!attempt.awaitsView && !attempt.isDisowned) {
            report(attempt, attempt.report(end, now));
        }
        registerAgainWhenEmpty(now);
    }

    // reports

    private void report(LocalAttempt attempt, Report report) {
        attempt.reports.add(report);
        if (attempt.reports.size() == 1) {
            attempt.failures = 0;
            attempt.retryDueMillis = NEVER;
            actions.add(new AgentAction.Send(report));
        }
    }

    private void answered(Report report, Answer answer, long now) {
        LocalAttempt attempt = attempts.get(report.assignment().placement());
        if (attempt == null || !report.equals(attempt.reports.peek())) {
            return;
        }
        attempt.reports.remove();
        attempt.failures = 0;
        attempt.retryDueMillis = NEVER;
        if (answer == Answer.STOP_IT) {
            attempt.isDisowned = true;
            attempt.reports.clear();
            stop(attempt, Long.MAX_VALUE, now);
        } else if (!attempt.reports.isEmpty()) {
            actions.add(new AgentAction.Send(attempt.reports.element()));
        }
    }

    private void retryReporting(Report report, long now) {
        LocalAttempt attempt = attempts.get(report.assignment().placement());
        if (attempt != null && report.equals(attempt.reports.peek())) {
            retryLater(attempt, now);
        }
    }

    // time

    private void retryLater(LocalAttempt attempt, long now) {
        attempt.failures++;
        attempt.retryDueMillis = now + options.retryDelayMillis(attempt.failures);
        attemptIsDue(attempt.retryDueMillis);
    }

    private void doWhatIsDue(long now) {
        if (registerDueMillis <= now) {
            registerDueMillis = NEVER;
            actions.add(new AgentAction.Register(epoch));
        }
        attemptsDueMillis = NEVER;
        attempts.values().forEach(attempt -> doWhatIsDue(attempt, now));
    }

    private void doWhatIsDue(LocalAttempt attempt, long now) {
        if (attempt.killDueMillis <= now) {
            attempt.killDueMillis = now + options.killRepeatMillis();
            actions.add(new AgentAction.Kill(attempt.assignment.placement()));
        }
        if (attempt.timeoutDueMillis <= now) {
            attempt.timeoutDueMillis = NEVER;
            endBecause(attempt.assignment.placement(), TaskReason.TIMEOUT, now);
        }
        if (attempt.retryDueMillis <= now) {
            attempt.retryDueMillis = NEVER;
            retry(attempt);
        }
        attemptIsDue(attempt.dueMillis());
    }

    private void retry(LocalAttempt attempt) {
        if (attempt.phase == Phase.FETCHING) {
            fetch(attempt);
        } else if (!attempt.reports.isEmpty()) {
            actions.add(new AgentAction.Send(attempt.reports.element()));
        }
    }
}
