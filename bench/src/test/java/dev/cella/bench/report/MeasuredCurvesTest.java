package dev.cella.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.report.GrowingPart.Growth;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class MeasuredCurvesTest {
    private static final RunSource RUNS = new RunSource("cella bench growth", Map.of());

    private static final MeasuredCurves CURVES = new MeasuredCurves(
            "curves.svg",
            "cost < size",
            "machines",
            "us",
            new RunPath("machines.machines"),
            List.of(
                    new GrowingPart("commit", "commit", Growth.HARDLY).curve(RUNS, "machines"),
                    new GrowingPart("lists", "lists", Growth.AS_THE_CELL).curve(RUNS, "machines")));

    private static KeptRun run(String commit, String date, double lists, double listsOfTheLarge) {
        return KeptRun.parse("run.json", """
            {"bench": "growth", "commit": "%s", "date": "%s",
             "machines": [{"machines": 1000, "commitMicros": 1, "listsMicros": %s},
                          {"machines": 100000, "commitMicros": 1, "listsMicros": %s}],
             "machinesExponents": {"commit": 0, "lists": 0.5}}
            """.formatted(commit, date, lists, listsOfTheLarge));
    }

    private static String svg(KeptRun... runs) {
        return CURVES.svg(List.of(runs)).orElseThrow();
    }

    /** The points of its lines, in the order of the curves. */
    private static List<String> lines(String svg) throws Exception {
        var drawn = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getElementsByTagName("polyline");
        return IntStream.range(0, drawn.getLength())
                .mapToObj(at ->
                        drawn.item(at).getAttributes().getNamedItem("points").getNodeValue())
                .toList();
    }

    private static double y(String points, int place) {
        return Double.parseDouble(points.split(" ", -1)[place].split(",", -1)[1]);
    }

    @Test
    void constantCost_isLevel_andGrowthClimbs() throws Exception {
        List<String> lines = lines(svg(run("c", "2026-01-01", 10, 100)));
        assertThat(lines).hasSize(2);
        assertThat(y(lines.get(0), 0)).isEqualTo(y(lines.get(0), 1));
        assertThat(y(lines.get(1), 0)).isGreaterThan(y(lines.get(1), 1));
    }

    @Test
    void legend_hasTheExponents() {
        assertThat(svg(run("c", "2026-01-01", 10, 100))).contains("commit: 0<", "lists: 0.50<", "cost &lt; size");
    }

    @Test
    void point_isTheMedianOfTheNewestRuns_withABarOverTheirSpread() throws Exception {
        KeptRun one = run("c", "2026-01-02", 10, 80);
        String three = svg(
                run("old", "2026-01-01", 9_999, 9_999),
                one,
                run("c", "2026-01-02", 10, 40),
                run("c", "2026-01-02", 10, 95));
        int bars = three.split("<line x1", -1).length - svg(one).split("<line x1", -1).length;
        assertThat(bars).isEqualTo(1);
        assertThat(lines(three)).isEqualTo(lines(svg(one)));
    }

    @Test
    void runsWithFewerThanTwoSizes_haveNoChart() {
        assertThat(CURVES.svg(List.of())).isEmpty();
        assertThat(CURVES.svg(List.of(KeptRun.parse("run.json", """
            {"bench": "growth", "machines": [{"machines": 1000, "commitMicros": 1}]}
            """)))).isEmpty();
    }
}
