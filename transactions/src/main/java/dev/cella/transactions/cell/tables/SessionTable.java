package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The open sessions by their numbers. A (scheduler, instance) pair has at most one. Owned by the applying thread. */
public final class SessionTable {
    private static final int ROW = 1;
    private static final int REFUSAL = 2;

    final TableDigest digest = new TableDigest();
    private final Map<Long, SessionRow> sessions = new TreeMap<>();
    private final Map<String, Long> idsByInstance = new TreeMap<>();
    private final Map<String, Integer> takingOffers = new HashMap<>();
    private final Map<Long, SortedMap<Integer, Long>> refusals = new TreeMap<>();

    @Nullable
    public SessionRow find(long id) {
        return sessions.get(id);
    }

    public Optional<SessionRow> find(String scheduler, String instance) {
        return Optional.ofNullable(idsByInstance.get(key(scheduler, instance))).map(sessions::get);
    }

    public Collection<SessionRow> all() {
        return Collections.unmodifiableCollection(sessions.values());
    }

    /** Ends the older session of the pair: its transactions are fenced from now on. */
    void open(String scheduler, String instance, String type, long leaseMillis, long version) {
        find(scheduler, instance).ifPresent(older -> close(older.id().version()));
        put(new SessionRow(new SessionId(version), scheduler, instance, type, leaseMillis, version));
    }

    void renew(long id, String type, long leaseMillis, long version) {
        SessionRow before = sessions.get(id);
        if (before == null) {
            throw new IllegalStateException("session " + id + " is not open");
        }
        replace(before, before.renewed(type, leaseMillis, version));
    }

    /** Sets that the session takes part in offers. */
    void offers(long id, Participation participation, boolean suppressed, long version) {
        SessionRow before = sessions.get(id);
        if (before == null) {
            throw new IllegalStateException("session " + id + " is not open");
        }
        replace(before, before.withOffers(participation, suppressed, version));
    }

    private void replace(SessionRow before, SessionRow after) {
        digest.moved(before.id().version(), ROW, digestOf(before), digestOf(after));
        sessions.put(after.id().version(), after);
        countOffers(before, -1);
        countOffers(after, 1);
    }

    private void countOffers(SessionRow row, int more) {
        if (row.offers().isPresent()) {
            takingOffers.merge(row.scheduler(), more, (has, plus) -> has + plus == 0 ? null : has + plus);
        }
    }

    /** Returns whether a session of the scheduler takes part in offers. */
    public boolean takesOffers(String scheduler) {
        return !takingOffers.isEmpty() && takingOffers.containsKey(scheduler);
    }

    // ---- machines that sessions do not want to be offered

    public void refuse(long id, int slot, long untilMillis) {
        SortedMap<Integer, Long> of = refusals.computeIfAbsent(id, session -> new TreeMap<>());
        Long before = of.put(slot, untilMillis);
        digest.moved(Digests.mix(id, slot), REFUSAL, before == null ? 0 : before, untilMillis);
    }

    void revive(long id) {
        SortedMap<Integer, Long> of = refusals.remove(id);
        if (of != null) {
            of.forEach((slot, until) -> digest.moved(Digests.mix(id, slot), REFUSAL, until, 0));
        }
    }

    /** The machines of which the session wants no offers, and until when. */
    public SortedMap<Integer, Long> refusals(long id) {
        return Collections.unmodifiableSortedMap(refusals.getOrDefault(id, Collections.emptySortedMap()));
    }

    void close(long id) {
        SessionRow closed = sessions.remove(id);
        if (closed != null) {
            idsByInstance.remove(key(closed.scheduler(), closed.instance()));
            digest.moved(id, ROW, digestOf(closed), 0);
            countOffers(closed, -1);
            revive(id);
        }
    }

    /** Adds a session from a snapshot. */
    public void load(SessionRow row) {
        put(row);
    }

    private void put(SessionRow row) {
        long id = row.id().version();
        sessions.put(id, row);
        idsByInstance.put(key(row.scheduler(), row.instance()), id);
        digest.moved(id, ROW, 0, digestOf(row));
        countOffers(row, 1);
    }

    private static long digestOf(SessionRow row) {
        long of = Digests.mix(Digests.of(row.scheduler()), Digests.of(row.instance()));
        of = Digests.mix(of, Digests.of(row.type()));
        of = Digests.mix(Digests.mix(of, row.leaseMillis()), row.changedVersion());
        return row.offers().isEmpty()
                ? of
                : Digests.mix(Digests.mix(of, row.offers().get().digest()), row.suppressed() ? 1 : 2);
    }

    /** Names have no slash. */
    private static String key(String scheduler, String instance) {
        return scheduler + "/" + instance;
    }
}
