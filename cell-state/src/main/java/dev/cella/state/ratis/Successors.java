package dev.cella.state.ratis;

import dev.cella.state.core.LogPeer;
import dev.cella.state.core.PeerStanding;
import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Ranks the followers that could take over from a leader that leaves.
 *
 * <p>A server that has just started runs cold code, and all clients wait for it if it begins to lead. In a rolling restart one
 * of the followers has always just started. The leader hears a follower all the time, and a break tells that it was away. So
 * the one that was heard for the longest time without a break comes first.
 *
 * <p>A follower that lacks many entries comes after the others: the leader would wait for it.
 *
 * <p>Any thread may call it.
 */
final class Successors {
    /** Some more than are on their way in a busy cell. */
    static final long ENTRIES_BEHIND_MAX = 100;

    /** @param sinceNanos the first reply after the last break */
    private record Heard(long sinceNanos, long lastNanos) {}

    private final Time time;
    private final long breakNanos;
    private final Map<String, Heard> heard = new ConcurrentHashMap<>();

    /** @param electionTimeout a follower that runs replies about three times in it; a server that starts takes longer */
    Successors(Duration electionTimeout, Time time) {
        this.time = time;
        this.breakNanos = electionTimeout.toNanos();
    }

    /** That follower has replied to the leader. */
    void replied(String id) {
        long now = time.monotonicNanos();
        heard.compute(
                id,
                (follower, before) -> new Heard(
                        before == null || now - before.lastNanos() > breakNanos ? now : before.sinceNanos(), now));
    }

    /** Those of the followers that answer, the best one first. */
    Stream<LogPeer> rank(List<PeerStanding> standings) {
        long now = time.monotonicNanos();
        return standings.stream()
                .filter(standing -> !standing.isLeader() && standing.isHeard())
                .sorted(Comparator.comparingLong(Successors::entriesMissing)
                        .thenComparing(Comparator.comparingLong((PeerStanding standing) -> heardNanos(standing, now))
                                .reversed())
                        .thenComparingLong(PeerStanding::entriesBehind))
                .map(PeerStanding::peer);
    }

    private static long entriesMissing(PeerStanding standing) {
        return standing.entriesBehind() > ENTRIES_BEHIND_MAX ? standing.entriesBehind() : 0;
    }

    private long heardNanos(PeerStanding standing, long now) {
        Heard since = heard.get(standing.peer().id());
        return since == null ? 0 : now - since.sinceNanos();
    }
}
