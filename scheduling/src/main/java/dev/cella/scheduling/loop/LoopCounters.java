package dev.cella.scheduling.loop;

import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import java.util.Optional;

/**
 * The counts of a loop since it began, defined as in SEMANTICS section 5: an item is a conflict if another transaction came
 * first, and a refusal if a policy or the planner's own mistake caused it. An item that was aborted with others is neither.
 *
 * @param plans calls of the planner
 * @param plansFailed calls that threw, or were given up
 * @param plansGivenUp calls that did not return in time
 * @param plansEmpty plans without claims and without an explanation
 * @param plansRepeated proposals held back because the same was refused before against unchanged state
 * @param transactionsAttempted answered transactions with at least one claim
 * @param steps accepted steps on tasks: attempts begun again
 */
public record LoopCounters(
        long plans,
        long plansFailed,
        long plansGivenUp,
        long plansEmpty,
        long plansRepeated,
        long transactionsAttempted,
        long transactionsSuccessful,
        long transactionsConflicted,
        long transactionsRefused,
        long claimsAccepted,
        long claimsConflicted,
        long claimsRefused,
        long steps) {

    /** Collects the counts. Owned by {@link SchedulerLoop}. */
    static final class Counting {
        long plans;
        long plansFailed;
        long plansGivenUp;
        long plansEmpty;
        long plansRepeated;
        private long transactionsAttempted;
        private long transactionsSuccessful;
        private long transactionsConflicted;
        private long transactionsRefused;
        private long claimsAccepted;
        private long claimsConflicted;
        private long claimsRefused;
        private long steps;

        /** Counts the results of a transaction with that many claims. */
        void count(Outcome outcome, int claims) {
            claimsAccepted += outcome.accepted();
            for (int item = 0; item < outcome.items(); item++) {
                if (item >= claims || !outcome.isAccepted(item)) {
                    count(outcome.result(item));
                }
            }
            if (claims > 0) {
                transactionsAttempted++;
                transactionsSuccessful += outcome.isSuccessful() ? 1 : 0;
                transactionsConflicted += outcome.isConflicted() ? 1 : 0;
                transactionsRefused += !outcome.isConflicted() && outcome.accepted() == 0 ? 1 : 0;
                claimsRefused += outcome.results().isEmpty() ? claims : 0;
            }
        }

        /** Counts a result that is no accepted claim. Accepted claims are many, and the outcome has their number. */
        private void count(ItemResult result) {
            boolean claim = result.kind() == ItemKind.CLAIM;
            boolean aborted = result.reason().equals(Optional.of(Reason.ABORTED));
            steps += result.kind() == ItemKind.STEP && result.accepted() ? 1 : 0;
            claimsConflicted += claim && result.conflict() ? 1 : 0;
            claimsRefused += claim && !result.accepted() && !result.conflict() && !aborted ? 1 : 0;
        }

        LoopCounters counters() {
            return new LoopCounters(
                    plans,
                    plansFailed,
                    plansGivenUp,
                    plansEmpty,
                    plansRepeated,
                    transactionsAttempted,
                    transactionsSuccessful,
                    transactionsConflicted,
                    transactionsRefused,
                    claimsAccepted,
                    claimsConflicted,
                    claimsRefused,
                    steps);
        }
    }
}
