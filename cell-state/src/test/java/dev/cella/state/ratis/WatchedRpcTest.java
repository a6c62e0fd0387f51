package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The connections that Ratis gets from the protocol. */
class WatchedRpcTest {
    private static final long SOON_SECONDS = 10;
    private static final Timestamp LONG_AGO = Timestamp.currentTime().addTime(TimeDuration.valueOf(-1, TimeUnit.HOURS));

    /** A leader that steps down has its lock until its connections have ended. */
    @Test
    void connectionThatIsToldAHigherTerm_reportsItWithoutTheLockOfItsMember() throws Exception {
        RaftServer.Division member = stub(RaftServer.Division.class, Map.of());
        LogAppender connection = connect(member, silentFollower());

        synchronized (member) {
            CompletableFuture<Boolean> reported = CompletableFuture.supplyAsync(() -> connection.onFollowerTerm(7));
            assertThat(reported.get(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Otherwise its first message would be a heartbeat, and the first entry would wait for the reply. */
    @Test
    void newConnection_hasNoHeartbeatDue() {
        DivisionProperties times = stub(DivisionProperties.class, Map.of("minRpcTimeoutMs", 60_000));

        LogAppender connection =
                connect(stub(RaftServer.Division.class, Map.of("properties", times)), silentFollower());

        assertThat(connection.getHeartbeatWaitTimeMs()).isPositive();
    }

    private static LogAppender connect(RaftServer.Division member, FollowerInfo follower) {
        RaftProperties settings = new RaftProperties();
        RaftConfigKeys.Rpc.setType(settings, new Bare());
        Parameters parameters = new Parameters();
        WatchedRpc.install(settings, parameters, followers());
        RpcType installed = RaftConfigKeys.Rpc.type(settings, found -> {});
        return ServerFactory.cast(installed.newFactory(parameters))
                .newLogAppender(member, stub(LeaderState.class, Map.of("onFollowerTerm", true)), follower);
    }

    private static FollowerInfo silentFollower() {
        AtomicReference<Timestamp> lastSent = new AtomicReference<>(LONG_AGO);
        return stub(FollowerInfo.class, method -> switch (method) {
            case "getId" -> RaftPeerId.valueOf("r2");
            case "getLastRpcResponseTime" -> LONG_AGO;
            case "getLastHeartbeatSendTime" -> lastSent.get();
            case "updateLastRpcSendTime" -> lastSent.getAndSet(Timestamp.currentTime());
            default -> null;
        });
    }

    private static Followers followers() {
        Duration timeout = Duration.ofMinutes(1);
        return new Followers(
                RaftPeerId.valueOf("r1"),
                Optional::empty,
                new LostConnections(timeout, lost -> {}),
                new Successors(timeout, new IdleTime()),
                timeout,
                new IdleTime());
    }

    /** An object that has these answers, and otherwise does what its interface does by default. */
    private static <T> T stub(Class<T> type, Map<String, Object> answers) {
        return stub(type, answers::get);
    }

    private static <T> T stub(Class<T> type, Function<String, @Nullable Object> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = answers.apply(method.getName());
                    return answer == null ? InvocationHandler.invokeDefault(self, method, arguments) : answer;
                }));
    }

    /** A protocol whose connections send nothing. */
    public static final class Bare implements RpcType, ServerFactory {
        @Override
        public String name() {
            return getClass().getName();
        }

        @Override
        public RpcFactory newFactory(Parameters parameters) {
            return this;
        }

        @Override
        public RpcType getRpcType() {
            return this;
        }

        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            throw new UnsupportedOperationException("nobody serves here");
        }

        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return stub(
                    LogAppender.class,
                    Map.of(
                            "getServer", server,
                            "getLeaderState", state,
                            "getFollower", follower,
                            "getFollowerId", follower.getId(),
                            "isRunning", true));
        }
    }
}
