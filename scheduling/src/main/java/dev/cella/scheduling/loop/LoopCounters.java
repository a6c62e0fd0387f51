package dev.cella.scheduling.loop;

import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import java.util.Optional;

/**
 * What a loop has done since it began, counted as SEMANTICS section 5 says: a conflict is what another transaction got
 * to first, a refusal a policy's or the planner's own, and what was aborted with others is neither.
 *
 * @param plans how often the planner was asked
 * @param plansFailed how often it threw, or was given up
 * @param plansGivenUp how often it did not come back in time
 * @param plansEmpty how often it neither claimed nor said why not
 * @param plansRepeated proposals held back, because the same was refused before against unchanged state
 * @param transactionsAttempted with at least one claim, answered
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

        /** Counts what became of a transaction of so many claims. */
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

        /** What is no accepted claim: of those there are many, and the outcome knows how many. */
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
