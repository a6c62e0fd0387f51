package dev.cella.state.ratis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Replaces the leader's connection to a follower that has been silent for long.
 *
 * <p>While a follower is cut off, TCP sends a lost packet again after pauses that double, up to two minutes. A connection that
 * outlives the cut is used again only after the last of these pauses, which is about as long as the whole cut was. Ratis keeps
 * such a connection for entries. Its heartbeats have another one, so the follower hears its leader again at once, and still
 * gets no entry. A new connection has no such pause.
 *
 * <p>One replacement in a silence is enough: the new connection can be made only when the follower is reached again.
 *
 * <p>Any thread may call it.
 */
final class LostConnections {
    private final Duration silentMax;
    private final Consumer<RaftPeerId> replace;
    private final Set<RaftPeerId> replaced = ConcurrentHashMap.newKeySet();

    /**
     * @param silentMax more than a busy follower is ever silent
     * @param replace gives up the connection to that follower, which may take seconds; called on a thread of its own
     */
    LostConnections(Duration silentMax, Consumer<RaftPeerId> replace) {
        this.silentMax = silentMax;
        this.replace = replace;
    }

    /** The leader looks at this follower, which it has not heard for that long. It does so all the time. */
    void look(RaftPeerId follower, Duration silent) {
        if (silent.compareTo(silentMax) <= 0) {
            replaced.remove(follower);
        } else if (replaced.add(follower)) {
            Thread replacing = new Thread(() -> replace.accept(follower), "replace-connection-" + follower);
            replacing.setDaemon(true);
            replacing.start();
        }
    }
}
