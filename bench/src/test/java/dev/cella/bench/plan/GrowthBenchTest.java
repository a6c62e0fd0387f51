package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.bench.plan.GrowthFigures.Part;
import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrowthBenchTest {
    @Test
    void figures_areThereForEachPart() {
        GrowthFigures figures = new GrowthBench(1).measure(100, 1_000);
        assertThat(figures.micros()).containsOnlyKeys(Part.values());
        assertThat(figures.micros().values()).allMatch(micros -> micros > 0);
    }

    @Test
    void exponent_isTheSlopeOfTheLogarithms() {
        List<GrowthFigures> cells = List.of(cell(10), cell(100), cell(1_000));
        assertThat(GrowthFigures.exponent(cells, Part.LISTS, GrowthFigures::machines))
                .isCloseTo(1, within(1e-9));
        assertThat(GrowthFigures.exponent(cells, Part.COMMIT, GrowthFigures::machines))
                .isCloseTo(0, within(1e-9));
        assertThat(GrowthFigures.exponent(cells, Part.PLAN, GrowthFigures::machines))
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void fixedCost_hidesGrowth_exceptAtTheEnd() {
        List<GrowthFigures> cells = List.of(listing(1_000_000), listing(100), listing(1_000), listing(10_000_000));
        assertThat(GrowthFigures.exponent(cells, Part.LISTS, GrowthFigures::machines))
                .isLessThan(0.8);
        assertThat(GrowthFigures.exponentAtTheEnd(cells, Part.LISTS, GrowthFigures::machines))
                .isCloseTo(1, within(0.05));
    }

    private static GrowthFigures listing(int machines) {
        return new GrowthFigures(machines, 1, Map.of(Part.LISTS, 10_000.0 + machines));
    }

    /** A claim for a job that the private copy does not have cannot be applied to it. */
    @Test
    void jobSubmittedBetweenRounds_isInThePrivateCopy() {
        assertThat(new GrowthBench(2).measure(100, JobHeader.TASKS_MAX - 6_000).microsOf(Part.FEED))
                .isPositive();
    }

    @Test
    void best_isTheLowerCostOfEachPart() {
        GrowthFigures one = new GrowthFigures(100, 1, Map.of(Part.COMMIT, 1.0, Part.FEED, 4.0));
        GrowthFigures again = new GrowthFigures(100, 1, Map.of(Part.COMMIT, 2.0, Part.FEED, 3.0));
        assertThat(one.best(again)).isEqualTo(new GrowthFigures(100, 1, Map.of(Part.COMMIT, 1.0, Part.FEED, 3.0)));
    }

    private static GrowthFigures cell(int machines) {
        return new GrowthFigures(
                machines, 1, Map.of(Part.LISTS, 3.0 * machines, Part.COMMIT, 7.0, Part.PLAN, Math.sqrt(machines)));
    }

    @Test
    void noRounds_areRefused() {
        assertThatThrownBy(() -> new GrowthBench(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
