package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xml.sax.InputSource;

final class FigureTest {
    private static final Experiments EXPERIMENTS =
            new Experiments(List.of(new BatchSchedulerProvider(), new FairSchedulerProvider()));

    static List<Figure> figures() {
        return EXPERIMENTS.figures();
    }

    /** Its numbers need no cell, and its page says so. */
    @Test
    void table41_runsNothing() {
        Figure table = EXPERIMENTS.figure("table-4.1");
        assertThat(table.points()).isEmpty();
        assertThat(table.draw(new FigureData()).get("table-4.1.html"))
                .contains("<td class=\"yes\">yes")
                .doesNotContain("simulated days", "too short to tell", "Each line has");
    }

    /** Very short runs on few machines: what is drawn is not looked at, but that all of it is. */
    @ParameterizedTest
    @MethodSource("figures")
    void figure_hasATableChartsAndAPage(Figure figure) throws Exception {
        FigureData data = new FigureData();
        for (FigurePoint point : figure.points()) {
            RunParameters parameters =
                    point.parameters().withGeometry(Geometry.ofMachines(200)).lasting(0.002, 1);
            Architecture architecture = EXPERIMENTS.architecture(parameters);
            data.add(
                    new FigurePoint(point.series(), point.x(), parameters),
                    architecture.run(parameters, RunWork.of(parameters, List.of()), RunProgress.UNHEARD));
        }

        Map<String, String> files = figure.draw(data);

        assertThat(files).containsKeys(figure.name() + ".csv", figure.name() + ".html");
        int rows = figure.panels().isEmpty()
                ? figure.statements().size()
                : figure.points().size();
        assertThat(files.getOrDefault(figure.name() + ".csv", "").lines()).hasSize(1 + rows);
        for (Panel panel : figure.panels()) {
            String chart = files.getOrDefault(figure.chartFile(panel), "");
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(chart)));
            assertThat(chart).contains(panel.yLabel()).contains("<polyline");
        }
        String page = files.getOrDefault(figure.name() + ".html", "");
        assertThat(page).contains("agrees").contains(figure.points().isEmpty() ? "No cell is simulated" : "200");
        boolean hasGreyLine = figure.panels().stream()
                .anyMatch(
                        panel -> files.getOrDefault(figure.chartFile(panel), "").contains("theory"));
        assertThat(page.contains("grey line"))
                .as("what the page says of the charts")
                .isEqualTo(hasGreyLine);
    }
}
