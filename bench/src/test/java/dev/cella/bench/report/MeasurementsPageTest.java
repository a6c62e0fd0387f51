package dev.cella.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementsPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path RUNS = DOCS.resolve("measurements");

    /** Run with -Dcella.measurements=write to write the page and its charts. */
    private static final boolean WRITE = "write".equals(System.getProperty("cella.measurements"));

    private static KeptRun restart(String commit, String date, double... seconds) {
        return restart(70, 250, commit, date, seconds);
    }

    private static KeptRun restart(int readNanos, int sortMicros, String commit, String date, double... seconds) {
        List<String> restarts = new ArrayList<>();
        for (double each : seconds) {
            restarts.add("{\"seconds\": " + each + "}");
        }
        return KeptRun.parse("restart.json", """
            {"bench": "restart", "commit": "%s", "date": "%s", "machines": 5000, "tasks": 300000, "processors": 2, "loadAverage": 0.5,
             "readNanos": %d, "sortMicros": %d, "restarts": %s}
            """.formatted(commit, date, readNanos, sortMicros, restarts));
    }

    @Test
    void page_isMadeFromTheKeptRuns() throws IOException {
        MeasurementsPage page = new MeasurementsPage(KeptRun.readAll(RUNS));
        if (WRITE) {
            Files.writeString(DOCS.resolve("measurements.md"), page.markdown());
            for (Map.Entry<String, String> chart : page.charts().entrySet()) {
                Files.writeString(RUNS.resolve(chart.getKey()), chart.getValue());
            }
        }
        assertThat(DOCS.resolve("measurements.md")).content().isEqualTo(page.markdown());
        for (Map.Entry<String, String> chart : page.charts().entrySet()) {
            assertThat(RUNS.resolve(chart.getKey())).content().isEqualTo(chart.getValue());
        }
    }

    @Test
    void keptRuns_saveFactsAndNoPaths() throws IOException {
        for (KeptRun run : KeptRun.readAll(RUNS)) {
            assertThat(run.commit()).as(run.file()).isNotEmpty();
            assertThat(run.date()).as(run.file()).matches("\\d{4}-\\d{2}-\\d{2}.*");
            assertThat(texts(run.data())).as(run.file()).noneMatch(text -> text.contains(" /") || text.startsWith("/"));
        }
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isTextual()) {
            texts.add(node.asText());
        }
        node.forEach(child -> texts.addAll(texts(child)));
        return texts;
    }

    @Test
    void figure_isTheMedianOfTheNewestCommitsRuns() {
        String page = new MeasurementsPage(List.of(
                        restart("old", "2026-01-01T00:00:00Z", 9.0),
                        restart("new", "2026-01-02T00:00:00Z", 1.25, 2.0),
                        restart("new", "2026-01-02T01:00:00Z", 1.0)))
                .markdown();
        assertThat(page)
                .contains("| until it answers, s | 1.25 | 1 | 2 | 2 | at most 1.50 | yes | |")
                .contains("2026-01-02, commit `new`, 2 processors, load 0.50, a read in 70 ns, a sort in 250 us.");
    }

    /** A slow machine would hide what the program does on others. */
    @Test
    void runsOfASlowMachine_haveTheirOwnChapter() {
        String page = new MeasurementsPage(List.of(
                        restart(120, 320, "old", "2026-01-01T00:00:00Z", 1.25),
                        restart(121, 250, "new", "2026-01-02T00:00:00Z", 3.0),
                        restart(70, 321, "new", "2026-01-02T01:00:00Z", 4.0)))
                .markdown();
        String slow = page.substring(page.indexOf("## While the machine was slow"));
        assertThat(page).contains("| until it answers, s | 1.25 | 1.25 | 1.25 | 1 | at most 1.50 | yes | |");
        assertThat(slow)
                .contains("| until it answers, s | 3.50 | 3 | 4 | 2 | at most 1.50 | no | |")
                .contains("commit `new`, 2 processors, load 0.50, a read in 70 to 121 ns, a sort in 250 to 321 us.")
                .doesNotContain("not measured yet", "no run is kept");
    }

    @Test
    void commandWithRunsOfASlowMachineAlone_lacksAnother() {
        MeasurementsPage page = new MeasurementsPage(List.of(restart(121, 250, "new", "2026-01-02T00:00:00Z", 3.0)));
        assertThat(page.missing()).contains("cella bench restart --machines 5000 --tasks 300000");
        assertThat(page.charts()).isEmpty();
    }

    @Test
    void withoutRunsOfASlowMachine_hasNoChapterOfThem() {
        assertThat(new MeasurementsPage(List.of(restart("c", "2026-01-01T00:00:00Z", 1.25))).markdown())
                .doesNotContain("While the machine was slow");
    }

    @Test
    void finishLine_isNotReachedByASlowerMedian() {
        String page = new MeasurementsPage(List.of(restart("c", "2026-01-01T00:00:00Z", 1.6))).markdown();
        assertThat(page).contains("| until it answers, s | 1.60 | 1.60 | 1.60 | 1 | at most 1.50 | no | |");
    }

    @Test
    void figureWithoutRun_showsItsCommand() {
        MeasurementsPage page = new MeasurementsPage(List.of());
        assertThat(page.markdown()).contains("| until it answers, s | not measured yet | | | | at most 1.50 | | |");
        assertThat(page.missing()).contains("cella bench restart --machines 5000 --tasks 300000");
        assertThat(page.charts()).isEmpty();
    }

    private static KeptRun growth(String command, double commitExponent, double listsAtTheEnd) {
        return KeptRun.parse("growth.json", """
            {"bench": "growth", "commit": "c", "date": "2026-01-01", "command": "%s",
             "machines": [{"machines": 1000, "commitMicros": 0.25}, {"machines": 130000, "commitMicros": 0.5}],
             "machinesExponents": {"commit": %s}, "machinesLastStep": {"commit": 9, "lists": %s}}
            """.formatted(command, commitExponent, listsAtTheEnd));
    }

    @Test
    void runOfAnotherSize_isNoFigureOfThePage() {
        KeptRun smaller = KeptRun.parse("restart.json", """
            {"bench": "restart", "commit": "new", "date": "2026-01-02T00:00:00Z", "machines": 5000, "tasks": 100000,
             "processors": 2, "loadAverage": 0.5, "restarts": [{"seconds": 0.5}]}
            """);
        MeasurementsPage page = new MeasurementsPage(List.of(restart("old", "2026-01-01T00:00:00Z", 1.25), smaller));
        assertThat(page.markdown()).contains("| until it answers, s | 1.25 | 1.25 | 1.25 | 1 | at most 1.50 | yes | |");
    }

    @Test
    void pageInAnotherFolderThanItsRuns_linksToThem() {
        MeasurementsPage page = new MeasurementsPage(List.of(growth("cella bench growth", 0.25, 1.05)), "../kept/runs");
        assertThat(page.markdown())
                .contains("](../kept/runs/growth-by-machines.svg)", "[measurements](../kept/runs)")
                .doesNotContain("](measurements");
    }

    /** A list may cost a fixed part: that hides its growth, except between the largest cells. */
    @Test
    void growth_isJudgedByAllSizes_andThatOfAListAtTheEnd() {
        MeasurementsPage page = new MeasurementsPage(List.of(growth("cella bench growth", 0.25, 1.05)));
        assertThat(page.markdown())
                .contains("| commit of a claim, by machines, exponent | 0.25 | 0.25 | 0.25 | 1 | at most 0.20 | no | |")
                .contains(
                        "| copies for lists, by machines, at the end, exponent | 1.05 | 1.05 | 1.05 | 1 | at most 1.10 | yes | |")
                .contains("| commit of a claim, 130,000 machines, us | 0.50 | 0.50 | 0.50 | 1 |")
                .contains("](measurements/growth-by-machines.svg)")
                .doesNotContain("growth-by-tasks.svg");
        assertThat(page.charts()).containsKey("growth-by-machines.svg").doesNotContainKey("growth-by-tasks.svg");
    }

    @Test
    void growthOverOtherSizes_isNoFigureOfThePage() {
        assertThat(new MeasurementsPage(List.of(growth("cella bench growth --machines 100,200", 0.1, 1))).missing())
                .contains("cella bench growth");
    }

    @Test
    void neverAbove_isJudgedByTheWorst() {
        Goal goal = Goal.neverAbove(1);
        assertThat(goal.isReachedBy(FigureSpread.of(List.of(0.5, 0.6, 1.0), 1))).isTrue();
        assertThat(goal.isReachedBy(FigureSpread.of(List.of(0.5, 0.6, 1.1), 1))).isFalse();
    }

    @Test
    void otherFile_isRefusedByName() {
        assertThatThrownBy(() -> KeptRun.parse("x.json", "{}"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("x.json has no field bench");
        assertThatThrownBy(() -> KeptRun.parse("x.json", "{"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("x.json is no JSON");
    }
}
