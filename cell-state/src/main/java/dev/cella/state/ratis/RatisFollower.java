package dev.cella.state.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerProtocol;
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
        return Optional.of(new LeaderWatch.Followed(
                leader.getId().toString(), leader.getAddress(), Duration.ofMillis(silentMillis)));
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

    @Override
    public OptionalInt turn(String deadLeader, Duration patience) {
        RaftServer running = server.get();
        try {
            return running == null
                    ? OptionalInt.empty()
                    : turn(running, running.getDivision(group), RaftPeerId.valueOf(deadLeader), patience);
        } catch (IOException notServedAnyMore) {
            return OptionalInt.empty();
        }
    }

    private OptionalInt turn(RaftServer running, RaftServer.Division member, RaftPeerId dead, Duration patience) {
        TermIndex own = member.getRaftLog().getLastEntryTermIndex();
        if (own == null) {
            return OptionalInt.empty();
        }
        Map<RaftPeerId, CompletableFuture<TermIndex>> asked = new HashMap<>();
        for (RaftPeer peer : member.getRaftConf().getCurrentPeers()) {
            if (!peer.getId().equals(self) && !peer.getId().equals(dead)) {
                asked.put(peer.getId(), lastEntry(running, member, peer.getId(), own));
            }
        }
        var unused = CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(noAnswer -> null)
                .join();
        Map<RaftPeerId, TermIndex> ends = new HashMap<>();
        asked.forEach((peer, end) -> ends.put(peer, isAnswered(end) ? end.join() : own));
        return turn(self, own, ends);
    }

    private static boolean isAnswered(CompletableFuture<TermIndex> end) {
        return end.isDone() && !end.isCompletedExceptionally();
    }

    /**
     * Returns how many others stand before a member: those with an equal log and a smaller name. Empty if one has a longer log.
     * Members with shorter logs do not stand.
     */
    static OptionalInt turn(RaftPeerId self, TermIndex own, Map<RaftPeerId, TermIndex> others) {
        if (others.values().stream().anyMatch(end -> end.compareTo(own) > 0)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) others.entrySet().stream()
                .filter(other -> other.getValue().compareTo(own) == 0
                        && other.getKey().toString().compareTo(self.toString()) < 0)
                .count());
    }

    /**
     * Asks whether that member would vote for this one, which changes nothing there. It says where its log ends, even if it
     * would not. The connection may be an old one to a process that has ended since; then the first call only finds that out, and
     * the vote itself must not be that call.
     */
    private CompletableFuture<TermIndex> lastEntry(
            RaftServer running, RaftServer.Division member, RaftPeerId peer, TermIndex own) {
        RequestVoteRequestProto question = RequestVoteRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder()
                        .setRequestorId(self.toByteString())
                        .setReplyId(peer.toByteString())
                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group))
                        .setCallId(CallId.getAndIncrement()))
                .setCandidateTerm(member.getInfo().getCurrentTerm())
                .setCandidateLastEntry(own.toProto())
                .setPreVote(true)
                .build();
        CompletableFuture<TermIndex> end = new CompletableFuture<>();
        Thread asking = new Thread(() -> ask(running.getServerRpc(), question, end), "leader-watch-" + peer);
        asking.setDaemon(true);
        asking.start();
        return end;
    }

    private static void ask(
            RaftServerProtocol others, RequestVoteRequestProto question, CompletableFuture<TermIndex> end) {
        try {
            end.complete(TermIndex.valueOf(answer(others, question).getLastEntry()));
        } catch (IOException | RuntimeException noAnswer) {
            end.completeExceptionally(noAnswer);
        }
    }

    private static RequestVoteReplyProto answer(RaftServerProtocol others, RequestVoteRequestProto question)
            throws IOException {
        try {
            return others.requestVote(question);
        } catch (IOException oldConnection) {
            return others.requestVote(question);
        }
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
