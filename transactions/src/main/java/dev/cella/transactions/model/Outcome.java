package dev.cella.transactions.model;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a transaction: one result for each claim, eviction, hold, step and scale, in this order. A transaction
 * that was refused as a whole has no results but a {@code reason}. {@code syncVersion} is the version that the planner's
 * replica should show before it plans again.
 *
 * <p>An accepted claim takes four bytes, the slot that it got. Only refused items and the rare items after the claims are
 * objects. {@link #results} shows all of them as values. Immutable.
 */
public final class Outcome {
    private static final int REFUSED = -1;
    private static final ItemResult[] NO_RESULTS = new ItemResult[0];

    private final TransactionId id;
    private final CellVersion version;
    private final Verdict verdict;
    private final Optional<Reason> reason;
    private final CellVersion syncVersion;
    private final int[] slots;
    private final @Nullable ItemResult[] refusals;
    private final ItemResult[] others;
    private final int accepted;
    private final boolean conflicted;

    public Outcome(
            TransactionId id,
            CellVersion version,
            Verdict verdict,
            Optional<Reason> reason,
            CellVersion syncVersion,
            List<ItemResult> results) {
        this(id, version, verdict, reason, syncVersion, slots(results), refusals(results), others(results));
    }

    private Outcome(
            TransactionId id,
            CellVersion version,
            Verdict verdict,
            Optional<Reason> reason,
            CellVersion syncVersion,
            int[] slots,
            @Nullable ItemResult[] refusals,
            ItemResult[] others) {
        this.id = id;
        this.version = version;
        this.verdict = verdict;
        this.reason = reason;
        this.syncVersion = syncVersion;
        this.slots = slots;
        this.refusals = refusals;
        this.others = others;
        this.accepted = slots.length - count(slots, REFUSED);
        this.conflicted = anyConflict(refusals) || anyConflict(others);
    }

    /** A decided transaction. Copies the arrays. */
    public static Outcome decided(
            TransactionId id,
            CellVersion version,
            Verdict verdict,
            int[] slots,
            @Nullable ItemResult[] refusals,
            ItemResult[] others,
            int claims) {
        int[] kept = Arrays.copyOf(slots, claims);
        @Nullable ItemResult[] refused = count(kept, REFUSED) == 0 ? NO_RESULTS : Arrays.copyOf(refusals, claims);
        ItemResult[] after = others.length == 0 ? NO_RESULTS : others.clone();
        return new Outcome(id, version, verdict, Optional.empty(), version, kept, refused, after);
    }

    /** A transaction that was refused as a whole, before any item was decided. */
    public static Outcome refused(TransactionId id, CellVersion version, Reason reason) {
        return new Outcome(id, version, Verdict.REJECTED, Optional.of(reason), version, List.of());
    }

    // ---- from values

    private static int claims(List<ItemResult> results) {
        int claims = 0;
        while (claims < results.size() && isClaim(results.get(claims))) {
            claims++;
        }
        return claims;
    }

    /** Claims come first. An accepted claim has a machine. */
    private static boolean isClaim(ItemResult result) {
        return result.kind() == ItemKind.CLAIM
                && result.accepted() == result.machine().isPresent();
    }

    private static int[] slots(List<ItemResult> results) {
        int[] slots = new int[claims(results)];
        Arrays.setAll(slots, claim -> results.get(claim).machine().orElse(REFUSED));
        return slots;
    }

    private static @Nullable ItemResult[] refusals(List<ItemResult> results) {
        @Nullable ItemResult[] refusals = new ItemResult[claims(results)];
        Arrays.setAll(refusals, claim -> results.get(claim).accepted() ? null : results.get(claim));
        return refusals;
    }

    private static ItemResult[] others(List<ItemResult> results) {
        return results.subList(claims(results), results.size()).toArray(ItemResult[]::new);
    }

    private static int count(int[] values, int wanted) {
        int count = 0;
        for (int value : values) {
            count += value == wanted ? 1 : 0;
        }
        return count;
    }

    private static boolean anyConflict(@Nullable ItemResult[] results) {
        for (ItemResult result : results) {
            if (result != null && result.conflict()) {
                return true;
            }
        }
        return false;
    }

    // ---- reading

    public TransactionId id() {
        return id;
    }

    public CellVersion version() {
        return version;
    }

    public Verdict verdict() {
        return verdict;
    }

    public Optional<Reason> reason() {
        return reason;
    }

    public CellVersion syncVersion() {
        return syncVersion;
    }

    public int items() {
        return slots.length + others.length;
    }

    public boolean isAccepted(int item) {
        return item < slots.length ? slots[item] != REFUSED : others[item - slots.length].accepted();
    }

    /** Returns whether the item is a claim that was accepted. */
    public boolean isPlaced(int item) {
        return item < slots.length && slots[item] != REFUSED;
    }

    /** The slot that an accepted claim got. */
    public int slot(int claim) {
        return slots[claim];
    }

    /** The result of the item, as a value. */
    public ItemResult result(int item) {
        if (item >= slots.length) {
            return others[item - slots.length];
        }
        ItemResult refusal = slots[item] == REFUSED ? refusals[item] : null;
        return refusal == null ? ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slots[item])) : refusal;
    }

    public List<ItemResult> results() {
        return new AbstractList<>() {
            @Override
            public ItemResult get(int item) {
                return result(Objects.checkIndex(item, size()));
            }

            @Override
            public int size() {
                return items();
            }
        };
    }

    /** How many claims were accepted. */
    public int accepted() {
        return accepted;
    }

    /** Returns whether one of its items was refused because another transaction came first. */
    public boolean isConflicted() {
        return conflicted;
    }

    /** Returns whether it counts as successful: no item is a conflict, and at least one claim was accepted. */
    public boolean isSuccessful() {
        return !conflicted && accepted > 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome that
                && id.equals(that.id)
                && version.equals(that.version)
                && verdict == that.verdict
                && reason.equals(that.reason)
                && syncVersion.equals(that.syncVersion)
                && results().equals(that.results());
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, version);
    }

    @Override
    public String toString() {
        return "Outcome[id=" + id + ", version=" + version + ", verdict=" + verdict + ", reason=" + reason
                + ", syncVersion=" + syncVersion + ", results=" + new ArrayList<>(results()) + "]";
    }
}
