package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The holds by machine, oldest first on each. What is freed on a machine goes to them in this order, so a younger one has
 * nothing that an older one on the machine lacks; there is never anything to take from it. Owned by the applying thread.
 */
final class HoldTable {
    private static final int ROW = 1;

    final TableDigest digest = new TableDigest();
    private final Map<Integer, List<HoldRow>> bySlot = new TreeMap<>();
    private int size;
    private long firstExpiry = Long.MAX_VALUE;

    boolean isEmpty() {
        return size == 0;
    }

    /** The holds on the machine, oldest first. */
    List<HoldRow> on(int slot) {
        return size == 0 ? List.of() : bySlot.getOrDefault(slot, List.of());
    }

    /** A copy of all of them, by machine. */
    List<HoldRow> all() {
        List<HoldRow> all = new ArrayList<>();
        bySlot.values().forEach(all::addAll);
        return all;
    }

    /** A copy of those for which the time is over. */
    List<HoldRow> expired(long cellTimeMillis) {
        if (cellTimeMillis < firstExpiry) {
            return List.of();
        }
        List<HoldRow> expired = all();
        expired.removeIf(hold -> hold.expiresAt().millis() > cellTimeMillis);
        return expired;
    }

    List<HoldRow> of(JobRow job) {
        if (size == 0) {
            return List.of();
        }
        List<HoldRow> of = all();
        of.removeIf(hold -> !hold.job().id().equals(job.id()));
        return of;
    }

    void put(HoldRow hold) {
        bySlot.computeIfAbsent(hold.slot(), slot -> new ArrayList<>()).add(hold);
        size++;
        firstExpiry = Math.min(firstExpiry, hold.expiresAt().millis());
        digest.moved(key(hold), ROW, 0, digestOf(hold));
    }

    void grow(HoldRow hold, Amounts more) {
        long before = digestOf(hold);
        hold.grow(more);
        digest.moved(key(hold), ROW, before, digestOf(hold));
    }

    Amounts use(HoldRow hold, Amounts need) {
        long before = digestOf(hold);
        Amounts used = hold.use(need);
        digest.moved(key(hold), ROW, before, digestOf(hold));
        return used;
    }

    void remove(HoldRow hold) {
        List<HoldRow> on = bySlot.getOrDefault(hold.slot(), Collections.emptyList());
        on.removeIf(each -> each.origin().equals(hold.origin()) && each.ordinal() == hold.ordinal());
        if (on.isEmpty()) {
            bySlot.remove(hold.slot());
        }
        size--;
        digest.moved(key(hold), ROW, digestOf(hold), 0);
        firstExpiry = all().stream()
                .mapToLong(each -> each.expiresAt().millis())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static long key(HoldRow hold) {
        return Digests.mix(hold.origin().version(), hold.ordinal());
    }

    private static long digestOf(HoldRow hold) {
        long of = Digests.mix(hold.job().id().version(), hold.slot());
        of = Digests.mix(Digests.mix(of, hold.wanted().digest()), hold.got().digest());
        return Digests.mix(of, hold.expiresAt().millis());
    }
}
