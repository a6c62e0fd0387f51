package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Rights;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * The items that a planner drafts besides claims have the same effect on the draft as their commit has on the cell.
 */
class DraftedItemsTest {
    private final TestCell cell = new TestCell();

    private TaskRow victimOn(String machine, long cpuMilli) {
        cell.job("victim", 1, cpuMilli, 0);
        cell.place("victim", 0, machine);
        return cell.row("victim", 0);
    }

    @Test
    void takeOver_ofAVictimWithoutAgent_frees_asTheCommitDoes() {
        cell.machine("m1", 4_000, 0);
        TaskRow victim = victimOn("m1", 3_000);
        cell.job("urgent", 1, 2_500, 0);
        Draft draft = cell.view().draft();
        int slot = cell.slot("m1");
        Amounts asked = Amounts.of(2_500);
        assertThat(draft.firstLacking(slot, asked)).isZero();
        assertThat(draft.firstLackingBeside(slot, asked, List.of(victim))).isEqualTo(-1);
        draft.takeOver(slot, asked, List.of(victim));
        cell.apply(new Command.SetRights("batch", new Rights(100, List.of(), true, Rights.Evicts.ANY)));
        cell.commit(cell.transaction("t")
                .claim(cell.task("urgent", 0), cell.generation("urgent"), slot)
                .evict(new Eviction(victim.id(), victim.attempt(), OptionalInt.of(0))));
        assertThat(draft.free(slot, 0)).isEqualTo(1_500);
        assertThat(cell.view().free(slot, 0)).isEqualTo(1_500);
    }

    @Test
    void takeOver_ofAVictimWithAnAgent_leavesItWhatItDoesNotHandOver() {
        cell.machineWithAgent("m1", 4_000, 0, "boot");
        TaskRow victim = victimOn("m1", 3_000);
        Draft draft = cell.view().draft();
        draft.takeOver(cell.slot("m1"), Amounts.of(2_500), List.of(victim));
        assertThat(draft.free(cell.slot("m1"), 0)).isEqualTo(1_000);
    }

    @Test
    void end_freesOnlyWhereNoAgentReports() {
        cell.machine("m1", 4_000, 0);
        TaskRow task = victimOn("m1", 3_000);
        Draft draft = cell.view().draft();
        draft.end(task);
        assertThat(draft.free(cell.slot("m1"), 0)).isEqualTo(4_000);
    }

    @Test
    void reserve_getsWhatIsFreeOfWhatIsWanted() {
        cell.machine("m1", 4_000, 0);
        Draft draft = cell.view().draft();
        assertThat(draft.reserve(cell.slot("m1"), Amounts.of(5_000))).isEqualTo(Amounts.of(4_000));
        assertThat(draft.free(cell.slot("m1"), 0)).isZero();
    }
}
