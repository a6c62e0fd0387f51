package dev.cella.scheduling.loop;

import dev.cella.scheduling.loop.InFlight.Settled;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What follows from a transaction whose outcome the view has reached: its counts, the room that a refused claim no longer
 * speaks for, and what its jobs and tasks do next. Owned by {@link SchedulerLoop}.
 */
final class Settlements {
    private final WorkingView working;
    private final InFlight inFlight;
    private final OpenJobs jobs;
    private final SleepingJobs sleeping;
    private final Restarts restarts;
    private final Attempts attempts;
    private final ViewReader reader;
    private final LoopCounters.Counting counting;
    private final BusyTime busyTime;

    Settlements(
            WorkingView working,
            InFlight inFlight,
            OpenJobs jobs,
            SleepingJobs sleeping,
            Restarts restarts,
            Attempts attempts,
            ViewReader reader,
            LoopCounters.Counting counting,
            BusyTime busyTime) {
        this.working = working;
        this.inFlight = inFlight;
        this.jobs = jobs;
        this.sleeping = sleeping;
        this.restarts = restarts;
        this.attempts = attempts;
        this.reader = reader;
        this.counting = counting;
        this.busyTime = busyTime;
    }

    void settle() {
        for (Settled each : inFlight.settle(working.view())) {
            working.moved();
            count(each);
            settleSteps(each);
            settleClaims(each);
        }
    }

    private void count(Settled settled) {
        Transaction transaction = settled.transaction();
        settled.outcome().ifPresent(outcome -> counting.count(outcome, transaction.claims()));
        busyTime.settled(
                transaction.id(),
                settled.outcome().filter(Outcome::isConflicted).isPresent());
    }

    private void settleSteps(Settled settled) {
        List<Step> steps = settled.transaction().steps();
        for (int place = 0; place < steps.size(); place++) {
            TaskId task = steps.get(place).task();
            restarts.settled(task, isAccepted(settled, settled.transaction().items() - steps.size() + place));
            reader.lookAtTask(task);
        }
    }

    private static boolean isAccepted(Settled settled, int item) {
        return settled.outcome()
                .filter(outcome -> outcome.items() > 0 && outcome.isAccepted(item))
                .isPresent();
    }

    private void settleClaims(Settled settled) {
        Transaction transaction = settled.transaction();
        boolean[] progressed = new boolean[transaction.references()];
        boolean[] refused = new boolean[transaction.references()];
        for (int claim = 0; claim < transaction.claims(); claim++) {
            boolean accepted = isAccepted(settled, claim);
            if (!accepted) {
                sleeping.freed(transaction.machine(claim));
            }
            (accepted ? progressed : refused)[transaction.reference(claim)] = true;
        }
        endAttempts(settled, jobsOf(transaction, progressed), jobsOf(transaction, refused));
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

    private void endAttempts(Settled settled, Set<OpenJob> progressed, Set<OpenJob> refused) {
        Set<OpenJob> attempted = new LinkedHashSet<>(progressed);
        attempted.addAll(refused);
        for (OpenJob job : attempted) {
            settled.outcome().ifPresent(outcome -> job.remember(settled.transaction(), outcome));
            attempts.ended(job, progressed.contains(job), refused.contains(job));
        }
    }
}
