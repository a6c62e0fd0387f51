package dev.cella.state.web;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which connections a server keeps open, so that one peer cannot lock out the others.
 *
 * <h2>Three kinds</h2> A connection is <em>unproven</em> until its first whole request head has arrived. There is room for few
 * of these. When it is full, the oldest connection of the peer that has most is closed, so a client that sends a request at
 * once is served whatever others hold open. From its first request on, a connection is <em>ordinary</em> or belongs to a
 * <em>part</em> of the cell (a replica, a scheduler, an agent). Ordinary connections have a total limit and a limit per peer.
 * Parts have reserved room that ordinary connections never get.
 *
 * <p>Safe to share between threads; its own monitor guards it.
 */
final class ConnectionRoom {
    /** Closes a connection; called outside of the monitor. */
    interface Connection {
        /** The address it comes from, without a port. */
        String peer();

        void close();
    }

    /**
     * The most connections of each kind.
     *
     * @param unproven connections without a request so far
     * @param ordinary connections of clients
     * @param ordinaryPerPeer connections of clients at one address
     * @param all all connections, with those of the cell's own parts
     */
    record Sizes(int unproven, int ordinary, int ordinaryPerPeer, int all) {
        /**
         * Divides that many connections: an eighth is reserved for the cell's parts, and one peer gets at most half of the
         * ordinary ones.
         */
        static Sizes of(int all) {
            int ordinary = all - all / 8;
            return new Sizes(Math.min(512, all / 4), ordinary, ordinary / 2, all);
        }
    }

    private enum Kind {
        UNPROVEN,
        ORDINARY,
        PART
    }

    private final Sizes sizes;
    private final Map<Object, Held> held = new HashMap<>();
    private final Map<String, ArrayDeque<Object>> unproven = new LinkedHashMap<>();
    private final Map<String, Integer> ordinary = new HashMap<>();
    private int unprovenCount;
    private int ordinaryCount;

    /** One connection and its kind. */
    private static final class Held {
        private final Connection connection;
        private Kind kind = Kind.UNPROVEN;

        Held(Connection connection) {
            this.connection = connection;
        }
    }

    ConnectionRoom(Sizes sizes) {
        this.sizes = sizes;
    }

    /** A connection was opened. This may close an older unproven one. */
    void opened(Object key, Connection connection) {
        Connection evicted = add(key, connection);
        if (evicted != null) {
            evicted.close();
        }
    }

    private synchronized @Nullable Connection add(Object key, Connection connection) {
        held.put(key, new Held(connection));
        unproven.computeIfAbsent(connection.peer(), peer -> new ArrayDeque<>()).add(key);
        unprovenCount++;
        if (unprovenCount <= sizes.unproven() && held.size() <= sizes.all()) {
            return null;
        }
        Object oldest = oldestOfTheLargestPeer();
        Held evicted = held.get(oldest);
        remove(oldest);
        return evicted == null ? null : evicted.connection;
    }

    private Object oldestOfTheLargestPeer() {
        ArrayDeque<Object> largest = new ArrayDeque<>();
        for (ArrayDeque<Object> ofOnePeer : unproven.values()) {
            if (ofOnePeer.size() > largest.size()) {
                largest = ofOnePeer;
            }
        }
        return largest.getFirst();
    }

    /**
     * A request has come on a connection.
     *
     * @param fromPart whether one of the cell's own parts sent it
     * @return whether there is room for the connection; if not, the caller must close it
     */
    synchronized boolean asked(Object key, boolean fromPart) {
        Held connection = held.get(key);
        if (connection == null || connection.kind == Kind.PART) {
            return true;
        }
        if (fromPart) {
            leaveKind(key, connection);
            connection.kind = Kind.PART;
            return true;
        }
        return connection.kind == Kind.ORDINARY || becomeOrdinary(key, connection);
    }

    private boolean becomeOrdinary(Object key, Held connection) {
        String peer = connection.connection.peer();
        int ofPeer = ordinary.getOrDefault(peer, 0);
        if (ordinaryCount >= sizes.ordinary() || ofPeer >= sizes.ordinaryPerPeer()) {
            return false;
        }
        leaveKind(key, connection);
        connection.kind = Kind.ORDINARY;
        ordinary.put(peer, ofPeer + 1);
        ordinaryCount++;
        return true;
    }

    /** Returns whether the connection is open and no request has come on it yet. */
    synchronized boolean isUnproven(Object key) {
        Held connection = held.get(key);
        return connection != null && connection.kind == Kind.UNPROVEN;
    }

    synchronized void closed(Object key) {
        remove(key);
    }

    private void remove(Object key) {
        Held connection = held.get(key);
        if (connection != null) {
            leaveKind(key, connection);
            held.remove(key);
        }
    }

    private void leaveKind(Object key, Held connection) {
        String peer = connection.connection.peer();
        switch (connection.kind) {
            case UNPROVEN -> {
                unprovenCount--;
                unproven.computeIfPresent(peer, (same, keys) -> without(keys, key));
            }
            case ORDINARY -> {
                ordinaryCount--;
                ordinary.computeIfPresent(peer, (same, count) -> count == 1 ? null : count - 1);
            }
            case PART -> {}
        }
    }

    /** Nearly always, the connection that leaves is among the oldest. */
    private static @Nullable ArrayDeque<Object> without(ArrayDeque<Object> keys, Object key) {
        for (Iterator<Object> each = keys.iterator(); each.hasNext(); ) {
            if (each.next().equals(key)) {
                each.remove();
                break;
            }
        }
        return keys.isEmpty() ? null : keys;
    }

    synchronized int open() {
        return held.size();
    }
}
