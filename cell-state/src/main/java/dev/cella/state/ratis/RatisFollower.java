package dev.cella.state.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.ProtoUtils;
import org.jspecify.annotations.Nullable;

/** A member on Ratis as a follower of its leader. */
final class RatisFollower implements LeaderWatch.Follower {
    private final RaftPeerId self;
    private final RaftGroupId group;
    private final Supplier<@Nullable RaftServer> server;

    /** @param server null before it is started */
    RatisFollower(RaftPeerId self, RaftGroupId group, Supplier<@Nullable RaftServer> server) {
        this.self = self;
        this.group = group;
        this.server = server;
    }

    @Override
    public Optional<LeaderWatch.Followed> leader() {
        RaftServer running = server.get();
        try {
            return running == null ? Optional.empty() : leader(running.getDivision(group));
        } catch (IOException notServedAnyMore) {
            return Optional.empty();
        }
    }

    private Optional<LeaderWatch.Followed> leader(RaftServer.Division member) {
        RaftPeerId id = member.getInfo().getLeaderId();
        RaftConfiguration members = member.getRaftConf();
        RaftPeer leader = id == null ? null : members.getPeer(id);
        if (leader == null
                || !member.getInfo().isFollower()
                || !mayStand(self, members, member.getRaftLog().getLastCommittedIndex())) {
            return Optional.empty();
        }
        long silentMillis = member.getInfo()
                .getRoleInfoProto()
                .getFollowerInfo()
                .getLeaderInfo()
                .getLastRpcElapsedTimeMs();
        long before = members.getCurrentPeers().stream()
                .map(RaftPeer::getId)
                .filter(other -> !other.equals(id) && other.toString().compareTo(self.toString()) < 0)
                .count();
        return Optional.of(new LeaderWatch.Followed(
                leader.getId().toString(), leader.getAddress(), Duration.ofMillis(silentMillis), (int) before));
    }

    /**
     * Returns whether a member may stand before its time. Ratis closes one that stands and is no voter, as one that is joining
     * is not. While the members change, the time-out decides.
     */
    static boolean mayStand(RaftPeerId self, RaftConfiguration members, long committed) {
        return members.getCurrentPeers().stream().anyMatch(peer -> peer.getId().equals(self))
                && members.getPreviousPeers().isEmpty()
                && members.getLogEntryIndex() <= committed;
    }

    /** Ratis knows this as a wish of the leader, who is leaving. */
    @Override
    public void stand(String deadLeader) throws IOException {
        RaftServer running = server.get();
        TermIndex last =
                running == null ? null : running.getDivision(group).getRaftLog().getLastEntryTermIndex();
        if (running == null || last == null) {
            return;
        }
        running.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(RaftPeerId.valueOf(deadLeader).toByteString())
                        .setReplyId(self.toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group)))
                .setLeaderLastEntry(last.toProto())
                .build());
    }
}
