package dev.cella.scheduling.loop;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.loop.InFlight.Settled;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles a transaction whose outcome the view shows: its counts, the room that a refused claim no longer reserves, and the
 * next steps of its jobs and tasks. Owned by {@link SchedulerLoop}.
 */
final class Settlements {
    private final LoopCell cell;
    private final OpenJobs jobs;
    private final Attempts attempts;
    private final ViewReader reader;
    private final LoopCounters.Counting counting;
    private final BusyTime busyTime;

    Settlements(
            LoopCell cell,
            OpenJobs jobs,
            Attempts attempts,
            ViewReader reader,
            LoopCounters.Counting counting,
            BusyTime busyTime) {
        this.cell = cell;
        this.jobs = jobs;
        this.attempts = attempts;
        this.reader = reader;
        this.counting = counting;
        this.busyTime = busyTime;
    }

    void settle() {
        for (Settled each : cell.inFlight.settle(cell.view())) {
            cell.working.moved();
            count(each);
            settleSteps(each);
            settleItems(each);
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
        int first =
                settled.transaction().items() - settled.transaction().scales().size() - steps.size();
        for (int place = 0; place < steps.size(); place++) {
            TaskId task = steps.get(place).task();
            cell.restarts.settled(steps.get(place), isAccepted(settled, first + place));
            if (steps.get(place).kind() == Step.Kind.UPGRADE && cell.view().lastMachineOf(task) >= 0) {
                cell.freed(cell.view().lastMachineOf(task));
            }
            reader.lookAtTask(task);
        }
    }

    private static boolean isAccepted(Settled settled, int item) {
        return settled.outcome()
                .filter(outcome -> outcome.items() > 0 && outcome.isAccepted(item))
                .isPresent();
    }

    private void settleItems(Settled settled) {
        Transaction transaction = settled.transaction();
        @Nullable GroupRow[] groups = new @Nullable GroupRow[transaction.references()];
        Arrays.setAll(groups, reference -> InFlight.group(cell.view(), transaction, reference));
        boolean[] progressed = new boolean[groups.length];
        boolean[] refused = new boolean[groups.length];
        boolean[] pendingAgain = new boolean[groups.length];
        for (int claim = 0; claim < transaction.claims(); claim++) {
            int reference = transaction.reference(claim);
            if (isAccepted(settled, claim)) {
                leaveDraft(transaction, claim, groups[reference]);
                progressed[reference] = true;
                pendingAgain[reference] |= isPendingAgain(transaction, claim, groups[reference]);
            } else {
                cell.freed(transaction.machine(claim));
                refused[reference] = true;
            }
        }
        settleHolds(settled);
        endAttempts(settled, jobsOf(transaction, progressed), jobsOf(transaction, refused));
        jobsOf(transaction, pendingAgain).forEach(reader::replan);
    }

    /**
     * The draft no longer takes an accepted claim. If the view does not show the task there, the machine has room again of which
     * no row tells: the task has ended, and both came in one advance, or it was placed on an alternate.
     */
    private void leaveDraft(Transaction transaction, int claim, @Nullable GroupRow group) {
        int machine = transaction.machine(claim);
        boolean isThere = transaction.kind(claim) == ClaimKind.QUEUE
                || (group != null && cell.view().machineOf(group, transaction.index(claim)) == machine);
        if (isThere) {
            cell.working.freed(machine);
        } else {
            cell.freed(machine);
        }
    }

    private void settleHolds(Settled settled) {
        Transaction transaction = settled.transaction();
        int first = transaction.claims() + transaction.evictions().size();
        for (int place = 0; place < transaction.holds().size(); place++) {
            int machine = transaction.holds().get(place).machine();
            if (isAccepted(settled, first + place)) {
                cell.working.freed(machine);
            } else {
                cell.freed(machine);
            }
        }
    }

    /**
     * Returns whether the task of an accepted claim was placed, ended and became pending again before the outcome came here.
     * Until now its job could not plan it.
     */
    private static boolean isPendingAgain(Transaction transaction, int claim, @Nullable GroupRow group) {
        return group != null && transaction.kind(claim) != ClaimKind.QUEUE && group.isPending(transaction.index(claim));
    }

    /** The open jobs that the marked references of the transaction name. */
    private Set<OpenJob> jobsOf(Transaction transaction, boolean[] marked) {
        if (marked.length == 1) {
            return marked[0] ? find(transaction, 0).map(Set::of).orElse(Set.of()) : Set.of();
        }
        Set<OpenJob> named = new LinkedHashSet<>();
        for (int reference = 0; reference < marked.length; reference++) {
            if (marked[reference]) {
                find(transaction, reference).ifPresent(named::add);
            }
        }
        return named;
    }

    private Optional<OpenJob> find(Transaction transaction, int reference) {
        return jobs.find(cell.place, new JobId(transaction.referenceJob(reference)));
    }

    /** Returns whether an item other than a claim was refused for its own reason. */
    private static boolean isOtherRefused(Settled settled) {
        for (int item = settled.transaction().claims();
                item < settled.transaction().items();
                item++) {
            if (!isAccepted(settled, item)) {
                return true;
            }
        }
        return false;
    }

    /** Reports the results to the jobs whose turn asked for them, and to those that the claims name. */
    private void endAttempts(Settled settled, Set<OpenJob> progressed, Set<OpenJob> refused) {
        Set<OpenJob> asking = asking(settled);
        Set<OpenJob> attempted = union(union(progressed, refused), asking);
        boolean calls = isOtherRefused(settled);
        for (OpenJob job : attempted) {
            settled.outcome().ifPresent(outcome -> job.remember(settled.transaction(), outcome));
            boolean asked = asking.contains(job);
            if (progressed.contains(job)) {
                jobs.placed(job);
            }
            attempts.ended(job, progressed.contains(job), refused.contains(job), asked && calls);
            if (asked) {
                tell(job);
            }
        }
    }

    private Set<OpenJob> asking(Settled settled) {
        if (settled.askers().size() == 1) {
            return jobs.find(settled.askers().get(0)).map(Set::of).orElse(Set.of());
        }
        Set<OpenJob> asking = new LinkedHashSet<>();
        settled.askers().forEach(asker -> jobs.find(asker).ifPresent(asking::add));
        return asking;
    }

    /** The jobs of both, in this order. */
    private static Set<OpenJob> union(Set<OpenJob> first, Set<OpenJob> then) {
        if (first.containsAll(then)) {
            return first;
        }
        Set<OpenJob> both = new LinkedHashSet<>(first);
        both.addAll(then);
        return both;
    }

    /** Everything that its turns asked for is decided. */
    private void tell(OpenJob job) {
        job.undecided = Math.max(0, job.undecided - 1);
        if (job.undecided == 0) {
            jobs.happened(job, Happening.TOLD);
        }
    }
}
