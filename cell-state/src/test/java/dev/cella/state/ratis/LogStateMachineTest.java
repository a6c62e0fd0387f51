package dev.cella.state.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.ManualTime;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStateMachineTest {
    private static final RaftGroupMemberId MEMBER =
            RaftGroupMemberId.valueOf(RaftPeerId.valueOf("r1"), RaftGroupId.randomId());

    private final Listener listener = new Listener();
    private boolean isLeader = true;
    private long entriesKept;

    @TempDir
    private Path path;

    private DataDirectory directory;

    @BeforeEach
    void openDirectory() throws Exception {
        directory = DataDirectory.open(path, new CellName("test"), 0, UUID.randomUUID());
    }

    @AfterEach
    void closeDirectory() throws Exception {
        directory.close();
    }

    @Test
    void getLatestSnapshot_isTheNewestCheckpoint() {
        assertThat(machine().getLatestSnapshot()).isNull();
        listener.newest = new LogPosition(3, 40);
        SnapshotInfo snapshot = machine().getLatestSnapshot();
        assertThat(snapshot.getTermIndex()).isEqualTo(TermIndex.valueOf(3, 40));
        assertThat(machine().getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(3, 40));
    }

    @Test
    void takeSnapshot_saysEachOlderCheckpointOnceAndNeverGoesBack() {
        listener.newest = new LogPosition(1, 40);
        listener.older = new LogPosition(1, 20);
        LogStateMachine machine = machine();
        assertThat(machine.takeSnapshot()).isEqualTo(RaftLog.INVALID_LOG_INDEX);
        listener.older = new LogPosition(1, 60);
        assertThat(machine.takeSnapshot()).isEqualTo(60);
        assertThat(machine.takeSnapshot()).isEqualTo(RaftLog.INVALID_LOG_INDEX);
    }

    @Test
    void takeSnapshot_keepsTheNumberOfEntriesInTheOptions() {
        entriesKept = 25;
        listener.older = new LogPosition(1, 20);
        LogStateMachine machine = machine();
        assertThat(machine.takeSnapshot()).isEqualTo(RaftLog.INVALID_LOG_INDEX);
        listener.older = new LogPosition(1, 60);
        assertThat(machine.takeSnapshot()).isEqualTo(35);
    }

    @Test
    void leading_isToldOnlyOnceTheStartIsOver() {
        LogStateMachine machine = machine();
        machine.notifyLeaderReady();
        assertThat(listener.told).isEmpty();
        machine.openForLeading();
        assertThat(listener.told).containsExactly("leading");
    }

    @Test
    void following_isToldOnceHoweverRatisSaysIt() {
        LogStateMachine machine = machine();
        machine.openForLeading();
        machine.notifyLeaderReady();
        machine.notifyNotLeader(List.of());
        machine.notifyNotLeader(List.of());
        assertThat(listener.told).containsExactly("leading", "following");
    }

    @Test
    void notifyLeaderReady_overtakenByTheStepDown_isNotBelieved() {
        LogStateMachine machine = machine();
        machine.openForLeading();
        isLeader = false;
        machine.notifyNotLeader(List.of());
        machine.notifyLeaderReady();
        assertThat(listener.told).isEmpty();
    }

    @Test
    void notifyLeaderChanged_toAnother_isFollowing_toItselfIsNothing() {
        LogStateMachine machine = machine();
        machine.openForLeading();
        machine.notifyLeaderReady();
        machine.notifyLeaderChanged(MEMBER, RaftPeerId.valueOf("r1"));
        assertThat(listener.told).containsExactly("leading");
        machine.notifyLeaderChanged(MEMBER, RaftPeerId.valueOf("r2"));
        assertThat(listener.told).containsExactly("leading", "following", "another leads");
    }

    @Test
    void checkpointThatArrives_isWaitedForAndThenWhereTheLogGoesOnFrom() throws Exception {
        LogStateMachine machine = machine();
        machine.getLifeCycle().transition(LifeCycle.State.STARTING);
        machine.getLifeCycle().transition(LifeCycle.State.RUNNING);
        machine.pause();
        assertThat(machine.getLifeCycleState()).isEqualTo(LifeCycle.State.PAUSED);
        machine.reinitialize();
        assertThat(listener.told).containsExactly("arriving", "arrived");
        assertThat(machine.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(7, 70));
        assertThat(machine.getLifeCycleState()).isEqualTo(LifeCycle.State.RUNNING);
    }

    @Test
    void checkpointThatArrives_leavesNoPartOfAnEarlierAttempt() throws Exception {
        LogStateMachine machine = machine();
        Files.createDirectories(directory.arriving().resolve("snapshot-1/cold"));
        machine.getLifeCycle().transition(LifeCycle.State.STARTING);
        machine.getLifeCycle().transition(LifeCycle.State.RUNNING);
        machine.pause();
        machine.reinitialize();
        assertThat(directory.arriving()).doesNotExist();
    }

    @Test
    void attemptInWhichNothingArrivesAnyLonger_isRemoved_anotherIsNot() throws Exception {
        ManualTime time = new ManualTime();
        Path silent = Files.createDirectories(directory.arriving().resolve("snapshot-1/cold"));
        Path arriving = Files.createDirectories(directory.arriving().resolve("snapshot-2/cold"));
        Path file = Files.createFile(arriving.resolve("file"));
        new CheckpointShipping(directory, listener, time).watch();
        AtomicLong modified = new AtomicLong(time.wallMillis());
        await().until(() -> {
            Files.setLastModifiedTime(file, FileTime.fromMillis(modified.incrementAndGet()));
            time.advance(Duration.ofMinutes(1));
            return Files.notExists(silent.getParent());
        });
        assertThat(file).exists();
    }

    @Test
    void start_removesReplacedCheckpoints_unlessItHasNoOther() throws Exception {
        CheckpointShipping shipping = new CheckpointShipping(directory, listener, new IdleTime());
        Path replaced = path.resolve("checkpoints.tmp20261130-080000_000");
        Files.createDirectories(replaced.resolve("checkpoint-1"));
        shipping.removeRests();
        assertThat(replaced).exists();
        listener.newest = new LogPosition(1, 40);
        shipping.removeRests();
        assertThat(replaced).doesNotExist();
    }

    @Test
    void notifyLogFailed_leaves() {
        machine().notifyLogFailed(new IOException("No space left on device"), null);
        assertThat(listener.told).containsExactly("failed: the log cannot be written");
    }

    @Test
    void notifyServerShutdown_leavesUnlessItWasAskedFor() {
        LogStateMachine machine = machine();
        machine.notifyServerShutdown(RoleInfoProto.getDefaultInstance(), true);
        assertThat(listener.told).containsExactly("failed: the log has shut itself down");
        machine.expectShutdown();
        machine.notifyServerShutdown(RoleInfoProto.getDefaultInstance(), true);
        assertThat(listener.told).hasSize(1);
    }

    private LogStateMachine machine() {
        return new LogStateMachine(
                RaftPeerId.valueOf("r1"),
                listener,
                new Proposers(directory.cellId()),
                new PendingEntries(ClientId.randomId()),
                () -> isLeader,
                new CheckpointShipping(directory, listener, new IdleTime()),
                new Followers(
                        RaftPeerId.valueOf("r1"),
                        Optional::empty,
                        new LostConnections(Duration.ofSeconds(4), follower -> {}),
                        new Successors(Duration.ofSeconds(1), new IdleTime()),
                        Duration.ofSeconds(1),
                        new IdleTime()),
                entriesKept,
                () -> {},
                () -> listener.told.add("another leads"));
    }

    /** Records its calls. */
    private static final class Listener implements LogListener {
        private final List<String> told = new ArrayList<>();
        private LogPosition newest = LogPosition.START;
        private LogPosition older = LogPosition.START;

        @Override
        public AppliedEntry committed(LogPosition position, byte[] entry) {
            return new AppliedEntry(position, CellVersion.NONE, List.of());
        }

        @Override
        public void passed(LogPosition position) {}

        @Override
        public void leading() {
            told.add("leading");
        }

        @Override
        public void following() {
            told.add("following");
        }

        @Override
        public LogPosition newestCheckpoint() {
            return newest;
        }

        @Override
        public List<Path> newestCheckpointFiles() {
            return List.of();
        }

        @Override
        public void checkpointArriving() {
            told.add("arriving");
        }

        @Override
        public void checkpointArrived() {
            told.add("arrived");
            newest = new LogPosition(7, 70);
        }

        @Override
        public LogPosition purgeableUpTo() {
            return older;
        }

        @Override
        public void failed(String what, Throwable cause) {
            told.add("failed: " + what);
        }
    }
}
