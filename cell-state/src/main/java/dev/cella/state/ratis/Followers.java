package dev.cella.state.ratis;

import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a leading member to its followers. It makes them send heartbeats when Ratis would not, to confirm the
 * leader, to tell what is committed, and to be heard more often. It sees each reply.
 *
 * <p>{@link WatchedRpc} brings each connection here when Ratis makes it: all of them when a member begins to lead, and one again
 * after it failed.
 *
 * <p>Any thread may call it. The replies come on the connections' threads.
 */
final class Followers {
    private final RaftPeerId self;
    private final Supplier<Optional<RaftConfiguration>> members;
    private final LostConnections lost;
    private final Successors successors;
    private final Heartbeats heartbeats;
    private final Map<RaftPeerId, LogAppender> connections = new ConcurrentHashMap<>();
    private final ConfirmationRounds<LogAppender> rounds =
            new ConfirmationRounds<>(this::askAll, LogAppender::triggerHeartbeat, this::isMajority);

    /** The place in the log of which a follower must learn that it is committed. */
    private final Map<LogAppender, Long> untold = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private @Nullable LeaderState leadership;

    Followers(
            RaftPeerId self,
            Supplier<Optional<RaftConfiguration>> members,
            LostConnections lost,
            Successors successors,
            Duration electionTimeout,
            Time time) {
        this.self = self;
        this.members = members;
        this.lost = lost;
        this.successors = successors;
        this.heartbeats = new Heartbeats(
                time, electionTimeout, () -> connections.values().forEach(LogAppender::triggerHeartbeat));
    }

    /**
     * Makes a connection for that leadership and keeps it.
     *
     * @param connect makes the connection, which reports to the given state
     */
    LogAppender connect(LeaderState state, Function<LeaderState, LogAppender> connect) {
        LogAppender connection = connect.apply(new Watched(state));
        keep(state, connection);
        rounds.connectionsChanged();
        heartbeats.begin();
        return connection;
    }

    private synchronized void keep(LeaderState state, LogAppender connection) {
        if (leadership != state) {
            connections.clear();
            untold.clear();
        }
        leadership = state;
        connections.put(connection.getFollowerId(), connection);
    }

    /** Completes when a majority has accepted this member as the leader after this call. */
    CompletableFuture<Void> confirmLeader() {
        return rounds.confirm();
    }

    /** The log has other members now. */
    void membersChanged() {
        rounds.membersChanged();
    }

    /** This member does not lead. It may have led before. */
    void leadIsLost() {
        heartbeats.end();
        rounds.fail();
    }

    private Map<LogAppender, Long> askAll() {
        Map<LogAppender, Long> firstRequests = new HashMap<>();
        for (LogAppender connection : connections.values()) {
            firstRequests.put(connection, connection.getCallId());
            connection.triggerHeartbeat();
        }
        return firstRequests;
    }

    private boolean isMajority(Set<LogAppender> confirmedBy) {
        Set<RaftPeerId> agreeing = new HashSet<>(Set.of(self));
        confirmedBy.forEach(connection -> agreeing.add(connection.getFollowerId()));
        return members.get().filter(now -> isMajority(now, agreeing)).isPresent();
    }

    /** While the members change, of the former ones too. */
    private static boolean isMajority(RaftConfiguration members, Set<RaftPeerId> agreeing) {
        return isMajority(members.getCurrentPeers(), agreeing)
                && (members.getPreviousPeers().isEmpty() || isMajority(members.getPreviousPeers(), agreeing));
    }

    private static boolean isMajority(Collection<RaftPeer> members, Set<RaftPeerId> agreeing) {
        return 2
                        * members.stream()
                                .filter(peer -> agreeing.contains(peer.getId()))
                                .count()
                > members.size();
    }

    /** Tells each follower soon how far the log is committed now. One that lacks the last entry is told when it has it. */
    void tellCommitted() {
        for (LogAppender connection : connections.values()) {
            untold.put(connection, connection.getRaftLog().getLastCommittedIndex());
            tellCommitted(connection);
        }
    }

    private void tellCommitted(LogAppender connection) {
        Long committed = untold.get(connection);
        FollowerInfo follower = connection.getFollower();
        if (committed == null) {
            return;
        }
        if (follower.getCommitIndex() >= committed) {
            untold.remove(connection, committed);
        } else if (confirmsAll(follower, committed)) {
            connection.triggerHeartbeat();
        }
    }

    /** While entries are on their way to a follower, Ratis tells it with a heartbeat of no place in the log. */
    private static boolean confirmsAll(FollowerInfo follower, long committed) {
        return follower.getMatchIndex() >= committed && follower.getNextIndex() == follower.getMatchIndex() + 1;
    }

    private void replied(LogAppender connection, AppendEntriesReplyProto reply) {
        successors.replied(connection.getFollowerId().toString());
        tellCommitted(connection);
        if (reply.getResult() == AppendResult.SUCCESS) {
            rounds.replied(connection, reply.getServerReply().getCallId());
        }
    }

    /** Ratis' state of a leader, to which a connection reports. All goes on to it. */
    private final class Watched implements LeaderState {
        private final LeaderState state;

        Watched(LeaderState state) {
            this.state = state;
        }

        @Override
        public void onAppendEntriesReply(LogAppender connection, AppendEntriesReplyProto reply) {
            state.onAppendEntriesReply(connection, reply);
            replied(connection, reply);
        }

        @Override
        public void restart(LogAppender connection) {
            state.restart(connection);
        }

        @Override
        public AppendEntriesRequestProto newAppendEntriesRequestProto(
                FollowerInfo follower, List<LogEntryProto> entries, @Nullable TermIndex previous, long call) {
            return state.newAppendEntriesRequestProto(follower, entries, previous, call);
        }

        @Override
        public void checkHealth(FollowerInfo follower) {
            state.checkHealth(follower);
            long silentMillis = follower.getLastRpcResponseTime().elapsedTimeMs();
            lost.look(follower.getId(), Duration.ofMillis(silentMillis));
        }

        @Override
        public boolean onFollowerTerm(FollowerInfo follower, long term) {
            return state.onFollowerTerm(follower, term);
        }

        @Override
        public void onFollowerCommitIndex(FollowerInfo follower, long index) {
            state.onFollowerCommitIndex(follower, index);
        }

        @Override
        public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
            state.onFollowerSuccessAppendEntries(follower);
        }

        @Override
        public boolean isFollowerBootstrapping(FollowerInfo follower) {
            return state.isFollowerBootstrapping(follower);
        }
    }
}
