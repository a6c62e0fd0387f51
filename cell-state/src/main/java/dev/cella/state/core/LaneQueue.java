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
 * The waiting commands of one lane, bounded in bytes. Their owners, the sessions of schedulers and the callers, take turns by
 * bytes, so an owner with ten thousand claims does not delay another with one. The commands of one owner keep their order.
 *
 * <p>Its owner guards it.
 */
final class LaneQueue<C extends LaneQueue.Sized> {
    /** How many bytes of one owner go into an entry before the next owner's turn. */
    static final int TURN_BYTES = 16 << 10;

    /** An element with a size. */
    interface Sized {
        int bytes();
    }

    /** The owner whose turn it is comes first. After a turn, an owner goes to the end. */
    private final Map<Long, Owned<C>> owners = new LinkedHashMap<>();

    /** The waiting commands of one owner. */
    private static final class Owned<C extends Sized> {
        private final Deque<C> commands = new ArrayDeque<>();
        private long bytes;

        void add(C command) {
            commands.add(command);
            bytes += command.bytes();
        }

        C poll() {
            C next = commands.removeFirst();
            bytes -= next.bytes();
            return next;
        }
    }

    private long turnBytes;
    private long bytes;
    private int size;

    void add(long owner, C command) {
        owners.computeIfAbsent(owner, first -> new Owned<>()).add(command);
        bytes += command.bytes();
        size++;
    }

    /** The next command, if it has at most that many bytes. */
    @Nullable
    C pollUpTo(int bytesMax) {
        Iterator<Map.Entry<Long, Owned<C>>> turns = owners.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<Long, Owned<C>> turn = turns.next();
        Owned<C> waiting = turn.getValue();
        if (waiting.commands.getFirst().bytes() > bytesMax) {
            return null;
        }
        C next = waiting.poll();
        bytes -= next.bytes();
        size--;
        turnBytes += next.bytes();
        if (waiting.commands.isEmpty() || turnBytes >= TURN_BYTES) {
            turnBytes = 0;
            turns.remove();
            if (!waiting.commands.isEmpty()) {
                owners.put(turn.getKey(), waiting);
            }
        }
        return next;
    }

    List<C> takeAll() {
        List<C> all = new ArrayList<>(size);
        owners.values().forEach(owned -> all.addAll(owned.commands));
        owners.clear();
        turnBytes = 0;
        bytes = 0;
        size = 0;
        return all;
    }

    /** The bytes of the commands of that owner that wait. */
    long bytesOf(long owner) {
        Owned<C> owned = owners.get(owner);
        return owned == null ? 0 : owned.bytes;
    }

    long bytes() {
        return bytes;
    }

    int size() {
        return size;
    }
}
