package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * N planners that plan on one view, each with K claims on different slots that it draws from S free ones: the commit rule
 * accepts S (1 - (1 - K/S)^N) of them on average. The conflicts are within 5 % of that.
 */
class ConflictsClosedFormTest {
    private static final double TOLERANCE = 0.05;

    private final TestCell cell = new TestCell(new CellLimits(10_000, 3_600_000, 10_000), false);
    private int transactions;
    private int tasks;

    @ParameterizedTest
    @CsvSource({"1000, 10, 8, 1000", "200, 20, 4, 100", "100, 50, 3, 20"})
    void conflictsOfIndependentPlanners_areThoseOfTheClosedForm(int slots, int claims, int planners, int rounds) {
        Random random = new Random(13);
        for (int slot = 0; slot < slots; slot++) {
            cell.machine("m" + slot, 1, 0);
        }
        cell.apply(TestCell.submit("job", "planner", planners * claims * rounds, 1, 0, Command.SubmitMode.CREATE));
        long accepted = 0;
        long conflicts = 0;
        for (int round = 0; round < rounds; round++) {
            int placed = race(slots, claims, planners, random);
            accepted += placed;
            conflicts += (long) planners * claims - placed;
        }
        double expected = slots * (1 - Math.pow(1 - (double) claims / slots, planners));
        assertThat((double) accepted / rounds).isCloseTo(expected, within(TOLERANCE * expected));
        double lost = (double) planners * claims - expected;
        assertThat((double) conflicts / rounds).isCloseTo(lost, within(TOLERANCE * lost));
    }

    /** Returns how many claims are accepted. Afterwards all slots are free again. */
    private int race(int slots, int claims, int planners, Random random) {
        CellVersion basis = cell.version();
        List<Integer> placed = new ArrayList<>();
        for (int planner = 0; planner < planners; planner++) {
            Transaction.Builder plan = Transaction.builder(new TransactionId("t" + transactions++), "planner")
                    .basis(basis);
            int first = tasks;
            random.ints(0, slots)
                    .distinct()
                    .limit(claims)
                    .forEach(slot -> plan.claim(cell.task("job", tasks++), cell.generation("job"), slot));
            Outcome outcome = cell.commit(plan);
            for (int claim = 0; claim < claims; claim++) {
                if (outcome.isAccepted(claim)) {
                    placed.add(first + claim);
                } else {
                    assertThat(outcome.result(claim).conflict())
                            .as("%s", outcome.result(claim))
                            .isTrue();
                }
            }
        }
        placed.forEach(index -> cell.report("job", index, TaskState.FAILED));
        return placed.size();
    }
}
