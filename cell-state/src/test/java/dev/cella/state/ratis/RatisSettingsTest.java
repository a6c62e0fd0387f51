package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatisSettingsTest {
    /** Ratis draws each wait between half and one and a half of the one that is set. */
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 31, 1_100, 100_000_000})
    void leader_retriesAnAbsentFollowerOverGrpc_asOftenAfterLongAsAtFirst(int failures) {
        RaftProperties settings =
                RatisSettings.of(RatisOptions.defaults().withRpc(LogRpc.GRPC), "127.0.0.1:0", false, new File("log"));
        RetryPolicy policy = RetryPolicy.parse(RaftServerConfigKeys.Log.Appender.retryPolicy(settings), "the appender");

        long millis = policy.handleAttemptFailure(() -> failures).getSleepTime().toIntExact(TimeUnit.MILLISECONDS);

        long set = RatisSettings.TRY_AGAIN.toMillis();
        assertThat(millis).isBetween(set / 2, set * 3 / 2);
    }

    /** By default it would for every pause of more than a minute, and nothing opens it again. */
    @Test
    void memberThatStoodStillForAMonth_isNotClosed() {
        RaftProperties settings = RatisSettings.of(RatisOptions.defaults(), "127.0.0.1:0", true, new File("log"));

        assertThat(RaftServerConfigKeys.closeThreshold(settings).toLong(TimeUnit.DAYS))
                .isGreaterThan(30);
    }
}
