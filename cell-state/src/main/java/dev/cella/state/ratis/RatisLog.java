package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
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

    private static final RaftPeerId SELF = RaftPeerId.valueOf("r1");

    private final DataDirectory directory;
    private final RatisOptions options;
    private final RaftGroupId group;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final PendingEntries pending = new PendingEntries(client);
    private @Nullable LogStateMachine stateMachine;
    private @Nullable RaftServer server;

    public RatisLog(DataDirectory directory, RatisOptions options) {
        this.directory = directory;
        this.options = options;
        this.group = RaftGroupId.valueOf(directory.cellId());
    }

    @Override
    public void start(LogListener listener) throws IOException, StartRefusedException {
        StartupOption option = directory.hasLog() ? recover(listener) : format();
        stateMachine = new LogStateMachine(SELF, listener, pending, this::isLeader);
        server = build(stateMachine, option);
        server.start();
        if (!directory.hasLog()) {
            directory.markLogBegun();
        }
        // Nothing is proposed before this: a leader is told of only from here on.
        stateMachine.openForLeading();
    }

    private boolean isLeader() {
        try {
            return server != null && server.getDivision(group).getInfo().isLeader();
        } catch (IOException notServedAnyMore) {
            return false;
        }
    }

    /** What stands there now is from a first start that did not come as far as taking a command. */
    private StartupOption format() throws IOException {
        DurableFiles.removeTree(directory.log());
        return StartupOption.FORMAT;
    }

    private StartupOption recover(LogListener listener) throws IOException, StartRefusedException {
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

    private Path segments() {
        return directory.log().resolve(group.getUuid().toString()).resolve("current");
    }

    private RaftServer build(LogStateMachine machine, StartupOption option) throws IOException {
        RaftPeer self =
                RaftPeer.newBuilder().setId(SELF).setAddress(LOOPBACK + ":0").build();
        return RaftServer.newBuilder()
                .setServerId(SELF)
                .setGroup(RaftGroup.valueOf(group, self))
                .setProperties(RatisSettings.of(options, directory.log().toFile()))
                .setStateMachine(machine)
                .setOption(option)
                .build();
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
        RaftServer running = server;
        if (running == null) {
            throw new IllegalStateException("the log has not been started");
        }
        return running.submitClientRequestAsync(RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(SELF)
                .setGroupId(group)
                .setCallId(call)
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                .setType(RaftClientRequest.writeRequestType())
                .build());
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
