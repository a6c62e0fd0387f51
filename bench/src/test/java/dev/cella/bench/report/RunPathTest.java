package dev.cella.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunPathTest {
    private static final KeptRun RUN = KeptRun.parse("run.json", """
        {"bench": "b", "full": {"rate": 5}, "seconds": [1.5, 2.5, 3.5], "name": "text",
         "rows": [{"machines": 1000, "cost": 2}, {"machines": 50000, "cost": 5}]}
        """);

    @Test
    void names_leadToOneFigure() {
        assertThat(new RunPath("full.rate").in(RUN.data())).containsExactly(5.0);
    }

    @Test
    void list_standsForItsItems() {
        assertThat(new RunPath("seconds").in(RUN.data())).containsExactly(1.5, 2.5, 3.5);
        assertThat(new RunPath("seconds[0]").in(RUN.data())).containsExactly(1.5);
        assertThat(new RunPath("seconds[1:]").in(RUN.data())).containsExactly(2.5, 3.5);
        assertThat(new RunPath("rows.cost").in(RUN.data())).containsExactly(2.0, 5.0);
    }

    @Test
    void field_choosesItems() {
        assertThat(new RunPath("rows[machines=50000].cost").in(RUN.data())).containsExactly(5.0);
    }

    @Test
    void slash_divides() {
        assertThat(new RunPath("rows[machines=50000].cost / rows[machines=1000].cost").in(RUN.data()))
                .containsExactly(2.5);
    }

    @Test
    void absentOrText_isNoFigure() {
        assertThat(new RunPath("full.nothing").in(RUN.data())).isEmpty();
        assertThat(new RunPath("rows[machines=7].cost").in(RUN.data())).isEmpty();
        assertThat(new RunPath("name").in(RUN.data())).isEmpty();
    }

    @Test
    void malformedPath_isRefused() {
        assertThatThrownBy(() -> new RunPath("full..rate")).isInstanceOf(IllegalArgumentException.class);
    }
}
