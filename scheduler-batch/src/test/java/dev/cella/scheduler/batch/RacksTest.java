package dev.cella.scheduler.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Racks as successive plans of one scheduler see them. */
class RacksTest {
    private static final CellTime NOW = new CellTime(1_000);

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Surroundings surroundings;

    RacksTest() {
        apply(new Command.FoundCell(new CellName("racks"), new Incarnation(1)));
        surroundings = Surroundings.of(cell.view());
    }

    @Test
    void machinesOf_machinesCameMovedAndWentBetweenPlans_areThoseOfTheView() {
        for (int machine = 0; machine < 6; machine++) {
            put("m" + machine, "r" + machine % 2);
            look("m" + machine);
        }
        assertThat(machinesOf("r0")).containsExactly("m0", "m2", "m4");

        put("m6", "r0");
        look("m6");
        put("m1", "r0");
        look("m1");
        change("m2", Command.MachineChange.DRAIN);
        look("m2");
        int slot = slotOf("m4");
        change("m4", Command.MachineChange.REMOVE);
        surroundings.index().look(slot);

        assertThat(machinesOf("r0")).as("with m2, which takes no claims").containsExactly("m0", "m1", "m2", "m6");
        assertThat(machinesOf("r1")).containsExactly("m3", "m5");
        assertThat(machinesOf("r2")).isEmpty();
    }

    @Test
    void machinesOf_narrowedView_areThoseOfTheView() {
        for (int machine = 0; machine < 4; machine++) {
            put("m" + machine, "r0");
        }
        PlanningView narrowed = plan().within(MachineSet.of(3, 1));
        assertThat(new Racks(narrowed).machinesOf("r0")).containsExactly(1, 3);
    }

    /** A plan that read all machines would see the move before the host names the machine. */
    @Test
    void machinesOf_laterPlan_readsOnlyMachinesThatTheHostNamed() {
        put("m0", "r0");
        put("m1", "r1");
        assertThat(machinesOf("r0")).containsExactly("m0");

        put("m1", "r0");
        assertThat(machinesOf("r0")).containsExactly("m0");
        look("m1");
        assertThat(machinesOf("r0")).containsExactly("m0", "m1");
    }

    // ---- the cell

    private List<String> machinesOf(String rack) {
        return new Racks(plan())
                .machinesOf(rack).stream().map(cell.view()::machineName).toList();
    }

    private PlanningView plan() {
        TransactionStamp stamp = new TransactionStamp("s", new SessionId(1), 1, 1);
        return new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, surroundings);
    }

    private void put(String name, String rack) {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of(Racks.ATTRIBUTE, rack));
        apply(new Command.PutMachine(name, Amounts.of(1, 1), attributes, Optional.empty(), false));
    }

    private void change(String name, Command.MachineChange change) {
        apply(new Command.ChangeMachine(cell.view().machineId(slotOf(name)), change, true));
    }

    private void look(String name) {
        surroundings.index().look(slotOf(name));
    }

    private int slotOf(String name) {
        return cell.view().findMachine(name).orElseThrow();
    }

    private void apply(Command command) {
        cell.apply(new EntryHeader(1, NOW, NOW.millis(), cell.view().incarnation()), command);
        cell.takeChanges();
    }
}
