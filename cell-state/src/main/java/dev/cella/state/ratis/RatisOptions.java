package dev.cella.state.ratis;

import java.time.Duration;
import java.util.Optional;

/**
 * The options of the log on Ratis; {@link RatisSettings} fixes the rest.
 *
 * @param electionTimeoutMin a follower that hears nothing for this long, up to twice as long, stands for election
 * @param repliesKept how long Ratis recognises a repeated entry. Nothing here relies on it: nobody retries an entry, and the
 *     cell recognises a transaction that is sent again
 * @param segmentBytes the log is written in files of this size, and purged by whole files
 * @param entriesKept the number of entries before the older checkpoint that stay in the log
 */
public record RatisOptions(
        LogRpc rpc,
        Duration electionTimeoutMin,
        long segmentBytes,
        long entriesKept,
        Duration repliesKept,
        Optional<LogTls> tls) {
    public RatisOptions {
        if (electionTimeoutMin.toMillis() < 50) {
            throw new IllegalArgumentException(
                    "an election time-out is at least 50 ms, not " + electionTimeoutMin.toMillis());
        }
        if (segmentBytes <= 0) {
            throw new IllegalArgumentException("a segment has a byte at least");
        }
        if (entriesKept < 0) {
            throw new IllegalArgumentException("no fewer than 0 entries are kept, not " + entriesKept);
        }
        if (tls.isPresent() && rpc == LogRpc.NETTY) {
            throw new IllegalArgumentException(
                    "replicas that talk by netty have no TLS: leave --rpc out, or take grpc");
        }
    }

    public static RatisOptions defaults() {
        return new RatisOptions(
                LogRpc.GRPC, Duration.ofMillis(1500), 16L << 20, 0, Duration.ofSeconds(15), Optional.empty());
    }

    public RatisOptions withRpc(LogRpc other) {
        return new RatisOptions(other, electionTimeoutMin, segmentBytes, entriesKept, repliesKept, tls);
    }

    public RatisOptions withElectionTimeoutMin(Duration other) {
        return new RatisOptions(rpc, other, segmentBytes, entriesKept, repliesKept, tls);
    }

    public RatisOptions withSegmentBytes(long other) {
        return new RatisOptions(rpc, electionTimeoutMin, other, entriesKept, repliesKept, tls);
    }

    public RatisOptions withEntriesKept(long other) {
        return new RatisOptions(rpc, electionTimeoutMin, segmentBytes, other, repliesKept, tls);
    }

    public RatisOptions withRepliesKept(Duration other) {
        return new RatisOptions(rpc, electionTimeoutMin, segmentBytes, entriesKept, other, tls);
    }

    public RatisOptions withTls(LogTls other) {
        return new RatisOptions(rpc, electionTimeoutMin, segmentBytes, entriesKept, repliesKept, Optional.of(other));
    }
}
