package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The failures that a cell of three replicas survives, as its callers see it. */
@Timeout(600)
class ReplicasTest {
    private static final String[] EVERYTHING = {"/v1/cell", "/v1/machines", "/v1/jobs", "/v1/tasks?job=load&limit=1000"
    };

    private static final int PAUSES = 5;

    /** The election time-out is 700 ms. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    @TempDir
    Path folder;

    private ReplicatedCell cell;

    @BeforeEach
    void startCell() {
        cell = ReplicatedCell.start(folder);
    }

    @AfterEach
    void stopCell() {
        cell.close();
    }

    @Test
    void leaderKilledUnderLoad_nothingAcknowledgedIsLost_nothingIsTwice_andAllShowTheSame() {
        try (ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(50);
            String leader = cell.awaitLeader();
            pauseAFewTimes(leader, load);
            cell.kill(leader);
            load.awaitMore(50);
            cell.start(leader);
            load.awaitMore(50);
            load.stop();
            cell.awaitReady(leader);

            load.assertKept();
            load.assertARetryIsGivenTheFirstOutcome();
            cell.assertAllShowTheSame(EVERYTHING);
        }
    }

    /** A leader that is only slow is not replaced. {@code cella bench failover --pauses 1000} does it more often. */
    private void pauseAFewTimes(String leader, ClaimLoad load) {
        for (int pause = 0; pause < PAUSES; pause++) {
            cell.process(leader).pause(PAUSE);
            load.awaitMore(5);
            assertThat(cell.awaitLeader())
                    .as("the leader after %d pauses", pause + 1)
                    .isEqualTo(leader);
        }
    }

    @Test
    void allKilledAtOnceUnderLoad_comeBackWithAllThatWasAcknowledged() {
        try (ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(50);
            ReplicatedCell.NAMES.forEach(cell::kill);
            ReplicatedCell.NAMES.forEach(cell::start);
            load.awaitMore(50);
            load.stop();
            ReplicatedCell.NAMES.forEach(cell::awaitReady);

            load.assertKept();
            load.assertARetryIsGivenTheFirstOutcome();
            cell.assertAllShowTheSame(EVERYTHING);
        }
    }

    @Test
    void followerAwayUntilItsLogIsForgotten_goesOnFromACheckpointOfTheLeader() {
        try (ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(10);
            String follower = cell.aFollower();
            cell.kill(follower);
            load.awaitMore(20);
            long newestFile = newestFile();
            load.awaitUntil(() -> isForgotten(newestFile));
            cell.start(follower);
            load.stop();
            cell.awaitReady(follower);

            load.assertKept();
            cell.assertAllShowTheSame(EVERYTHING);
            assertThat(cell.process(follower).output()).contains("goes on from another replica's checkpoint");
        }
    }

    private long newestFile() {
        return cell.running().stream()
                .mapToLong(name -> LogFiles.newest(cell.data(name)))
                .max()
                .orElseThrow();
    }

    /** Purged by all replicas, so that any leader can send only a checkpoint. */
    private boolean isForgotten(long file) {
        return cell.running().stream().allMatch(name -> LogFiles.oldest(cell.data(name)) > file);
    }

    @Test
    void replicaThatCannotWriteItsLogOrItsStore_leavesSayingSo_andTheOthersGoOn() throws IOException {
        try (ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(10);
            String leader = cell.awaitLeader();
            LogFiles.makeUnwritable(cell.data(leader));
            assertThat(cell.awaitExit(leader)).contains("error: the log ");

            load.awaitMore(50);
            load.assertNoSurprise();

            String other = cell.aFollower();
            Path checkpoints = cell.data(other).resolve("checkpoints");
            load.awaitUntil(() -> holds(checkpoints, 1));
            Files.move(checkpoints, cell.data(other).resolve("away"));
            Files.writeString(checkpoints, "not a directory");
            assertThat(cell.awaitExit(other)).contains("error: cannot write the checkpoint at");
        }
    }

    private static boolean holds(Path directory, int count) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.count() >= count;
        } catch (IOException notThereYet) {
            return false;
        }
    }
}
