package dev.cella.scheduling.live;

import dev.cella.client.CellAddresses;
import dev.cella.client.live.OffersOptions;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.placement.Constraint;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options of one instance of a scheduler in a cell, or in several.
 *
 * @param cells the addresses of the servers of each cell; a plan sees the cells in this order
 * @param name the scheduler's name in jobs
 * @param type the type of scheduler, for people
 * @param instance the name of this process among those that share the scheduler's name; a new one with the same name takes
 *     over from the older
 * @param seed the seed of all random choices
 * @param lease how long the cell waits for a silent instance
 * @param transactionsInFlightMax how many transactions may be in flight; 1 syncs before every attempt
 * @param planTimeMax how long to wait for a plan before giving it up; meanwhile the session is not renewed, so it is at most
 *     half a lease. A scheduler of {@linkplain dev.cella.scheduling.LongPlans long plans} sets its own time
 * @param decisionTime thinking time added to the planner's own
 * @param within the machines that its plans see: a static partition; all if empty
 * @param offers how it takes part in offers, if it does
 */
public record LiveSchedulerOptions(
        List<CellAddresses> cells,
        String name,
        String type,
        String instance,
        long seed,
        Duration lease,
        int transactionsInFlightMax,
        Duration planTimeMax,
        DecisionTime decisionTime,
        List<Constraint> within,
        Optional<OffersOptions> offers) {
    public static final Duration LEASE = Duration.ofSeconds(10);

    public LiveSchedulerOptions {
        cells = List.copyOf(cells);
        within = List.copyOf(within);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("a scheduler works on a cell or several");
        }
        if (planTimeMax.isZero() || planTimeMax.isNegative() || planTimeMax.compareTo(lease.dividedBy(2)) > 0) {
            throw new IllegalArgumentException("a plan may take half of the lease of " + lease.toMillis()
                    + " ms at most, not " + planTimeMax.toMillis() + " ms");
        }
    }

    /** The defaults, for a cell of one server. */
    public static LiveSchedulerOptions of(URI address, String name, String type, String instance, long seed) {
        return of(CellAddresses.of(address), name, type, instance, seed);
    }

    /** The defaults. */
    public static LiveSchedulerOptions of(CellAddresses cell, String name, String type, String instance, long seed) {
        return new LiveSchedulerOptions(
                List.of(cell),
                name,
                type,
                instance,
                seed,
                LEASE,
                LoopOptions.TRANSACTIONS_IN_FLIGHT_MAX,
                LEASE.dividedBy(2),
                DecisionTime.NONE,
                List.of(),
                Optional.empty());
    }

    /** It works on those cells too, behind the ones that it has. */
    public LiveSchedulerOptions withMoreCells(List<CellAddresses> more) {
        List<CellAddresses> all = new ArrayList<>(cells);
        all.addAll(more);
        return new LiveSchedulerOptions(
                all,
                name,
                type,
                instance,
                seed,
                lease,
                transactionsInFlightMax,
                planTimeMax,
                decisionTime,
                within,
                offers);
    }

    /** Sets the lease, and half of it as the time for a plan. */
    public LiveSchedulerOptions withLease(Duration other) {
        return new LiveSchedulerOptions(
                cells,
                name,
                type,
                instance,
                seed,
                other,
                transactionsInFlightMax,
                other.dividedBy(2),
                decisionTime,
                within,
                offers);
    }

    public LiveSchedulerOptions withTransactionsInFlightMax(int max) {
        return new LiveSchedulerOptions(
                cells, name, type, instance, seed, lease, max, planTimeMax, decisionTime, within, offers);
    }

    public LiveSchedulerOptions withPlanTimeMax(Duration max) {
        return new LiveSchedulerOptions(
                cells, name, type, instance, seed, lease, transactionsInFlightMax, max, decisionTime, within, offers);
    }

    public LiveSchedulerOptions withDecisionTime(DecisionTime other) {
        return new LiveSchedulerOptions(
                cells, name, type, instance, seed, lease, transactionsInFlightMax, planTimeMax, other, within, offers);
    }

    /** It takes part in offers, and claims only what it is offered. */
    public LiveSchedulerOptions withOffers(OffersOptions taking) {
        return new LiveSchedulerOptions(
                cells,
                name,
                type,
                instance,
                seed,
                lease,
                transactionsInFlightMax,
                planTimeMax,
                decisionTime,
                within,
                Optional.of(taking));
    }

    /** Restricts its plans to the machines that meet these constraints. */
    public LiveSchedulerOptions within(List<Constraint> constraints) {
        return new LiveSchedulerOptions(
                cells,
                name,
                type,
                instance,
                seed,
                lease,
                transactionsInFlightMax,
                planTimeMax,
                decisionTime,
                constraints,
                offers);
    }
}
