package dev.cella.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Checker.Violation;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    private static final Checked RUN = run();

    private static Checked run() {
        Scenario small = ScenarioFiles.shipped("small-swarm").orElseThrow().withLoad(Load.USUAL.withJobs(3));
        return new ChaosRun(small, SchedulerTypes.installed()).run(1, Second.TWIN);
    }

    @Test
    void of_runThatHolds_isOneFileForWideAndNarrowScreens() {
        String html = HtmlReport.of(RUN);
        assertThat(html)
                .contains("small-swarm <span class=ok>holds</span>")
                .contains("name=viewport")
                .contains("prefers-color-scheme:dark")
                .contains("<div class=wide><svg")
                .contains("core healed")
                .contains("Fault-free twin")
                .doesNotContain("http")
                .doesNotContain("NaN");
        assertThat(count("<div class=wide>", html))
                .isEqualTo(count("</div>", html))
                .isPositive();
    }

    private static long count(String words, String html) {
        return Pattern.compile(words).matcher(html).results().count();
    }

    /** No job is placed for most of the time: a wait of 0 would be wrong there. */
    @Test
    void of_timeWithoutPlacements_theLineOfWaitsHasGaps() {
        String html = HtmlReport.of(RUN);
        int from = html.indexOf("wait for a place");
        String waits = html.substring(html.indexOf("<path", from), html.indexOf("/>", html.indexOf("<path", from)));
        assertThat(waits).contains(" d=\"M");
        assertThat(waits.chars().filter(each -> each == 'M').count()).isGreaterThan(1);
        assertThat(waits).doesNotContain(",-");
    }

    @Test
    void of_violation_isShownAsText() {
        Violation violation = new Violation("version 7", "a<b>c & d");
        Checked failed = new Checked(
                RUN.scenario(),
                RUN.world(),
                RUN.seed(),
                RUN.planned(),
                RUN.result(),
                List.of(new Verdict("C1", "It fits.", List.of(violation))),
                true,
                RUN.twin(),
                RUN.command());
        assertThat(HtmlReport.of(failed))
                .contains("<span class=bad>does not hold</span>")
                .contains("<span class=bad>1 violation</span></tr>")
                .contains("<td colspan=2>version 7: a&lt;b&gt;c &amp; d");
    }
}
