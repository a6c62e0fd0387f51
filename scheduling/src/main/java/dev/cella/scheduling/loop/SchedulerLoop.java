package dev.cella.scheduling.loop;

import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Surroundings;
import dev.cella.scheduling.TransactionStamp;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.loop.InFlight.Settled;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.JobShare;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Drives one scheduler: the job scheduling loop of the dissertation (6.2.1), as a step machine. An event and the time go
 * in, actions come out; there is no thread, no clock and no waiting inside. Live, one thread with a queue drives it; in
 * the simulator the event heap does, and delivers a plan when its decision time is over.
 *
 * <p>After each event it settles the transactions whose outcome the view has reached, lets those jobs be ready whose time
 * has come, starts tasks again that are due, submits, and asks for a plan for the next job if there is room for one more
 * transaction. One plan is under way at a time; up to {@link LoopOptions#transactionsInFlightMax} transactions are. A plan
 * is made on the view minus the claims in flight, and a task is not planned again before the view shows what became of
 * its last claim.
 *
 * <p>What a job waits for is kept in {@link OpenJobs}, what is in flight in {@link InFlight}, which tasks run again in
 * {@link Restarts}. Owned by one thread: the one that reads the view.
 */
public final class SchedulerLoop<M> {
    private record Turn(long number, OpenJob job, long momentSeen, CellTime began) {}

    private final LoopOptions options;
    private final ViewChanges changes = new ViewChanges();
    private final KnownRoom room = new KnownRoom();
    private final OpenJobs jobs;
    private final SleepingJobs sleeping;
    private final InFlight inFlight;
    private final Restarts restarts;
    private final RunTimes runTimes = new RunTimes();
    private final Surroundings surroundings;
    private final LoopCounters.Counting counting = new LoopCounters.Counting();
    private final CellTime began;
    private CellView view;
    private JobShare share;
    private Draft draft;
    private boolean draftIsStale = true;
    private M memory;
    private long turns;
    private Optional<Turn> turn = Optional.empty();
    private CellTime now;
    private final BusyTime busyTime = new BusyTime();
    private Optional<CellTime> timer = Optional.empty();
    private Optional<String> lastPlannerFailure = Optional.empty();
    private Optional<String> stopped = Optional.empty();
    private List<Action<M>> actions = new ArrayList<>();

    /** A loop over jobs that ask nothing of machines but room. */
    public SchedulerLoop(LoopOptions options, Scheduler<M> scheduler, CellView view, CellTime now) {
        this(options, scheduler, Placements.ANYWHERE, view, now);
    }

    /** A loop that has not looked at its view yet; {@link Event.ViewReplaced} with it, or another, begins. */
    public SchedulerLoop(
            LoopOptions options, Scheduler<M> scheduler, Placements placements, CellView view, CellTime now) {
        this.options = options;
        this.surroundings = Surroundings.of(view, placements);
        this.sleeping = new SleepingJobs(this::fits);
        this.jobs = new OpenJobs(sleeping, options.retryOrder());
        this.inFlight = new InFlight(options.transactionsInFlightMax());
        this.restarts = new Restarts(options.lost(), options.seed());
        this.memory = scheduler.start();
        this.view = view;
        this.share = JobShare.of(view.sessions(), options.scheduler());
        this.draft = new Draft(view);
        this.began = now;
        this.now = now;
    }

    /** Where the owner of the view says which rows an advance touched, before {@link Event.ViewAdvanced}. */
    public TouchedRows touchedRows() {
        return changes;
    }

    /** Takes one event, and answers what is to be done about it, in this order. */
    public List<Action<M>> on(Event<M> event, CellTime time) {
        actions = new ArrayList<>();
        advanceClock(time);
        if (stopped.isEmpty()) {
            react(event);
            settle();
            jobs.ring(now);
            startTasksAgain();
            submit();
            planNext();
            setTimer();
        }
        return actions;
    }

    private void advanceClock(CellTime time) {
        if (time.compareTo(now) > 0) {
            boolean busy = turn.isPresent() || inFlight.submitted() > 0;
            busyTime.passed(time.millis() - now.millis(), busy);
            now = time;
        }
    }

    private void react(Event<M> event) {
        if (event instanceof Event.ViewAdvanced<M>) {
            viewAdvanced();
        } else if (event instanceof Event.ViewReplaced<M> replaced) {
            viewReplaced(replaced.view());
        } else if (event instanceof Event.Planned<M> planned) {
            planned(planned.turn(), planned.plan());
        } else if (event instanceof Event.PlannerFailed<M> failed) {
            plannerFailed(failed.turn(), failed.failure());
        } else if (event instanceof Event.Answered<M> answered) {
            answered(answered.outcome());
        } else if (event instanceof Event.TimerFired<M>) {
            timer = Optional.empty();
        }
    }

    // ---- the view

    private void viewAdvanced() {
        draftIsStale = true;
        changes.machines().forEach(this::lookAtMachine);
        if (changes.sessions()) {
            shareAnew();
        }
        changes.jobs().forEach(this::lookAtJob);
        changes.tasks().forEach(this::lookAtTask);
        changes.clear();
    }

    private void viewReplaced(CellView other) {
        view = other;
        draft = new Draft(other);
        draftIsStale = true;
        surroundings.index().replaced(other);
        changes.clear();
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            lookAtMachine(machine);
        }
        shareAnew();
    }

    /** Sessions share the scheduler's jobs: who comes or goes may leave some to this one, or take some from it. */
    private void shareAnew() {
        share = JobShare.of(view.sessions(), options.scheduler());
        List.copyOf(jobs.all()).forEach(job -> lookAtJob(job.id));
        view.jobs().forEach(this::lookAtAll);
    }

    private void lookAtMachine(int machine) {
        boolean relabelled = surroundings.index().look(machine);
        if (room.grew(machine, view) || relabelled) {
            sleeping.freed(machine);
        }
        restarts.awaiting(machine).forEach(this::lookAtTask);
    }

    private void lookAtAll(JobRow row) {
        if (isOpenAndOurs(row)) {
            lookAtJob(row.id());
            for (GroupRow group : row.groups()) {
                lookAtEndedTasks(group);
            }
        }
    }

    private void lookAtEndedTasks(GroupRow group) {
        for (int index = 0; index < group.header().count(); index++) {
            if (view.taskState(group, index).isEnded()) {
                lookAt(view.task(group, index), group);
            }
        }
    }

    private boolean isOpenAndOurs(JobRow row) {
        return row.header().scheduler().equals(options.scheduler())
                && !row.isEnded()
                && !row.isStopped()
                && share.ownerOf(row.id()).orElse(options.session()).equals(options.session());
    }

    private void lookAtJob(JobId id) {
        Optional<JobRow> row = view.job(id).filter(this::isOpenAndOurs);
        if (row.isPresent()) {
            lookAtOpenJob(row.get());
        } else {
            jobs.find(id).ifPresent(this::close);
        }
    }

    private void close(OpenJob job) {
        jobs.close(job);
        restarts.forget(job.id);
        surroundings.failed().forget(job.id);
        runTimes.forget(job.id);
    }

    private void lookAtOpenJob(JobRow row) {
        OpenJob job = jobs.find(row.id()).orElseGet(() -> open(row));
        boolean updated = job.generation != row.generation();
        boolean more = row.pending() > job.pendingSeen;
        jobs.reprioritise(job, row.header().priority());
        job.generation = row.generation();
        job.pendingSeen = row.pending();
        boolean newlyPending = job.phase == Phase.IDLE || (job.phase == Phase.ASLEEP && (more || updated));
        if (newlyPending && hasTasksToPlan(job)) {
            job.since = now;
            jobs.ready(job);
        }
    }

    private OpenJob open(JobRow row) {
        OpenJob job = new OpenJob(row.id(), row.header().priority(), row.generation(), now);
        jobs.open(job);
        return job;
    }

    private void lookAtTask(TaskId id) {
        jobs.find(id.job())
                .flatMap(job -> view.job(id.job()))
                .ifPresent(row -> lookAt(view.task(row.group(id.group()), id.index()), row.group(id.group())));
    }

    private void lookAt(TaskRow task, GroupRow group) {
        restarts.look(task, group, view, now);
        if (task.state() == TaskState.FINISHED) {
            runTimes.finished(task);
        }
        if (task.state() == TaskState.FAILED) {
            task.machine()
                    .ifPresent(slot -> surroundings.failed().failed(task.id(), task.attempt(), view.machineId(slot)));
        }
        if (task.state().isEnded()) {
            jobs.find(task.id().job()).ifPresent(jobs::taskEnded);
        }
    }

    // ---- what fits now, with everything in flight counted

    private boolean fits(int machine, Amounts shape, Musts musts) {
        return view.isReady(machine)
                && freshDraft().fits(machine, shape)
                && musts.firstUnmet(view, machine).isEmpty();
    }

    private Draft freshDraft() {
        if (draftIsStale) {
            draft.clear();
            inFlight.takeOn(draft, view);
            draftIsStale = false;
        }
        return draft;
    }

    private boolean hasTasksToPlan(OpenJob job) {
        return view.job(job.id).filter(inFlight::leavesPending).isPresent();
    }

    private int tasksToPlan(OpenJob job) {
        return view.job(job.id).map(inFlight::pendingBeside).orElse(0);
    }

    // ---- outcomes

    private void answered(Outcome outcome) {
        if (inFlight.answered(outcome) && outcome.reason().equals(Optional.of(Reason.FENCED))) {
            stop("another instance of scheduler " + options.scheduler() + " has taken over session "
                    + options.session());
        }
    }

    private void stop(String why) {
        stopped = Optional.of(why);
        actions.add(new Action.Stop<>(why));
    }

    private void settle() {
        for (Settled each : inFlight.settle(view)) {
            draftIsStale = true;
            each.outcome()
                    .ifPresent(outcome ->
                            counting.count(outcome, each.transaction().claims()));
            busyTime.settled(
                    each.transaction().id(),
                    each.outcome().filter(Outcome::isConflicted).isPresent());
            settleSteps(each);
            settleClaims(each);
        }
    }

    private void settleSteps(Settled settled) {
        List<Step> steps = settled.transaction().steps();
        for (int place = 0; place < steps.size(); place++) {
            TaskId task = steps.get(place).task();
            restarts.settled(task, isAccepted(settled, settled.transaction().items() - steps.size() + place));
            lookAtTask(task);
        }
    }

    private static boolean isAccepted(Settled settled, int item) {
        return settled.outcome()
                .map(Outcome::results)
                .filter(results -> !results.isEmpty())
                .map(results -> results.get(item).accepted())
                .orElse(false);
    }

    private void settleClaims(Settled settled) {
        Transaction transaction = settled.transaction();
        List<ItemResult> results = settled.outcome().map(Outcome::results).orElse(List.of());
        boolean[] progressed = new boolean[transaction.references()];
        boolean[] refused = new boolean[transaction.references()];
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean accepted = !results.isEmpty() && results.get(claim).accepted();
            if (!accepted) {
                sleeping.freed(transaction.machine(claim));
            }
            (accepted ? progressed : refused)[transaction.reference(claim)] = true;
        }
        Set<OpenJob> jobsProgressed = jobsOf(transaction, progressed);
        Set<OpenJob> jobsRefused = jobsOf(transaction, refused);
        Set<OpenJob> attempted = new LinkedHashSet<>(jobsProgressed);
        attempted.addAll(jobsRefused);
        for (OpenJob job : attempted) {
            settled.outcome().ifPresent(outcome -> remember(job, transaction, outcome));
            attemptEnded(job, jobsProgressed.contains(job), jobsRefused.contains(job));
        }
    }

    /** The open jobs that the marked references of the transaction name. */
    private Set<OpenJob> jobsOf(Transaction transaction, boolean[] marked) {
        Set<OpenJob> named = new LinkedHashSet<>();
        for (int reference = 0; reference < marked.length; reference++) {
            if (marked[reference]) {
                jobs.find(new JobId(transaction.referenceJob(reference))).ifPresent(named::add);
            }
        }
        return named;
    }

    private static void remember(OpenJob job, Transaction transaction, Outcome outcome) {
        job.last = Optional.of(outcome);
        job.refused = RefusedClaims.of(transaction, outcome, job.id);
    }

    /** "If any tasks in job remain unscheduled ... insert job back into job queue" (dissertation 6.2.1, step 6). */
    private void attemptEnded(OpenJob job, boolean progressed, boolean refused) {
        job.failuresInRow = progressed || !refused ? 0 : job.failuresInRow + 1;
        if (job.phase == Phase.PLANNING) {
            return;
        }
        if (!hasTasksToPlan(job)) {
            jobs.idle(job);
        } else if (isRetriedAtOnce()) {
            jobs.retry(job);
        } else if (refused && !progressed) {
            rest(job);
        } else if (refused || job.phase == Phase.IDLE) {
            jobs.ready(job);
        }
    }

    private boolean isRetriedAtOnce() {
        return options.retryOrder() == RetryOrder.BEHIND_OTHERS;
    }

    private void rest(OpenJob job) {
        jobs.rest(job, now.plusMillis(options.retry().afterMillis(job.failuresInRow, seed(job))));
    }

    private long seed(OpenJob job) {
        return Digests.mix(Digests.mix(options.seed(), job.id.version()), job.attempts);
    }

    // ---- tasks that run again

    private void startTasksAgain() {
        restarts.lookAtGangs(view, now);
        while (inFlight.hasRoom()
                && restarts.nextDue().filter(due -> due.compareTo(now) <= 0).isPresent()) {
            Transaction.Builder transaction = nextStamp().begin(view, 0);
            restarts.take(now, options.claimsMax()).forEach(transaction::step);
            inFlight.add(new Proposal(view.name().orElseThrow(), transaction.build()));
        }
    }

    private TransactionStamp nextStamp() {
        turns++;
        return new TransactionStamp(options.scheduler(), options.session(), turns, options.claimsMax());
    }

    // ---- plans

    private void submit() {
        for (Optional<Proposal> next = inFlight.nextToSubmit(); next.isPresent(); next = inFlight.nextToSubmit()) {
            actions.add(new Action.Submit<>(next.get()));
        }
    }

    private void planNext() {
        while (turn.isEmpty() && inFlight.hasRoom()) {
            Optional<OpenJobs.Next> next = jobs.next();
            if (next.isEmpty()) {
                return;
            }
            if (hasTasksToPlan(next.get().job())) {
                plan(next.get());
            } else {
                jobs.idle(next.get().job());
            }
        }
    }

    private void plan(OpenJobs.Next next) {
        OpenJob job = next.job();
        JobRow row = view.job(job.id).orElseThrow();
        jobs.planning(job);
        job.attempts++;
        counting.plans++;
        TransactionStamp stamp = nextStamp();
        turn = Optional.of(new Turn(stamp.turn(), job, sleeping.beginPlan(), now));
        JobWork work = new JobWork(job.id, row.header(), row.generation(), job.attempts, job.last, job.since);
        actions.add(new Action.PlanNow<>(
                stamp.turn(),
                List.of(new PlanningView(view, freshDraft(), inFlight.tasks(), stamp, surroundings)),
                new Work(List.of(work), next.signals()),
                new PlanContext<>(now, seed(job), memory, runTimes.of(job.id)),
                tasksToPlan(job)));
    }

    private Optional<Turn> endTurn(long number) {
        Optional<Turn> ended = turn.filter(current -> current.number() == number);
        if (ended.isPresent()) {
            turn = Optional.empty();
            busyTime.planned(now.millis() - ended.get().began().millis());
            draftIsStale = true;
        }
        return ended.filter(current -> jobs.find(current.job().id).isPresent());
    }

    private void plannerFailed(long number, String failure) {
        lastPlannerFailure = Optional.of(failure);
        counting.plansFailed++;
        endTurn(number).ifPresent(current -> nothingCame(current.job()));
    }

    private void nothingCame(OpenJob job) {
        job.failuresInRow++;
        rest(job);
    }

    private void planned(long number, Plan<M> plan) {
        endTurn(number).ifPresent(current -> {
            memory = plan.memory();
            planned(current, plan);
        });
    }

    private void planned(Turn ended, Plan<M> plan) {
        OpenJob job = ended.job();
        int held = propose(ended, plan.proposals());
        job.unplaced = plan.unplaced().stream()
                .filter(each -> each.job().equals(job.id))
                .toList();
        List<Wake> wakes =
                plan.wakes().stream().filter(wake -> wake.job().equals(job.id)).toList();
        int left = tasksToPlan(job);
        int explained = job.unplaced.stream().mapToInt(Unplaced::tasks).sum();
        boolean proposed = held < plan.proposals().size();
        if (left == 0) {
            jobs.idle(job);
        } else if (isRetriedAtOnce()) {
            jobs.retry(job);
        } else if (held > 0) {
            nothingCame(job);
        } else if (proposed && left > explained) {
            jobs.ready(job);
        } else if (explained > 0 || !wakes.isEmpty()) {
            jobs.sleep(job, wakes, ended.momentSeen());
        } else {
            counting.plansEmpty++;
            nothingCame(job);
        }
    }

    /** Takes the proposals, but for those that can only be refused once more, and answers how many were held back. */
    private int propose(Turn ended, List<Proposal> proposals) {
        int held = 0;
        long millisEach = (now.millis() - ended.began().millis()) / Math.max(1, proposals.size());
        for (Proposal proposal : proposals) {
            if (ended.job().refused.isRepeatedBy(proposal.transaction(), view)) {
                counting.plansRepeated++;
                held++;
            } else {
                inFlight.add(proposal);
                busyTime.proposed(proposal.transaction().id(), millisEach);
                draftIsStale = true;
            }
        }
        submit();
        return held;
    }

    // ---- the next time

    private void setTimer() {
        Optional<CellTime> next = earliest(jobs.nextAlarm(), restarts.nextDue().filter(due -> due.compareTo(now) > 0));
        if (!next.equals(timer)) {
            next.ifPresent(at -> actions.add(new Action.SetTimer<>(at)));
            timer = next;
        }
    }

    private static Optional<CellTime> earliest(Optional<CellTime> one, Optional<CellTime> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) <= 0 ? one : other;
    }

    // ---- for people

    /** How the loop stands now. */
    public LoopStatus status() {
        return new LoopStatus(
                view.version(),
                jobs.count(Phase.READY),
                jobs.count(Phase.RESTING),
                jobs.count(Phase.ASLEEP),
                turn.isPresent(),
                inFlight.submitted(),
                restarts.waiting(),
                busyTime.busyMillis(),
                busyTime.planningMillis(),
                busyTime.wastedMillis(),
                now.millis() - began.millis(),
                counting.counters(),
                lastPlannerFailure,
                stopped,
                jobs.all().stream()
                        .filter(job -> job.phase != Phase.IDLE)
                        .map(OpenJob::status)
                        .toList());
    }
}
