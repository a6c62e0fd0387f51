package dev.cella.scheduling.live;

import dev.cella.client.CellAddresses;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.placement.Constraint;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How one instance of a scheduler runs against a cell.
 *
 * @param cell where its servers answer
 * @param name the scheduler's name, as jobs say it
 * @param type the type of scheduler, for people
 * @param instance which process of those that share the name; the same again takes over from the older
 * @param seed of everything it draws
 * @param lease how long the cell waits for an instance of which nothing is heard
 * @param transactionsInFlightMax how many transactions may be on their way; 1 syncs before every attempt
 * @param planTimeMax how long a plan is waited for before it is given up; meanwhile the session is not renewed, so it is
 *     at most half a lease
 * @param decisionTime how much longer than its planner takes it is made to think
 * @param within the machines that its plans see: a static partition; all, if it is empty
 */
public record LiveSchedulerOptions(
        CellAddresses cell,
        String name,
        String type,
        String instance,
        long seed,
        Duration lease,
        int transactionsInFlightMax,
        Duration planTimeMax,
        DecisionTime decisionTime,
        List<Constraint> within) {
    public static final Duration LEASE = Duration.ofSeconds(10);

    public LiveSchedulerOptions {
        within = List.copyOf(within);
        if (planTimeMax.isZero() || planTimeMax.isNegative() || planTimeMax.compareTo(lease.dividedBy(2)) > 0) {
            throw new IllegalArgumentException("a plan may take half of the lease of " + lease.toMillis()
                    + " ms at most, not " + planTimeMax.toMillis() + " ms");
        }
    }

    /** What an instance does when nothing else is said, for a cell of one server. */
    public static LiveSchedulerOptions of(URI address, String name, String type, String instance, long seed) {
        return of(CellAddresses.of(address), name, type, instance, seed);
    }

    /** What an instance does when nothing else is said. */
    public static LiveSchedulerOptions of(CellAddresses cell, String name, String type, String instance, long seed) {
        return new LiveSchedulerOptions(
                cell,
                name,
                type,
                instance,
                seed,
                LEASE,
                LoopOptions.TRANSACTIONS_IN_FLIGHT_MAX,
                LEASE.dividedBy(2),
                DecisionTime.NONE,
                List.of());
    }

    /** Another lease, and with it half of that for a plan. */
    public LiveSchedulerOptions withLease(Duration other) {
        return new LiveSchedulerOptions(
                cell,
                name,
                type,
                instance,
                seed,
                other,
                transactionsInFlightMax,
                other.dividedBy(2),
                decisionTime,
                within);
    }

    public LiveSchedulerOptions withTransactionsInFlightMax(int max) {
        return new LiveSchedulerOptions(
                cell, name, type, instance, seed, lease, max, planTimeMax, decisionTime, within);
    }

    public LiveSchedulerOptions withPlanTimeMax(Duration max) {
        return new LiveSchedulerOptions(
                cell, name, type, instance, seed, lease, transactionsInFlightMax, max, decisionTime, within);
    }

    public LiveSchedulerOptions withDecisionTime(DecisionTime other) {
        return new LiveSchedulerOptions(
                cell, name, type, instance, seed, lease, transactionsInFlightMax, planTimeMax, other, within);
    }

    /** Its plans see only the machines that meet these constraints. */
    public LiveSchedulerOptions within(List<Constraint> constraints) {
        return new LiveSchedulerOptions(
                cell,
                name,
                type,
                instance,
                seed,
                lease,
                transactionsInFlightMax,
                planTimeMax,
                decisionTime,
                constraints);
    }
}
