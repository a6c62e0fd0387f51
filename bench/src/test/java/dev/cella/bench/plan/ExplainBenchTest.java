package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.Unplaced;
import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class ExplainBenchTest {
    @Test
    void explanation_countsEveryMachine_andNamesTheVictimsThatWouldHelp() {
        Unplaced explained = new FullCell(200, 5, 3).explain();
        assertThat(explained.sentence()).contains("200 machines lack");
        assertThat(explained.helps()).anySatisfy(help -> assertThat(help).contains("the eviction of 1 task"));
    }

    @Test
    void figures_areThereForTheWholeCell() {
        ExplainFigures figures = new ExplainBench(3).measure(200, 5);
        assertThat(figures.tasks()).isEqualTo(1_000);
        assertThat(figures.medianSeconds()).isPositive().isLessThanOrEqualTo(figures.maxSeconds());
    }

    @Test
    void noExplanations_areRefused() {
        assertThatThrownBy(() -> new ExplainBench(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
