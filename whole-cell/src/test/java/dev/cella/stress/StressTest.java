package dev.cella.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
    private static final String PACKAGE = "dev\\.cella\\.state\\.core\\.";
    private static final Pattern STRESS = Pattern.compile("\\w+Stress");
    private static final Pattern PLANTED = Pattern.compile("Planted\\w+");

    @TempDir
    private static Path folder;

    /** All tests, in one short run: to look at the JVM first takes as long as the tests do. */
    private static StressRun brief;

    /** Actors that never run at the same time meet too rarely to prove anything. */
    @BeforeAll
    static void runBriefly() throws IOException, InterruptedException {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "races are looked for on two processors or more");
        brief = run("brief", PACKAGE + "(" + STRESS + "|" + PLANTED + ")", "");
    }

    private static StressRun run(String name, String tests, String mode) throws IOException, InterruptedException {
        return StressRun.of(tests, mode, Files.createDirectory(folder.resolve(name)));
    }

    @Test
    void whatThreadsShare_isSeenWholeByEachOfThem() throws IOException, InterruptedException {
        StressRun run = LONG_MODE.isEmpty() ? brief.only(STRESS) : run("long", PACKAGE + STRESS, LONG_MODE);
        assertThat(run.caught()).as(run.messages()).isEmpty();
        assertThat(run.ran())
                .containsExactly("CopiesStress", "DryRunsStress", "FeedStress", "ReadsStress", "WaitersStress");
    }

    /** Each was seen in every round so far, a dozen times and more; further rounds are for a busy machine. */
    @Test
    void plantedRaces_areCaught() throws IOException, InterruptedException {
        Set<String> planted = Set.of("PlantedSharedDryRuns", "PlantedUnlockedReads");
        Set<String> caught = new TreeSet<>(brief.only(PLANTED).caught());
        for (int round = 2; round <= ROUNDS_MAX && !caught.equals(planted); round++) {
            caught.addAll(run("round-" + round, PACKAGE + PLANTED, "").caught());
        }
        assertThat(caught).isEqualTo(planted);
    }
}
