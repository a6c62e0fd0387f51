package dev.cella.chaos.sabotage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chaos suite must find the bug of each sabotaged build within ten minutes of a processor. In each build every patch still
 * applies, and three are found; {@code -Dcella.chaos.sabotage=all}, or the names of some with commas between, runs those and
 * prints the table of {@code docs/chaos.md}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class SabotageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PATCHES = Path.of("src/test/resources/dev/cella/chaos/sabotage");
    private static final String ASKED = System.getProperty("cella.chaos.sabotage", "");
    private static final List<String> IN_EACH_BUILD =
            List.of("all-or-nothing-in-part", "conflict-without-a-winner", "grown-group-not-looked-at");
    private static final long SECONDS_MAX = Long.getLong("cella.chaos.sabotage.seconds", 600);

    @TempDir
    Path directory;

    @Test
    void patches_areTwentyOrMoreAndApply() throws IOException {
        List<Sabotage> all = Sabotage.all(PATCHES);
        assertThat(all).hasSizeGreaterThanOrEqualTo(20);
        for (Sabotage each : all) {
            assertThatCode(() -> assertThat(each.appliedTo(ROOT)).isNotEmpty())
                    .as(each.name())
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource
    void sabotagedBuild_isFound(Sabotage sabotage) throws Exception {
        try (SabotagedBuild build = SabotagedBuild.of(sabotage, ROOT, directory)) {
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            String found = build.untilFound(sabotage.scenario(), SECONDS_MAX);
            assertThat(found).as(sabotage.what()).isNotEmpty();
            if (!ASKED.isEmpty()) {
                print(
                        sabotage,
                        found.split("\t"),
                        ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began);
            }
        }
    }

    @SuppressWarnings("SystemOut") // the table is what the run was asked for
    private static void print(Sabotage sabotage, String[] found, long cpuNanos) {
        System.out.println("| `" + sabotage.name() + "` | " + sabotage.what() + " | " + sabotage.scenario() + " | "
                + found[0] + " | " + found[1] + " | "
                + TimeUnit.NANOSECONDS.toSeconds(cpuNanos) + " s | " + found[2]);
    }

    static Stream<Sabotage> sabotagedBuild_isFound() throws IOException {
        List<String> names = ASKED.isEmpty() ? IN_EACH_BUILD : List.of(ASKED.split(","));
        return Sabotage.all(PATCHES).stream().filter(each -> ASKED.equals("all") || names.contains(each.name()));
    }
}
