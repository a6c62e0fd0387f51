package dev.cella.state.ratis;

import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The configured protocol between members, whose connections to followers {@link Followers} sees.
 *
 * <p>Ratis takes only the name of a protocol's class from its settings, and makes an object of it. What the object needs is in
 * the parameters.
 */
final class WatchedRpc implements RpcType {
    private static final String FACTORY = "cella.rpc.factory";

    /** Puts itself around the protocol that is set. */
    static void install(RaftProperties settings, Parameters parameters, Followers followers) {
        RpcType configured = RaftConfigKeys.Rpc.type(settings, found -> {});
        ServerFactory factory = ServerFactory.cast(configured.newFactory(parameters));
        parameters.put(FACTORY, new Factory(factory, followers), ServerFactory.class);
        RaftConfigKeys.Rpc.setType(settings, new WatchedRpc());
    }

    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return parameters.getNonNull(FACTORY, ServerFactory.class);
    }

    private record Factory(ServerFactory configured, Followers followers) implements ServerFactory {
        @Override
        public RpcType getRpcType() {
            return configured.getRpcType();
        }

        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            return configured.newRaftServerRpc(server);
        }

        /**
         * Ratis counts a heartbeat as due on a new connection and sends it first, without an entry. All writers would wait a round
         * longer for the entry with which a leader begins.
         */
        @Override
        public LogAppender newLogAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            follower.updateLastRpcSendTime(true);
            DivisionOfConnection member = new DivisionOfConnection(server);
            return followers.connect(state, watched -> configured.newLogAppender(member, watched, follower));
        }
    }
}
