package dev.cella.transactions.cell;

import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.SessionId;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The open sessions by their numbers. One of a (scheduler, instance) pair at a time. Owned by the applying thread. */
final class SessionTable {
    private static final int ROW = 1;

    final TableDigest digest = new TableDigest();
    private final Map<Long, SessionRow> sessions = new TreeMap<>();
    private final Map<String, Long> idsByInstance = new TreeMap<>();

    @Nullable
    SessionRow find(long id) {
        return sessions.get(id);
    }

    Optional<SessionRow> find(String scheduler, String instance) {
        return Optional.ofNullable(idsByInstance.get(key(scheduler, instance))).map(sessions::get);
    }

    Collection<SessionRow> all() {
        return Collections.unmodifiableCollection(sessions.values());
    }

    /** The older one of the pair is gone: its transactions are fenced from here on. */
    void open(String scheduler, String instance, String type, long leaseMillis, long version) {
        find(scheduler, instance).ifPresent(older -> close(older.id().version()));
        put(new SessionRow(new SessionId(version), scheduler, instance, type, leaseMillis, version));
    }

    void renew(long id, String type, long leaseMillis, long version) {
        SessionRow before = sessions.get(id);
        if (before == null) {
            throw new IllegalStateException("session " + id + " is not open");
        }
        close(id);
        put(new SessionRow(before.id(), before.scheduler(), before.instance(), type, leaseMillis, version));
    }

    void close(long id) {
        SessionRow closed = sessions.remove(id);
        if (closed != null) {
            idsByInstance.remove(key(closed.scheduler(), closed.instance()));
            digest.moved(id, ROW, digestOf(closed), 0);
        }
    }

    /** What a snapshot says. */
    void load(SessionRow row) {
        put(row);
    }

    private void put(SessionRow row) {
        long id = row.id().version();
        sessions.put(id, row);
        idsByInstance.put(key(row.scheduler(), row.instance()), id);
        digest.moved(id, ROW, 0, digestOf(row));
    }

    private static long digestOf(SessionRow row) {
        long of = Digests.mix(Digests.of(row.scheduler()), Digests.of(row.instance()));
        of = Digests.mix(of, Digests.of(row.type()));
        return Digests.mix(Digests.mix(of, row.leaseMillis()), row.changedVersion());
    }

    /** Names have no slash. */
    private static String key(String scheduler, String instance) {
        return scheduler + "/" + instance;
    }
}
