package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The failures that a cell of three replicas survives one after another, as its callers see it. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplicasTest {
    private static final String[] EVERYTHING = {"/v1/cell", "/v1/machines", "/v1/jobs", "/v1/tasks?job=load&limit=1000"
    };

    private static final int PAUSES = 5;

    /** The election time-out is 700 ms. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    @TempDir
    private static Path folder;

    private static ReplicatedCell cell;
    private static ClaimLoad load;

    @BeforeAll
    static void startCell() {
        cell = ReplicatedCell.start(folder);
        load = new ClaimLoad(cell);
    }

    @AfterAll
    static void stopCell() {
        load.close();
        cell.close();
    }

    @BeforeEach
    void startThoseThatAreAway() {
        cell.startAll();
        load.start();
    }

    @Test
    void leaderKilledUnderLoad_nothingAcknowledgedIsLost_nothingIsTwice_andAllShowTheSame() {
        load.awaitMore(50);
        String leader = cell.awaitLeader();
        pauseAFewTimes(leader);
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

    /** A leader that is only slow is not replaced. {@code cella bench failover --pauses 1000} does it more often. */
    private void pauseAFewTimes(String leader) {
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

    @Test
    void followerAwayUntilItsLogIsForgotten_goesOnFromACheckpointOfTheLeader() {
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

    /** Our clients turn to the server that is named, and would wait for it in vain. */
    @Test
    void leaderThatHangs_isNotNamedByTheOthers_butTheNextOneIs() {
        load.awaitMore(10);
        load.stop();
        String leader = cell.awaitLeader();
        String other = cell.aFollower();
        try (OutcomeStream stream = new OutcomeStream(cell.address(other))) {
            stream.awaitOutcome();
            cell.process(leader).hang();

            assertThat(stream.awaitEnd().leader()).isPresent();
            assertThat(stream.awaitEnd().leader()).isNotEqualTo(Optional.of(URI.create(cell.address(leader))));
        } finally {
            cell.process(leader).goOn();
        }
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void replicaThatCannotWriteItsLogOrItsStore_leavesSayingSo_andTheOthersGoOn() throws IOException {
        load.awaitMore(10);
        String leader = cell.awaitLeader();
        LogFiles.makeUnwritable(cell.data(leader));
        assertThat(cell.awaitExit(leader)).contains("error: the log ");
        load.awaitMore(50);
        LogFiles.makeWritableAgain(cell.data(leader));
        cell.startAll();

        String other = cell.aFollower();
        Path checkpoints = cell.data(other).resolve("checkpoints");
        load.awaitUntil(() -> holds(checkpoints, 1));
        LogFiles.block(checkpoints);
        assertThat(cell.awaitExit(other)).contains("error: cannot write the checkpoint at");
        load.awaitMore(50);
        load.assertNoSurprise();
        LogFiles.unblock(checkpoints);
    }

    /** Nothing has failed when a replica is told to stop. The last test: nobody has to start them again. */
    @Test
    @Order(Integer.MAX_VALUE)
    void toldToStopOneAfterAnother_noneLogsAStackTrace() {
        Map<String, String> before = new HashMap<>();
        cell.running().forEach(name -> before.put(name, cell.process(name).output()));
        load.awaitMore(20);
        String leader = cell.awaitLeader();
        assertNoTrace(leader, before);
        load.awaitMore(20);
        load.stop();
        cell.running().forEach(name -> assertNoTrace(name, before));
    }

    private static void assertNoTrace(String name, Map<String, String> before) {
        int since = Objects.requireNonNull(before.get(name)).length();
        assertThat(CellaProcess.tracesIn(cell.terminate(name).substring(since)))
                .as(name)
                .isEmpty();
    }

    private static boolean holds(Path directory, int count) {
        try (Stream<Path> children = Files.list(directory)) {
            return children.count() >= count;
        } catch (IOException notThereYet) {
            return false;
        }
    }
}
