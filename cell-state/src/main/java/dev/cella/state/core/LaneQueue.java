package dev.cella.state.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one lane that wait, bounded in bytes. Their owners, the sessions of schedulers, take turns by bytes: one
 * that asks for ten thousand claims does not keep another waiting who asks for one. What one owner asks stays in its order,
 * and so does all that nobody in particular asks.
 *
 * <p>Guarded by whoever owns it.
 */
final class LaneQueue<C extends LaneQueue.Sized> {
    /** So much goes into an entry for one owner before the next has its turn. */
    static final int TURN_BYTES = 16 << 10;

    /** Something that waits. */
    interface Sized {
        int bytes();
    }

    /** Whose turn it is comes first; who has had a turn goes to the end. */
    private final Map<Long, Deque<C>> owners = new LinkedHashMap<>();

    private long turnBytes;
    private long bytes;
    private int size;

    void add(long owner, C command) {
        owners.computeIfAbsent(owner, first -> new ArrayDeque<>()).add(command);
        bytes += command.bytes();
        size++;
    }

    /** The next one, if it has no more bytes than that. */
    @Nullable
    C pollUpTo(int bytesMax) {
        Iterator<Map.Entry<Long, Deque<C>>> turns = owners.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<Long, Deque<C>> turn = turns.next();
        Deque<C> waiting = turn.getValue();
        if (waiting.getFirst().bytes() > bytesMax) {
            return null;
        }
        C next = waiting.removeFirst();
        bytes -= next.bytes();
        size--;
        turnBytes += next.bytes();
        if (waiting.isEmpty() || turnBytes >= TURN_BYTES) {
            turnBytes = 0;
            turns.remove();
            if (!waiting.isEmpty()) {
                owners.put(turn.getKey(), waiting);
            }
        }
        return next;
    }

    List<C> takeAll() {
        List<C> all = new ArrayList<>(size);
        owners.values().forEach(all::addAll);
        owners.clear();
        turnBytes = 0;
        bytes = 0;
        size = 0;
        return all;
    }

    long bytes() {
        return bytes;
    }

    int size() {
        return size;
    }
}
