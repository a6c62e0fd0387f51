package dev.cella.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The objects that threads share: the common cell and its lock, dry runs, copies for checkpoints and for the feed, the feed's
 * readers, and callers that wait for a version. Private replicas, planners and simulated worlds are not here: each belongs to
 * one thread.
 *
 * <p>Short in each build; {@code -Dcella.stress=default} or {@code tough} is a long run, in all modes of the compiler.
 */
@Timeout(value = 2, unit = TimeUnit.DAYS)
final class StressTest {
    private static final String LONG_MODE = System.getProperty("cella.stress", "");
    private static final int ROUNDS_MAX = 5;

    @TempDir
    private Path folder;

    /** Actors that never run at the same time meet too rarely to prove anything. */
    @BeforeAll
    static void needsTwoProcessors() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "races are looked for on two processors or more");
    }

    @Test
    void whatThreadsShare_isSeenWholeByEachOfThem() throws IOException, InterruptedException {
        StressRun run = StressRun.of("dev\\.cella\\.state\\.core\\.\\w+Stress", LONG_MODE, folder);
        assertThat(run.caught()).as(run.messages()).isEmpty();
        assertThat(run.ran())
                .containsExactly("CopiesStress", "DryRunsStress", "FeedStress", "ReadsStress", "WaitersStress");
    }

    /** Each was seen in every round so far, a dozen times and more; further rounds are for a busy machine. */
    @Test
    void plantedRaces_areCaught() throws IOException, InterruptedException {
        Set<String> planted = Set.of("PlantedSharedDryRuns", "PlantedUnlockedReads");
        Set<String> caught = new TreeSet<>();
        for (int round = 1; round <= ROUNDS_MAX && !caught.equals(planted); round++) {
            Path ofRound = Files.createDirectory(folder.resolve("round-" + round));
            caught.addAll(StressRun.of("dev\\.cella\\.state\\.core\\.Planted\\w+", "", ofRound)
                    .caught());
        }
        assertThat(caught).isEqualTo(planted);
    }
}
