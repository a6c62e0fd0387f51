package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.OfferId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The holds by machine, oldest first on each. Amounts freed on a machine go to them in this order, at once. So a younger hold
 * has nothing that an older one on the machine lacks, and never has to give anything up, and no hold lacks what is free on its
 * machine. Owned by the applying thread.
 */
public final class HoldTable {
    /** The most holds of one machine, from feature level 11 on. */
    public static final int HOLDS_A_MACHINE_MAX = 100;

    /** The most holds of one job, from feature level 11 on. */
    public static final int HOLDS_A_JOB_MAX = 10_000;

    /** The most holds whose time is over that one command ends, from feature level 11 on. */
    static final int ENDED_AT_ONCE_MAX = 10_000;

    private static final int ROW = 1;

    /** By machine, oldest first on each. Holds that end together end in this order. */
    private static final Comparator<HoldRow> BY_MACHINE = Comparator.comparingInt(HoldRow::slot)
            .thenComparingLong(hold -> hold.origin().version())
            .thenComparingInt(HoldRow::ordinal);

    final TableDigest digest = new TableDigest();
    private final Map<Integer, List<HoldRow>> bySlot = new TreeMap<>();
    private final NavigableMap<OfferId, HoldRow> offers = new TreeMap<>();
    private final Map<Long, SortedSet<HoldRow>> byOwner = new HashMap<>();
    private final SortedSet<HoldRow> byDeadline = new TreeSet<>(
            Comparator.<HoldRow>comparingLong(hold -> hold.expiresAt().millis()).thenComparing(BY_MACHINE));
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    /** The holds on the machine, oldest first. */
    public List<HoldRow> on(int slot) {
        return size == 0 ? List.of() : bySlot.getOrDefault(slot, List.of());
    }

    /** A copy of all of them, by machine. */
    public List<HoldRow> all() {
        List<HoldRow> all = new ArrayList<>();
        bySlot.values().forEach(all::addAll);
        return all;
    }

    /** The hold whose time is over first, if it is over. */
    @Nullable
    public HoldRow firstExpired(long cellTimeMillis) {
        HoldRow first = size == 0 ? null : byDeadline.first();
        return first == null || first.expiresAt().millis() > cellTimeMillis ? null : first;
    }

    /** A copy of those whose time is over, by machine: at most {@code most}, those that expired first. */
    List<HoldRow> expired(long cellTimeMillis, int most) {
        if (firstExpired(cellTimeMillis) == null) {
            return List.of();
        }
        List<HoldRow> expired = new ArrayList<>();
        for (HoldRow hold : byDeadline) {
            if (hold.expiresAt().millis() > cellTimeMillis || expired.size() == most) {
                break;
            }
            expired.add(hold);
        }
        expired.sort(BY_MACHINE);
        return expired;
    }

    /** A copy of those of the job, by machine. */
    public List<HoldRow> of(JobRow job) {
        return ofOwner(job.id().version());
    }

    /** How many holds the job has. */
    public int count(JobRow job) {
        SortedSet<HoldRow> of = byOwner.get(job.id().version());
        return of == null ? 0 : of.size();
    }

    /** A copy of the offers to the session, by machine. */
    public List<HoldRow> ofSession(long session) {
        return ofOwner(session);
    }

    private List<HoldRow> ofOwner(long owner) {
        SortedSet<HoldRow> of = size == 0 ? null : byOwner.get(owner);
        return of == null ? List.of() : List.copyOf(of);
    }

    /** All offers, oldest first. */
    public Collection<HoldRow> offers() {
        return Collections.unmodifiableCollection(offers.values());
    }

    @Nullable
    public HoldRow find(OfferId offer) {
        return offers.get(offer);
    }

    void put(HoldRow hold) {
        bySlot.computeIfAbsent(hold.slot(), slot -> new ArrayList<>()).add(hold);
        byOwner.computeIfAbsent(hold.owner(), owner -> new TreeSet<>(BY_MACHINE))
                .add(hold);
        byDeadline.add(hold);
        if (hold.isOffer()) {
            offers.put(hold.offer(), hold);
        }
        size++;
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
        byOwner.computeIfPresent(hold.owner(), (owner, of) -> {
            of.remove(hold);
            return of.isEmpty() ? null : of;
        });
        byDeadline.remove(hold);
        if (hold.isOffer()) {
            offers.remove(hold.offer());
        }
        size--;
        digest.moved(key(hold), ROW, digestOf(hold), 0);
    }

    private static long key(HoldRow hold) {
        return Digests.mix(hold.origin().version(), hold.ordinal());
    }

    private static long digestOf(HoldRow hold) {
        long of = Digests.mix(hold.isOffer() ? -hold.owner() : hold.owner(), hold.slot());
        of = Digests.mix(Digests.mix(of, hold.wanted().digest()), hold.got().digest());
        of = Digests.mix(of, hold.expiresAt().millis());
        return hold.isOffer() ? Digests.mix(of, Digests.of(hold.scheduler())) : of;
    }
}
