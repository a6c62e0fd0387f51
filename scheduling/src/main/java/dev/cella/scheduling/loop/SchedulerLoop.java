package dev.cella.scheduling.loop;

import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.TransactionStamp;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
 * <p>What the view shows is read by {@link ViewReader}, plans are made on {@link WorkingView}; what a job waits for is kept
 * in {@link OpenJobs}, what is in flight in {@link InFlight}, which tasks run again in {@link Restarts}. What follows from an
 * outcome is {@link Settlements}', and what becomes of a job after an attempt {@link Attempts}'. Owned by one thread: the
 * one that reads the view.
 */
public final class SchedulerLoop<M> {
    private record Turn(long number, OpenJob job, long momentSeen, CellTime began) {
        Turn of(OpenJob other) {
            return new Turn(number, other, momentSeen, began);
        }
    }

    private final LoopOptions options;
    private final LoopClock clock;
    private final OpenJobs jobs;
    private final SleepingJobs sleeping;
    private final InFlight inFlight;
    private final Restarts restarts;
    private final WorkingView working;
    private final ViewReader reader;
    private final Attempts attempts;
    private final Settlements settlements;
    private final RunTimes runTimes = new RunTimes();
    private final LoopCounters.Counting counting = new LoopCounters.Counting();
    private final BusyTime busyTime = new BusyTime();
    private M memory;
    private long turns;
    private Optional<Turn> turn = Optional.empty();
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
        this.clock = new LoopClock(now);
        this.inFlight = new InFlight(options.transactionsInFlightMax());
        this.working = new WorkingView(view, inFlight, placements);
        this.sleeping = new SleepingJobs(working::fits);
        this.jobs = new OpenJobs(sleeping, scheduler.order(), options.retryOrder());
        this.restarts = new Restarts(options.lost(), options.seed());
        this.attempts = new Attempts(options, clock, jobs, working);
        this.reader = new ViewReader(options, clock, working, jobs, sleeping, restarts, runTimes);
        this.settlements =
                new Settlements(working, inFlight, jobs, sleeping, restarts, attempts, reader, counting, busyTime);
        this.memory = scheduler.start();
    }

    /** Where the owner of the view says which rows an advance touched, before {@link Event.ViewAdvanced}. */
    public TouchedRows touchedRows() {
        return reader.touchedRows();
    }

    /** Takes one event, and answers what is to be done about it, in this order. */
    public List<Action<M>> on(Event<M> event, CellTime time) {
        actions = new ArrayList<>();
        boolean busy = turn.isPresent() || inFlight.submitted() > 0;
        busyTime.passed(clock.advance(time), busy);
        if (stopped.isEmpty()) {
            working.leaveWhatWasGivenUp();
            react(event);
            settlements.settle();
            jobs.ring(clock.now());
            goOn();
            setTimer();
        }
        return actions;
    }

    /** Of a paused scheduler only what it has on its way goes on. */
    private void goOn() {
        if (!isPaused()) {
            startTasksAgain();
        }
        submit();
        if (!isPaused()) {
            planNext();
        }
    }

    private boolean isPaused() {
        return working.view().isPaused(options.scheduler());
    }

    private void react(Event<M> event) {
        if (event instanceof Event.ViewAdvanced<M>) {
            reader.advanced();
        } else if (event instanceof Event.ViewReplaced<M> replaced) {
            reader.replaced(replaced.view());
        } else if (event instanceof Event.Planned<M> planned) {
            planned(planned.turn(), planned.plan());
        } else if (event instanceof Event.PlannerFailed<M> failed) {
            plannerFailed(failed.turn(), failed.failure());
        } else if (event instanceof Event.PlanGivenUp<M> givenUp) {
            planGivenUp(givenUp.turn(), givenUp.failure());
        } else if (event instanceof Event.Answered<M> answered) {
            answered(answered.outcome());
        } else if (event instanceof Event.BacklogTold<M> told) {
            inFlight.backlogTold(told.transactions());
        } else if (event instanceof Event.TimerFired<M>) {
            timer = Optional.empty();
        }
    }

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

    // ---- what is sent

    private void startTasksAgain() {
        restarts.lookAtGangs(working.view(), clock.now());
        while (inFlight.hasRoom() && isDue(restarts.nextDue())) {
            Transaction.Builder transaction = nextStamp().begin(working.view(), 0);
            restarts.take(clock.now(), options.claimsMax()).forEach(transaction::step);
            inFlight.add(new Proposal(working.view().name().orElseThrow(), transaction.build()));
        }
    }

    private boolean isDue(Optional<CellTime> time) {
        return time.isPresent() && !clock.isInFuture(time.get());
    }

    private TransactionStamp nextStamp() {
        turns++;
        return new TransactionStamp(options.scheduler(), options.session(), turns, options.claimsMax());
    }

    private void submit() {
        for (Optional<Proposal> next = inFlight.nextToSubmit(); next.isPresent(); next = inFlight.nextToSubmit()) {
            actions.add(new Action.Submit<>(next.get()));
        }
    }

    // ---- plans

    private void planNext() {
        while (turn.isEmpty() && inFlight.hasRoom()) {
            Optional<OpenJobs.Next> next = jobs.next();
            if (next.isEmpty()) {
                return;
            }
            if (working.hasTasksToPlan(next.get().job())) {
                plan(next.get());
            } else {
                jobs.idle(next.get().job());
            }
        }
    }

    private void plan(OpenJobs.Next next) {
        OpenJob job = next.job();
        JobRow row = working.view().job(job.id).orElseThrow();
        jobs.planning(job);
        job.attempts++;
        counting.plans++;
        TransactionStamp stamp = nextStamp();
        turn = Optional.of(new Turn(stamp.turn(), job, sleeping.beginPlan(), clock.now()));
        JobWork work = new JobWork(job.id, row.header(), row.generation(), job.attempts, job.last, job.since);
        actions.add(new Action.PlanNow<>(
                stamp.turn(),
                List.of(working.lend(stamp)),
                new Work(List.of(work), next.signals()),
                new PlanContext<>(clock.now(), attempts.seed(job), memory, runTimes.of(job.id)),
                working.tasksToPlan(job)));
    }

    /** Of a job that went to another instance and came back meanwhile it is the turn as it is open now. */
    private Optional<Turn> endTurn(long number) {
        Optional<Turn> ended = turn.filter(current -> current.number() == number);
        if (ended.isPresent()) {
            turn = Optional.empty();
            busyTime.planned(millisSince(ended.get()));
            working.moved();
        }
        return ended.flatMap(current -> jobs.find(current.job().id).map(current::of));
    }

    private long millisSince(Turn began) {
        return clock.now().millis() - began.began().millis();
    }

    private void plannerFailed(long number, String failure) {
        lastPlannerFailure = Optional.of(failure);
        counting.plansFailed++;
        endTurn(number).ifPresent(current -> attempts.failed(current.job(), failure));
    }

    private void planGivenUp(long number, String failure) {
        lastPlannerFailure = Optional.of(failure);
        counting.plansFailed++;
        counting.plansGivenUp++;
        endTurn(number).ifPresent(ended -> attempts.givenUp(ended.job(), failure, millisSince(ended)));
    }

    private void planned(long number, Plan<M> plan) {
        endTurn(number).ifPresent(ended -> {
            memory = plan.memory();
            if (isPaused()) {
                jobs.ready(ended.job());
                return;
            }
            int held = propose(ended, plan.proposals());
            if (!attempts.planned(ended.job(), plan, held, ended.momentSeen())) {
                counting.plansEmpty++;
            }
        });
    }

    /** Takes the proposals, but for those that can only be refused once more, and answers how many were held back. */
    private int propose(Turn ended, List<Proposal> proposals) {
        int held = 0;
        long millisEach = millisSince(ended) / Math.max(1, proposals.size());
        for (Proposal proposal : proposals) {
            if (ended.job().refused.isRepeatedBy(proposal.transaction(), working.view())) {
                counting.plansRepeated++;
                held++;
            } else {
                inFlight.add(proposal);
                busyTime.proposed(proposal.transaction().id(), millisEach);
                working.moved();
            }
        }
        submit();
        return held;
    }

    // ---- the next time

    private void setTimer() {
        Optional<CellTime> next = earliest(jobs.nextAlarm(), restarts.nextDue().filter(clock::isInFuture));
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
                working.view().version(),
                jobs.count(Phase.READY),
                jobs.count(Phase.RESTING),
                jobs.count(Phase.ASLEEP),
                turn.isPresent(),
                isPaused(),
                inFlight.submitted(),
                restarts.waiting(),
                busyTime.busyMillis(),
                busyTime.planningMillis(),
                busyTime.wastedMillis(),
                clock.elapsedMillis(),
                counting.counters(),
                lastPlannerFailure,
                stopped,
                jobs.waiting().stream()
                        .limit(LoopStatus.JOBS_MAX)
                        .map(OpenJob::status)
                        .toList());
    }
}
