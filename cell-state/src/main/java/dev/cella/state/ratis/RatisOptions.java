package dev.cella.state.ratis;

import java.time.Duration;

/**
 * What may be chosen about the log on Ratis; the rest is settled in {@link RatisSettings}.
 *
 * @param electionTimeoutMin a follower that hears nothing for so long, up to twice as long, stands for election
 */
public record RatisOptions(LogRpc rpc, Duration electionTimeoutMin) {
    public static RatisOptions defaults() {
        return new RatisOptions(LogRpc.GRPC, Duration.ofMillis(1500));
    }
}
