package dev.cella.state.ratis;

import dev.cella.state.core.LogSyncs;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.RatisMetrics;
import org.apache.ratis.metrics.impl.DefaultTimekeeperImpl;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.metrics.RaftLogMetricsBase;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/** Ratis' own measurements of its log, read from its registry: one per process, with a part for each member. */
final class RatisTimers {
    private RatisTimers() {}

    /** The time of the fsync alone, without waiting for it. */
    static LogSyncs syncs(RaftGroupMemberId member) {
        MetricRegistryInfo log = new MetricRegistryInfo(
                member.toString(),
                RatisMetrics.RATIS_APPLICATION_NAME_METRICS,
                RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS,
                RaftLogMetricsBase.RATIS_LOG_WORKER_METRICS_DESC);
        return MetricRegistries.global().get(log).map(RatisTimers::syncs).orElse(LogSyncs.NONE);
    }

    private static LogSyncs syncs(RatisMetricRegistry log) {
        Timer timer = ((DefaultTimekeeperImpl) log.timer(SegmentedRaftLogMetrics.RAFT_LOG_SYNC_TIME)).getTimer();
        Snapshot last = timer.getSnapshot();
        return new LogSyncs(timer.getCount(), seconds(last.getMedian()), seconds(last.get99thPercentile()));
    }

    private static double seconds(double nanos) {
        return nanos / TimeUnit.SECONDS.toNanos(1);
    }
}
