package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class LineChartTest {
    private static LineChart chart(int lines) {
        LineChart chart = new LineChart("waits", "seconds", "seconds", true);
        for (int place = 0; place < lines; place++) {
            LineChart.Line line = chart.line("line " + place, place, false);
            line.add(1, 1 + place, Optional.of(new LineChart.Spread(0.5, 2)));
            line.add(10, 2 + place, Optional.empty());
        }
        return chart;
    }

    @Test
    void twelveLines_haveMarkersThatDiffer_andALegendThatIsWhole() throws Exception {
        String svg = chart(12).svg();

        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(svg).contains("<circle", "m-4,-4h8v8h-8z", "m0,-5l5,9h-10z", "m-5,0h10m-5,-5v10");
        assertThat(svg).contains("line 11");
    }

    @Test
    void manyLines_makeTheChartHigher() {
        assertThat(chart(2).svg()).contains("viewBox=\"0 0 820 420\"");
        assertThat(chart(30).svg()).contains("viewBox=\"0 0 820 630\"");
    }

    @Test
    void spread_isABarAtItsMarker() {
        LineChart alone = new LineChart("waits", "seconds", "seconds", true);
        alone.line("one", 0, false).add(1, 1, Optional.empty());
        int bars = alone.svg().split("<line ", -1).length;

        LineChart spread = new LineChart("waits", "seconds", "seconds", true);
        spread.line("one", 0, false).add(1, 1, Optional.of(new LineChart.Spread(1, 1)));
        assertThat(spread.svg().split("<line ", -1)).hasSize(bars + 1);
    }

    /** A bar went through the title and out of the picture. */
    @Test
    void barThatSpansTheSeeds_isInTheChart() {
        for (boolean logarithmic : List.of(true, false)) {
            LineChart chart = new LineChart("waits", "seconds", "seconds", logarithmic);
            chart.line("one", 0, false).add(1, 50, Optional.of(new LineChart.Spread(10, 190)));
            assertThat(chart.svg()).contains(logarithmic ? ">1,000<" : ">200<");
        }
    }

    private static String linear(double x, double y) {
        LineChart chart = new LineChart("parts", "seconds", "part", false);
        LineChart.Line line = chart.line("one", 0, false);
        line.add(x, y, Optional.empty());
        line.add(10, y / 2, Optional.empty());
        return chart.svg();
    }

    /** A logarithm has no place for 0: a wait of 0 s was left of the chart, and its line was lost. */
    @Test
    void pointAtZero_isOnTheChart() {
        assertThat(linear(0, 1)).contains("<circle cx=\"84.0\" cy=\"40.0\"").doesNotContain("Infinity", "NaN");
    }

    /** All lines lay on the axis if the largest value was a ten-thousandth. */
    @Test
    void tinyParts_fillTheChart_andOthersEndAtOne() {
        assertThat(linear(1, 0.00011)).contains(">0.0002<", ">0.00004<").doesNotContain(">0.8<");
        assertThat(linear(1, 0.3)).contains(">0.2<", ">0.8<");
    }

    @Test
    void ticksOfALinearAxis_areRoundNumbers() {
        assertThat(linear(1, 3402.81)).contains(">4,000<", ">800<").doesNotContain("3,402");
    }

    @Test
    void aShortRunThatDoesNotAgree_isTooShortToTell() {
        Statement statement = new Statement("", "", 2, data -> new Finding("", false));
        assertThat(statement.verdict(new Finding("", false), 1.9)).isEqualTo(Finding.Verdict.TOO_SHORT);
        assertThat(statement.verdict(new Finding("", false), 2)).isEqualTo(Finding.Verdict.NO);
        assertThat(statement.verdict(new Finding("", true), 0.1)).isEqualTo(Finding.Verdict.YES);
        assertThat(List.of(Finding.Verdict.values()))
                .extracting(Finding.Verdict::words)
                .contains("too short to tell");
    }

    /** A page may be light or dark: no element has a colour of its own. */
    @Test
    void everyColour_isOfTheStyle_whichHasBothPages() {
        String svg = chart(12).svg();
        String style = svg.substring(svg.indexOf("<style>"), svg.indexOf("</style>"));
        String drawing = svg.substring(svg.indexOf("</style>"));

        assertThat(style).contains("@media (prefers-color-scheme: dark)");
        for (int place = 0; place < 12; place++) {
            assertThat(style.split("\\.line" + place + " ", -1))
                    .as("colours of line %d", place)
                    .hasSize(3);
            assertThat(drawing).contains("class=\"line" + place + "\"");
        }
        assertThat(drawing).doesNotContain("#", "white", "black");
    }
}
