package dev.cella.scheduler.batch.sparrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SamplePlan;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the type {@code sparrow} queues, and what it does not. */
class SparrowPlannerTest {
    private final SampleCell cell = SampleCell.of(0, 0, 0);

    SparrowPlannerTest() {
        for (int machine = 0; machine < 6; machine++) {
            cell.machine("m" + machine, 4_000, 8_192, Map.of("rack", "r" + machine % 3));
        }
    }

    @Test
    void tasks_waitOnTwoMachinesEach() {
        SamplePlan plan = cell.plan(new SparrowPlanner(2), SampleCell.batch("j", 3, 1_000, 512));
        assertThat(plan.claims()).isEqualTo(6);
        assertThat(kinds(plan)).containsOnly(ClaimKind.QUEUE);
    }

    /** Two such tasks in the queues of one rack could both start there. */
    @Test
    void tasksThatMustKeepApart_arePlacedAtOnce() {
        GroupPlacement apart = GroupPlacement.ANYWHERE.with(new Distinct("rack", 1));
        cell.asks("j", 1, new Placement(List.of(apart)));
        SamplePlan plan = cell.plan(new SparrowPlanner(2), SampleCell.batch("j", 4, 1_000, 512));
        assertThat(plan.claims()).isEqualTo(3);
        assertThat(kinds(plan)).containsOnly(ClaimKind.PLACE);
        assertThat(plan.unplaced()).hasSize(1);
    }

    private static List<ClaimKind> kinds(SamplePlan plan) {
        Transaction only = plan.transactions().get(0);
        return IntStream.range(0, only.claims()).mapToObj(only::kind).toList();
    }
}
