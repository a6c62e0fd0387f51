package dev.cella.scheduling.loop;

import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.util.List;

/**
 * How a loop drives its scheduler.
 *
 * @param scheduler whose jobs it plans
 * @param session the session its transactions are fenced by
 * @param seed of everything it draws: the same seed and the same events give the same transactions
 * @param transactionsInFlightMax how many transactions may be on their way; 1 is the dissertation's loop, which syncs
 *     before every attempt
 * @param claimsMax the most items of one transaction
 * @param retryOrder what becomes of a job that an attempt did not place whole
 * @param retry how long a job rests after an attempt of which nothing came, where it keeps its place
 * @param lost how long a task rests that was lost more than once in a row; after the first time it is not kept waiting
 * @param plansMax how many plans may be under way at once
 * @param within which machines its plans see, beside what its rights say: a static partition; all, if it is empty
 */
public record LoopOptions(
        String scheduler,
        SessionId session,
        long seed,
        int transactionsInFlightMax,
        int claimsMax,
        RetryOrder retryOrder,
        RetryBackoff retry,
        RetryBackoff lost,
        int plansMax,
        List<Constraint> within) {
    public static final int TRANSACTIONS_IN_FLIGHT_MAX = 16;
    public static final RetryBackoff RETRY = new RetryBackoff(20, 10_000);
    public static final RetryBackoff LOST = new RetryBackoff(100, 10_000);

    public LoopOptions {
        within = List.copyOf(within);
        if (plansMax < 1) {
            throw new IllegalArgumentException("a loop needs a plan under way, not " + plansMax);
        }
        if (transactionsInFlightMax < 1) {
            throw new IllegalArgumentException("a loop needs a transaction in flight, not " + transactionsInFlightMax);
        }
        if (claimsMax < 1 || claimsMax > Transaction.CLAIMS_MAX) {
            throw new IllegalArgumentException(
                    "a transaction has 1 to " + Transaction.CLAIMS_MAX + " items, not " + claimsMax);
        }
    }

    /** What a loop does when nothing else is said. */
    public static LoopOptions of(String scheduler, SessionId session, long seed) {
        return new LoopOptions(
                scheduler,
                session,
                seed,
                TRANSACTIONS_IN_FLIGHT_MAX,
                Transaction.CLAIMS_MAX,
                RetryOrder.KEEPS_PLACE,
                RETRY,
                LOST,
                1,
                List.of());
    }

    public LoopOptions withTransactionsInFlightMax(int max) {
        return new LoopOptions(scheduler, session, seed, max, claimsMax, retryOrder, retry, lost, plansMax, within);
    }

    public LoopOptions withRetryOrder(RetryOrder order) {
        return new LoopOptions(
                scheduler, session, seed, transactionsInFlightMax, claimsMax, order, retry, lost, plansMax, within);
    }

    /** Several plans under way: each is made without the claims of the others, and the last one that ends is remembered. */
    public LoopOptions withPlansMax(int max) {
        return new LoopOptions(
                scheduler, session, seed, transactionsInFlightMax, claimsMax, retryOrder, retry, lost, max, within);
    }

    /** Plans see only the machines that meet these constraints. */
    public LoopOptions within(List<Constraint> constraints) {
        return new LoopOptions(
                scheduler,
                session,
                seed,
                transactionsInFlightMax,
                claimsMax,
                retryOrder,
                retry,
                lost,
                plansMax,
                constraints);
    }
}
