package dev.cella.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.bench.report.RunComparison.Row;
import dev.cella.bench.report.RunComparison.Verdict;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RunComparisonTest {
    private static List<KeptRun> runs(double... exponents) {
        return DoubleStream.of(exponents)
                .mapToObj(exponent -> run("\"exponent\": " + exponent))
                .toList();
    }

    private static KeptRun run(String figure) {
        return KeptRun.parse("run.json", """
                {"bench": "growth", "commit": "c", "date": "2026-01-01", "command": "cella bench growth", %s}
                """.formatted(figure));
    }

    private static List<Row> rows(List<KeptRun> before, List<KeptRun> after) {
        return new RunComparison(before, after).rows("cella bench growth");
    }

    @Test
    void changeOfANegativeFigure_hasTheSignOfItsVerdict() {
        assertThat(rows(runs(-0.02, -0.02, -0.02), runs(0.01, 0.01, 0.01)))
                .containsExactly(new Row("exponent", "-0.02", "0.01", "+150 %", Verdict.MORE));
    }

    @Test
    void figureOfOneRunAmongThree_isOneOfTooFew() {
        List<KeptRun> after = List.of(run("\"exponent\": 2"), run("\"other\": 1"), run("\"other\": 1"));
        assertThat(rows(runs(1, 1, 1), after)).extracting(Row::verdict).containsExactly(Verdict.TOO_FEW_RUNS);
    }
}
