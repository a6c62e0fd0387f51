package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SpareToEndTest {
    private final CellOfOneMachine cell = new CellOfOneMachine(Amounts.of(4_000, 4_000));
    private final JobId job = cell.submit("job", JobType.BATCH, 9, Amounts.of(1_000, 100));

    private PlacementId claimed(int index, ClaimKind kind) {
        TaskId task = cell.claim(job, index, kind);
        return cell.view().task(task).orElseThrow().placement().orElseThrow();
    }

    private List<PlacementId> ofMachineWith(long cpuMilli) {
        cell.apply(new Command.PutMachine("m", Amounts.of(cpuMilli, 4_000), new TreeMap<>(), Optional.empty(), false));
        return SpareToEnd.on(cell.view(), 0);
    }

    @Test
    void machineThatShrinks_losesItsYoungestSpareTasks_andNoOtherWork() {
        claimed(0, ClaimKind.SPARE);
        PlacementId second = claimed(1, ClaimKind.SPARE);
        claimed(2, ClaimKind.PLACE);
        PlacementId youngest = claimed(3, ClaimKind.SPARE);

        assertThat(ofMachineWith(4_000)).isEmpty();
        assertThat(ofMachineWith(3_000)).containsExactly(youngest);
        assertThat(ofMachineWith(2_000)).containsExactly(youngest, second);
    }
}
