package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogSyncs;
import dev.cella.state.core.Membership;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log on Apache Ratis, its server embedded in this process.
 *
 * <p>Entries are submitted in process, never through {@code RaftClient}: with it the client path was the worst thing
 * measured. An entry's answer is what its apply said, handed over in memory as soon as it is applied here; of Ratis' own
 * reply only a failure counts, and a failure does not say that the entry is not committed.
 *
 * <p>The log is begun (formatted) once in the life of a directory, before anything is acknowledged in it, and recovered
 * ever after. Ratis would format an empty directory also when asked to recover it; so what must be there is looked for
 * first.
 *
 * <p>{@link #append} may be called from one thread at a time; Ratis returns from it when the entry has its place.
 */
public final class RatisLog implements ReplicatedLog {
    static final String LOOPBACK = "127.0.0.1";

    /** Stands in the log's directory from before the log is begun: without it an empty directory is one that was emptied. */
    private static final String FRESH = "fresh";

    private static final String VOTES = "raft-meta";

    private final DataDirectory directory;
    private final RatisOptions options;
    private final Membership membership;
    private final RaftPeerId self;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final PendingEntries pending = new PendingEntries(client);
    private @Nullable LogStateMachine stateMachine;
    private volatile @Nullable RaftServer server;

    public RatisLog(DataDirectory directory, RatisOptions options, Membership membership) {
        this.directory = directory;
        this.options = options;
        this.membership = membership;
        this.self = RaftPeerId.valueOf(membership.self());
        this.group = RaftGroupId.valueOf(directory.cellId());
    }

    @Override
    public void start(LogListener listener) throws IOException, StartRefusedException {
        StartupOption option = directory.hasLog() ? recover(listener) : format();
        stateMachine = new LogStateMachine(
                self, listener, pending, this::isLeader, new CheckpointShipping(directory, listener));
        server = build(stateMachine, option);
        server.start();
        if (!directory.hasLog()) {
            directory.markLogBegun();
        }
        // Nothing is proposed before this: a leader is told of only from here on.
        stateMachine.openForLeading();
    }

    private boolean isLeader() {
        return division().map(member -> member.getInfo().isLeader()).orElse(false);
    }

    private Optional<RaftServer.Division> division() {
        RaftServer running = server;
        try {
            return running == null ? Optional.empty() : Optional.of(running.getDivision(group));
        } catch (IOException notServedAnyMore) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> leader() {
        return division().map(member -> member.getInfo().getLeaderId()).map(RaftPeerId::toString);
    }

    @Override
    public long entriesBehind() {
        return division()
                .map(member -> committed(member) - member.getInfo().getLastAppliedIndex())
                .orElse(0L);
    }

    @Override
    public LogSyncs syncs() {
        return division().map(member -> RatisTimers.syncs(member.getMemberId())).orElse(LogSyncs.NONE);
    }

    /** When its writer fails in a way that it did not foresee, Ratis begins to close, waits for that writer for ever, and tells nobody. */
    @Override
    public boolean isAlive() {
        return division()
                .map(member -> LifeCycle.States.STARTING_OR_RUNNING.contains(
                        member.getInfo().getLifeCycleState()))
                .orElse(false);
    }

    /** As far as any member has told this one. */
    private static long committed(RaftServer.Division member) {
        return member.getCommitInfos().stream()
                .mapToLong(CommitInfoProto::getCommitIndex)
                .max()
                .orElse(0);
    }

    /**
     * What stands there now is from a first start that did not come as far as taking a command. A member of several may
     * vote as soon as it runs, and what it has voted it must not forget: it counts as begun before that.
     */
    private StartupOption format() throws IOException {
        DurableFiles.removeTree(directory.log());
        if (!membership.isAlone()) {
            Files.createDirectories(directory.log());
            DurableFiles.write(directory.log().resolve(FRESH));
            DurableFiles.sync(directory.log());
            directory.markLogBegun();
        }
        return StartupOption.FORMAT;
    }

    private StartupOption recover(LogListener listener) throws IOException, StartRefusedException {
        if (isStillFresh()) {
            return format();
        }
        if (isEmptyAfterACheckpointCame(listener)) {
            return StartupOption.RECOVER;
        }
        long firstNeeded = listener.newestCheckpoint().index() + 1;
        long firstKept = LogSegments.firstIndex(segments());
        if (firstKept > firstNeeded) {
            throw new StartRefusedException(
                    Why.LOG_INCOMPLETE,
                    "the log in %s begins with entry %d, and without a newer whole checkpoint entry %d is needed"
                            .formatted(directory.log(), firstKept, firstNeeded),
                    "restore the data directory from a backup, or start this replica with an empty one");
        }
        return StartupOption.RECOVER;
    }

    /** It was killed after it counted as begun and before it could do anything. */
    private boolean isStillFresh() throws IOException {
        return Files.exists(directory.log().resolve(FRESH))
                && !Files.exists(segments().resolve(VOTES))
                && LogSegments.firstIndex(segments()) == Long.MAX_VALUE;
    }

    /** When another member's checkpoint takes the place of a log that was far behind, nothing of the log is left. */
    private boolean isEmptyAfterACheckpointCame(LogListener listener) throws IOException {
        return !membership.isAlone()
                && !listener.newestCheckpoint().isAtStart()
                && Files.exists(segments().resolve(VOTES))
                && LogSegments.firstIndex(segments()) == Long.MAX_VALUE;
    }

    private Path segments() {
        return directory.log().resolve(group.getUuid().toString()).resolve("current");
    }

    private RaftServer build(LogStateMachine machine, StartupOption option) throws IOException {
        return RaftServer.newBuilder()
                .setServerId(self)
                .setGroup(RaftGroup.valueOf(group, peers()))
                .setProperties(
                        RatisSettings.of(options, address(), directory.log().toFile()))
                .setStateMachine(machine)
                .setOption(option)
                .build();
    }

    private String address() {
        return membership.isAlone()
                ? LOOPBACK + ":0"
                : membership.find(membership.self()).orElseThrow().log();
    }

    private List<RaftPeer> peers() {
        return membership.isAlone()
                ? List.of(peer(membership.self(), address()))
                : membership.members().stream()
                        .map(member -> peer(member.name(), member.log()))
                        .toList();
    }

    private static RaftPeer peer(String name, String address) {
        return RaftPeer.newBuilder().setId(name).setAddress(address).build();
    }

    @Override
    public CompletableFuture<AppliedEntry> append(byte[] entry) {
        long call = calls.incrementAndGet();
        CompletableFuture<AppliedEntry> applied = pending.expect(call);
        try {
            var unused = submit(call, entry).whenComplete((reply, failure) -> pending.replied(call, reply, failure));
        } catch (IOException | RuntimeException failure) {
            pending.replied(call, null, failure);
        }
        return applied;
    }

    private CompletableFuture<@Nullable RaftClientReply> submit(long call, byte[] entry) throws IOException {
        return submit(
                call, Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)), RaftClientRequest.writeRequestType());
    }

    private CompletableFuture<@Nullable RaftClientReply> submit(long call, Message message, RaftClientRequest.Type type)
            throws IOException {
        RaftServer running = server;
        if (running == null) {
            throw new IllegalStateException("the log has not been started");
        }
        return running.submitClientRequestAsync(RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(self)
                .setGroupId(group)
                .setCallId(call)
                .setMessage(message)
                .setType(type)
                .build());
    }

    /**
     * Ratis' read index: the leader asks a majority whether it still leads, and this member waits until it has applied what was
     * committed then. Nothing is written. Over Netty members cannot ask the leader for it.
     */
    @Override
    public CompletableFuture<Void> catchUp() {
        try {
            return submit(calls.incrementAndGet(), Message.EMPTY, RaftClientRequest.readRequestType())
                    .thenAccept(RatisLog::checkCaughtUp);
        } catch (IOException | RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Override
    public boolean followersCatchUp() {
        return options.rpc() == LogRpc.GRPC;
    }

    private static void checkCaughtUp(@Nullable RaftClientReply reply) {
        if (reply == null || !reply.isSuccess()) {
            throw new CompletionException(
                    "the log cannot say what is committed", reply == null ? null : reply.getException());
        }
    }

    @Override
    public void close() throws IOException {
        if (stateMachine != null) {
            stateMachine.expectShutdown();
        }
        if (server != null) {
            server.close();
        }
    }
}
