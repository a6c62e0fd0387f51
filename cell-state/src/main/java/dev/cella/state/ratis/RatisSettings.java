package dev.cella.state.ratis;

import dev.cella.state.core.ReplicaLimits;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Ratis' settings: each that differs from its default, with the reason. Two are never turned on: {@code unsafe-flush}, which
 * acknowledges before the fsync, and {@code async-flush}, which acknowledges data written after the fsync began.
 */
final class RatisSettings {
    /** The largest entry, and the largest append of several. */
    static final int ENTRY_BYTES_MAX = 4 << 20;

    /** All commands wait while a new leader and its followers begin a file of the log and sync these bytes. */
    private static final long PREALLOCATED_BYTES = 256 << 10;

    /** A lone replica need not wait for an election of others. */
    private static final Duration FIRST_ELECTION_ALONE = Duration.ofMillis(20);

    /**
     * A leader retries an absent follower after this time, each time with a new connection and an exception or two. Over Netty
     * the default is forty times per second for as long as the follower is absent. Over gRPC it is every 5 s after the first
     * 30 tries. The first try after the follower came back only starts the connection, so the follower waited for its leader
     * for two of these times and more.
     */
    static final Duration TRY_AGAIN = Duration.ofMillis(250);

    /**
     * Ratis closes a member whose process stood still for a minute, as one does after Ctrl-Z and fg. Such a member is like one
     * that was cut off: the next heartbeat or vote tells it what happened meanwhile. So no pause is long enough.
     */
    private static final Duration CLOSES_AFTER_PAUSE = Duration.ofDays(100 * 365);

    /** As many as an int counts: after the last one, Ratis would retry without any wait. */
    private static final int TRIES = Integer.MAX_VALUE;

    /**
     * All settings of a member.
     *
     * @param address the address it listens on for the others, {@code host:port}; port 0 if nobody needs to know it
     * @param alone whether it is the only one
     */
    static RaftProperties of(RatisOptions options, String address, boolean alone, File storage) {
        RaftProperties settings = new RaftProperties();
        setStorage(settings, storage);
        setTimeouts(settings, options.electionTimeoutMin());
        setReplies(settings, options.repliesKept());
        setFirstElection(
                settings,
                alone ? FIRST_ELECTION_ALONE : options.electionTimeoutMin().dividedBy(3));
        setLog(settings, options.segmentBytes());
        setSnapshots(settings);
        setRpc(settings, options.rpc(), PeerAddress.of(address));
        return settings;
    }

    /** The default is a folder under the temporary directory, which is lost at a reboot. */
    private static void setStorage(RaftProperties settings, File storage) {
        RaftServerConfigKeys.setStorageDir(settings, List.of(storage));
    }

    /** With Ratis' own 150 ms, the leader is lost whenever a loaded machine pauses the process for a moment. */
    private static void setTimeouts(RaftProperties settings, Duration electionTimeoutMin) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(settings, time(electionTimeoutMin));
        RaftServerConfigKeys.Rpc.setTimeoutMax(settings, time(electionTimeoutMin.multipliedBy(2)));
        RaftServerConfigKeys.Rpc.setSleepTime(settings, time(TRY_AGAIN));
        RaftServerConfigKeys.setCloseThreshold(settings, time(CLOSES_AFTER_PAUSE));
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(settings, TRY_AGAIN.toMillis() + "ms," + TRIES);
    }

    /** A reply is kept for each entry until it expires; ours are empty. */
    private static void setReplies(RaftProperties settings, Duration kept) {
        RaftServerConfigKeys.RetryCache.setExpiryTime(settings, time(kept));
    }

    /**
     * Soon after the start. A replica that finds a leader is not elected against it, because it asks for votes first.
     */
    private static void setFirstElection(RaftProperties settings, Duration timeoutMin) {
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(settings, time(timeoutMin));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(settings, time(timeoutMin.multipliedBy(2)));
    }

    private static void setLog(RaftProperties settings, long segmentBytes) {
        // An entry of metadata for each commit doubles the entries and the fsyncs. Without it, a starting replica
        // learns from its leader what is committed.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(settings, false);
        // A write into blocks that were written before makes the fsync two to three times faster.
        RaftServerConfigKeys.Log.setPreallocatedSize(
                settings, SizeInBytes.valueOf(Math.min(PREALLOCATED_BYTES, segmentBytes)));
        // The log is purged by whole closed segments.
        RaftServerConfigKeys.Log.setSegmentSizeMax(settings, SizeInBytes.valueOf(segmentBytes));
        // Cached segments use heap.
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(
                settings, SizeInBytes.valueOf(ReplicaLimits.withinHeap(64L << 20, 16)));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(settings, 4);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(settings, SizeInBytes.valueOf(ENTRY_BYTES_MAX));
        // Entries are batches already: without a wait, each would be sent alone.
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(settings, time(Duration.ofMillis(2)));
    }

    /** The checkpoints are ours. Ratis only asks how far it may purge the log. */
    private static void setSnapshots(RaftProperties settings) {
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(settings, true);
        // The question costs nothing, see LogStateMachine#takeSnapshot. Entries are large, so counting them says
        // little.
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(settings, 1);
        RaftServerConfigKeys.Snapshot.setCreationGap(settings, 1);
        // Otherwise closing waits for a snapshot.
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(settings, false);
        RaftServerConfigKeys.Log.setPurgeGap(settings, 1);
        // Otherwise one dead follower keeps the whole log on all members forever.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(settings, true);
    }

    /** A lone replica listens on loopback only, on any free port: nobody needs to find it. */
    private static void setRpc(RaftProperties settings, LogRpc rpc, PeerAddress address) {
        switch (rpc) {
            case GRPC -> {
                RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
                GrpcConfigKeys.Server.setHost(settings, address.host());
                GrpcConfigKeys.Server.setPort(settings, address.port());
                // Few at a time, so that data that arrives during a round trip goes with the next one.
                GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(settings, 2);
            }
            case NETTY -> {
                RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.NETTY);
                NettyConfigKeys.Server.setHost(settings, address.host());
                NettyConfigKeys.Server.setPort(settings, address.port());
            }
        }
    }

    /** The settings that are no text: the certificates. */
    static Parameters parameters(RatisOptions options) {
        Parameters parameters = new Parameters();
        options.tls()
                .ifPresent(tls ->
                        GrpcConfigKeys.TLS.setConf(parameters, new GrpcTlsConfig(tls.keys(), tls.replicas(), true)));
        return parameters;
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private RatisSettings() {}
}
