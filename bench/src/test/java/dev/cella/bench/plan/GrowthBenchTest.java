package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.bench.plan.GrowthFigures.Part;
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

    private static GrowthFigures cell(int machines) {
        return new GrowthFigures(
                machines, 1, Map.of(Part.LISTS, 3.0 * machines, Part.COMMIT, 7.0, Part.PLAN, Math.sqrt(machines)));
    }

    @Test
    void noRounds_areRefused() {
        assertThatThrownBy(() -> new GrowthBench(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
