package dev.cella.simulator.replicated;

import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.SchedulerStats;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Drives one live {@link SchedulerLoop} in virtual time (6.2.1, "job transaction lifecycle"). It plans at the moment of the
 * request, on the cell as it is then, and returns the plan when the decision time is over. Transactions are decided when they
 * are submitted.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class SimulatedLoop<M> implements Action.Driver<M> {
    /** An attempt from the start of its plan to the decision about its last transaction; mostly for one job. */
    private static final class Attempt {
        final List<PlacedJob> jobs;
        final int[] accepted;
        int undecided;
        int conflicted;
        boolean isDelivered;

        Attempt(List<PlacedJob> jobs) {
            this.jobs = jobs;
            this.accepted = new int[jobs.size()];
        }

        boolean isWasted() {
            int placed = 0;
            for (int count : accepted) {
                placed += count;
            }
            return conflicted > 0 || placed == 0;
        }
    }

    private final ReplicatedCell cell;
    private final EventHeap heap;
    private final Scheduler<M> scheduler;
    private final TimedLoop<M> loop;
    private final DecisionTime decisionTime;
    private final SchedulerStats stats;
    private final Map<JobId, PlacedJob> jobs = new HashMap<>();
    private final Map<Long, Attempt> attempts = new LinkedHashMap<>();
    private final Map<TransactionId, Attempt> undecided = new HashMap<>();

    SimulatedLoop(
            ReplicatedCell cell,
            EventHeap heap,
            LoopOptions options,
            Scheduler<M> scheduler,
            DecisionTime decisionTime,
            SchedulerStats stats) {
        this.cell = cell;
        this.heap = heap;
        this.scheduler = scheduler;
        SchedulerLoop<M> live = new SchedulerLoop<>(options, scheduler, cell.placements(), cell.view(), cell.time());
        this.loop = new TimedLoop<>(heap, live, cell.view(), cell::time, this);
        this.decisionTime = decisionTime;
        this.stats = stats;
        loop.advance();
        loop.begin();
    }

    SchedulerStats stats() {
        return stats;
    }

    /** One of its jobs was submitted. */
    void opened(PlacedJob job) {
        stats.submitted();
        jobs.put(job.id, job);
        touched(job.id);
        advance();
    }

    /** None of the job is left. */
    void closed(PlacedJob job) {
        jobs.remove(job.id);
        touched(job.id);
    }

    TouchedRows touchedRows() {
        return loop.touchedRows();
    }

    void touched(JobId job) {
        loop.touchedRows().job(job);
    }

    void touchedMachines(int[] machines) {
        for (int machine : machines) {
            loop.touchedRows().machine(machine);
        }
    }

    /** The common cell state has advanced. */
    void advance() {
        loop.advance();
    }

    @Override
    public void submit(Action.Submit<M> action) {
        submit(action.proposal());
    }

    @Override
    public void setTimer(Action.SetTimer<M> action) {
        loop.setTimer(action.at());
    }

    @Override
    public void decline(Action.Decline<M> action) {
        cell.decline(action.offer(), action.refuseMillis());
    }

    @Override
    public void wantOffers(Action.WantOffers<M> action) {
        cell.wantOffers(stats.name(), action.wanted());
    }

    @Override
    public void stop(Action.Stop<M> action) {
        throw new IllegalStateException("a simulated scheduler stopped: " + action.why());
    }

    /** A simulated workload updates no job. */
    @Override
    public void revert(Action.RevertJob<M> action) {
        throw new IllegalStateException("a simulated scheduler reverts " + action.revert());
    }

    /** Syncs and plans now. The loop gets the plan after the decision time; others may be under way meanwhile. */
    @Override
    public void plan(Action.PlanNow<M> plan) {
        endAttemptsOfHeldPlans();
        List<PlacedJob> planned = new ArrayList<>(plan.work().jobs().size());
        for (JobWork work : plan.work().jobs()) {
            PlacedJob job = placed(work);
            planned.add(job);
            stats.attemptBegins(job.open.job(), job.open.attempt(), heap.nowNanos());
        }
        attempts.put(plan.turn(), new Attempt(planned));
        Event<M> made = plan.run(scheduler);
        heap.at(heap.nowNanos() + decisionTime.nanos(plan.tasks()), () -> decided(plan.turn(), made));
    }

    private PlacedJob placed(JobWork work) {
        PlacedJob job = jobs.get(work.id());
        if (job == null) {
            throw new IllegalStateException("a plan for a job that nobody submitted: " + work);
        }
        return job;
    }

    private void decided(long turn, Event<M> planned) {
        Attempt attempt = attempts.get(turn);
        if (attempt != null && planned instanceof Event.Planned<M> plan) {
            for (Proposal proposal : plan.plan().proposals()) {
                attempt.undecided++;
                undecided.put(proposal.transaction().id(), attempt);
            }
        }
        if (attempt != null) {
            attempt.isDelivered = true;
            endAttemptIfDecided(attempt);
        }
        loop.deliver(planned);
        endAttemptsOfHeldPlans();
    }

    private void submit(Proposal proposal) {
        Outcome outcome = cell.commit(proposal.transaction());
        Attempt attempt = undecided.remove(proposal.transaction().id());
        if (attempt != null && attempts.containsValue(attempt)) {
            count(attempt, proposal.transaction(), outcome);
            endAttemptIfDecided(attempt);
        }
        loop.deliver(new Event.Answered<>(outcome));
    }

    private void count(Attempt current, Transaction transaction, Outcome outcome) {
        int conflicted = 0;
        for (int item = 0; item < outcome.items(); item++) {
            conflicted += !outcome.isAccepted(item) && outcome.result(item).conflict() ? 1 : 0;
        }
        int accepted = 0;
        for (int place = 0; place < current.jobs.size(); place++) {
            accepted += begin(current, place, transaction, outcome);
        }
        current.undecided--;
        current.conflicted += conflicted;
        stats.transactionDecided(accepted, conflicted);
    }

    /** The accepted tasks of one of the jobs begin to run. Returns their number. */
    private int begin(Attempt current, int place, Transaction transaction, Outcome outcome) {
        PlacedJob job = current.jobs.get(place);
        boolean isOnly = current.jobs.size() == 1;
        int[] tasks = new int[transaction.claims()];
        int[] machines = new int[transaction.claims()];
        int accepted = 0;
        for (int claim = 0; claim < Math.min(transaction.claims(), outcome.items()); claim++) {
            boolean isOfJob = isOnly || transaction.referenceJob(transaction.reference(claim)) == job.id.version();
            if (isOfJob && outcome.isAccepted(claim)) {
                tasks[accepted] = transaction.index(claim);
                machines[accepted++] = outcome.slot(claim);
            }
        }
        current.accepted[place] += accepted;
        if (accepted > 0 || isOnly) {
            cell.begin(this, job, first(tasks, accepted), first(machines, accepted));
        }
        return accepted;
    }

    /** The first {@code count}, which mostly are all. */
    private static int[] first(int[] numbers, int count) {
        return count == numbers.length ? numbers : Arrays.copyOf(numbers, count);
    }

    private void endAttemptIfDecided(Attempt attempt) {
        if (attempt.undecided == 0) {
            endAttempt(attempt);
        }
    }

    /** The loop may hold back a plan that would only be refused once more. Then no transaction ends the attempt. */
    private void endAttemptsOfHeldPlans() {
        if (!attempts.isEmpty()) {
            List<Attempt> held =
                    attempts.values().stream().filter(each -> each.isDelivered).toList();
            held.forEach(this::endAttempt);
        }
    }

    private void endAttempt(Attempt ended) {
        attempts.values().remove(ended);
        undecided.values().removeIf(ended::equals);
        stats.attemptEnds(ended.isWasted(), heap.nowNanos());
        if (!attempts.isEmpty()) {
            stats.stillTrying(heap.nowNanos());
        }
        for (int place = 0; place < ended.jobs.size(); place++) {
            PlacedJob job = ended.jobs.get(place);
            job.open.placed(ended.accepted[place]);
            if (job.open.isWhole()) {
                stats.fullyScheduled(job.open.job(), heap.nowNanos());
                cell.whole(job);
            } else {
                cell.abandonIfHopeless(this, job);
            }
        }
    }
}
