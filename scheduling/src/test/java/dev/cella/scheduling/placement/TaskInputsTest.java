package dev.cella.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same seed gives the same plan in every JVM only if the places are drawn from in one order. */
class TaskInputsTest {
    @Test
    void places_keepTheirOrder() {
        List<String> names =
                IntStream.range(0, 20).mapToObj(place -> "m" + place).toList();

        TaskInputs inputs = new TaskInputs(new LinkedHashSet<>(names), Set.of());

        assertThat(inputs.machines()).containsExactlyElementsOf(names);
    }

    @Test
    void taskThatAScaleHasAdded_hasNoInput_unlessOneIsForAllTasks() {
        TaskInputs first = new TaskInputs(Set.of("m1"), Set.of());
        TaskInputs second = new TaskInputs(Set.of("m2"), Set.of());

        assertThat(new GroupInputs(List.of(first, second), 0, 0).of(2)).isEqualTo(TaskInputs.NONE);
        assertThat(new GroupInputs(List.of(first), 0, 0).of(2)).isEqualTo(first);
    }
}
