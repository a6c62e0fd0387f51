package dev.cella.state.core;

import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of a replica since its start. They only grow, and readers compute rates from them. No decision uses them.
 *
 * <p>The thread that does the counted work counts it; any thread reads.
 */
public final class ReplicaStats {
    private final LongAdder entries = new LongAdder();
    private final LongAdder commands = new LongAdder();
    private final LongAdder logBytes = new LongAdder();
    private final LongAdder applyNanos = new LongAdder();
    private final LongAdder rounds = new LongAdder();
    private final LongAdder roundNanos = new LongAdder();
    private final LongAdder checkpoints = new LongAdder();
    private final LongAdder checkpointNanos = new LongAdder();
    private final LongAdder checkpointHotBytes = new LongAdder();
    private final LongAdder sealNanos = new LongAdder();
    private final LongAdder resyncs = new LongAdder();
    private final LongAdder itemsAccepted = new LongAdder();
    private final Map<Verdict, LongAdder> transactions = adders(Verdict.class);
    private final Map<Reason, LongAdder> conflicts = adders(Reason.class);
    private final Map<Reason, LongAdder> refusals = adders(Reason.class);
    private final Map<Lane, LongAdder> fullLanes = adders(Lane.class);

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> of) {
        Map<E, LongAdder> adders = new EnumMap<>(of);
        for (E one : of.getEnumConstants()) {
            adders.put(one, new LongAdder());
        }
        return adders;
    }

    private static <E extends Enum<E>> LongAdder of(Map<E, LongAdder> adders, E one) {
        return Objects.requireNonNull(adders.get(one));
    }

    // ---- counted in the core

    void applied(int bytes, long nanos, List<CommandResult> results) {
        entries.increment();
        commands.add(results.size());
        logBytes.add(bytes);
        applyNanos.add(nanos);
        for (CommandResult result : results) {
            if (result instanceof CommandResult.Decided decided) {
                decided(decided.outcome());
            }
        }
    }

    private void decided(Outcome outcome) {
        of(transactions, outcome.verdict()).increment();
        int accepted = 0;
        for (int item = 0; item < outcome.items(); item++) {
            if (outcome.isAccepted(item)) {
                accepted++;
            } else {
                refused(outcome.result(item));
            }
        }
        itemsAccepted.add(accepted);
    }

    private void refused(ItemResult item) {
        item.reason()
                .ifPresent(reason ->
                        of(item.conflict() ? conflicts : refusals, reason).increment());
    }

    void roundEnded(long nanos) {
        rounds.increment();
        roundNanos.add(nanos);
    }

    void laneWasFull(Lane lane) {
        of(fullLanes, lane).increment();
    }

    void sealed(long nanos) {
        sealNanos.add(nanos);
    }

    void checkpointWritten(long nanos, long hotBytes) {
        checkpoints.increment();
        checkpointHotBytes.add(hotBytes);
        checkpointNanos.add(nanos);
    }

    void resynced() {
        resyncs.increment();
    }

    // ---- read at the doors

    /** Log entries applied. */
    public long entries() {
        return entries.sum();
    }

    /** Commands in these entries. */
    public long commands() {
        return commands.sum();
    }

    /** Bytes of the log applied. */
    public long logBytes() {
        return logBytes.sum();
    }

    /** Time spent on applying entries. */
    public long applyNanos() {
        return applyNanos.sum();
    }

    /** Entries that this replica proposed and that were applied here. */
    public long rounds() {
        return rounds.sum();
    }

    /** Time from proposing them until they were applied here or failed. */
    public long roundNanos() {
        return roundNanos.sum();
    }

    public long checkpoints() {
        return checkpoints.sum();
    }

    /** Time spent on writing them, behind the apply. */
    public long checkpointNanos() {
        return checkpointNanos.sum();
    }

    /** Bytes of hot pages in them. */
    public long checkpointHotBytes() {
        return checkpointHotBytes.sum();
    }

    /** How long they held up the apply. */
    public long sealNanos() {
        return sealNanos.sum();
    }

    /** Readers of the feed that had to start again. */
    public long resyncs() {
        return resyncs.sum();
    }

    /** Items of transactions that were accepted: claims, evictions and holds. */
    public long itemsAccepted() {
        return itemsAccepted.sum();
    }

    public long transactions(Verdict verdict) {
        return of(transactions, verdict).sum();
    }

    /** Items refused because another transaction came first. */
    public long conflicts(Reason reason) {
        return of(conflicts, reason).sum();
    }

    /** Items refused for other reasons. */
    public long refusals(Reason reason) {
        return of(refusals, reason).sum();
    }

    /** Commands that were told to come back later. */
    public long fullLanes(Lane lane) {
        return of(fullLanes, lane).sum();
    }
}
