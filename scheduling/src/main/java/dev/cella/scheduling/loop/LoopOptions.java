package dev.cella.scheduling.loop;

import dev.cella.scheduling.host.Explanations;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.util.List;

/**
 * The options with which a loop drives its scheduler.
 *
 * @param scheduler the scheduler whose jobs it plans
 * @param session the session that fences its transactions
 * @param seed the seed of all random choices: the same seed and the same events give the same transactions
 * @param transactionsInFlightMax how many transactions may be in flight; 1 is the dissertation's loop, which syncs before
 *     every attempt
 * @param claimsMax the most items of one transaction
 * @param retryOrder the place of a job after an attempt that did not place all of it
 * @param retry how long a job rests after an attempt without any result, if it keeps its place
 * @param lost how long a task rests that was lost more than once in a row; after the first time it does not wait
 * @param within the machines that its plans see, besides its rights: a static partition; all if empty
 * @param explanations how much its plans say about tasks that they left
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
        List<Constraint> within,
        Explanations explanations) {
    public static final int TRANSACTIONS_IN_FLIGHT_MAX = 16;
    public static final RetryBackoff RETRY = new RetryBackoff(20, 10_000);
    public static final RetryBackoff LOST = new RetryBackoff(100, 10_000);

    public LoopOptions {
        within = List.copyOf(within);
        if (transactionsInFlightMax < 1) {
            throw new IllegalArgumentException("a loop needs a transaction in flight, not " + transactionsInFlightMax);
        }
        if (claimsMax < 1 || claimsMax > Transaction.CLAIMS_MAX) {
            throw new IllegalArgumentException(
                    "a transaction has 1 to " + Transaction.CLAIMS_MAX + " items, not " + claimsMax);
        }
    }

    /** The defaults. */
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
                List.of(),
                Explanations.WITH_MACHINES);
    }

    public LoopOptions withTransactionsInFlightMax(int max) {
        return new LoopOptions(scheduler, session, seed, max, claimsMax, retryOrder, retry, lost, within, explanations);
    }

    public LoopOptions withRetryOrder(RetryOrder order) {
        return new LoopOptions(
                scheduler, session, seed, transactionsInFlightMax, claimsMax, order, retry, lost, within, explanations);
    }

    /** Restricts plans to the machines that meet these constraints. */
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
                constraints,
                explanations);
    }

    public LoopOptions with(Explanations chosen) {
        return new LoopOptions(
                scheduler, session, seed, transactionsInFlightMax, claimsMax, retryOrder, retry, lost, within, chosen);
    }
}
