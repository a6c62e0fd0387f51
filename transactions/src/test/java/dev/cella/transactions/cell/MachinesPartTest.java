package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.copies.MachinesPart;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MachinesPartTest {
    private static final CellLimits LIMITS = new CellLimits(40, 400, 3, 60);

    private static Cell played(int seed) {
        Cell cell = new Cell(LIMITS);
        History history = new History(seed, cell);
        for (int at = 1; at <= 150; at++) {
            cell.apply(new EntryHeader(1, new CellTime(at), at, Incarnation.UNSAID), history.next());
        }
        return cell;
    }

    /** Everything that an agent reads of its machine, without the numbers of slots and rows. */
    private static List<Object> shown(CellView view, int slot) {
        List<Object> shown = new ArrayList<>();
        shown.add(view.machineId(slot));
        shown.add(view.status(slot));
        shown.add(view.agent(slot));
        shown.add(view.capacityMembers(slot));
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            shown.add(List.of(view.capacity(slot, dimension), view.free(slot, dimension)));
        }
        view.forEachTaskOn(slot, task -> {
            shown.add(task.id());
            shown.add(task.state());
            shown.add(task.reason());
            shown.add(task.attempt());
            shown.add(task.generation());
            shown.add(task.placement());
            shown.add(task.resources());
            shown.add(task.waitingFor());
            shown.add(task.spare());
            shown.add(view.job(task.id().job()).map(job -> job.stopGraceMillis()));
        });
        view.holdsOn(slot).forEach(hold -> shown.add(hold.owner() + " got " + hold.got() + " of " + hold.wanted()));
        for (QueueRow row : view.queueOn(slot)) {
            shown.add(row.task() + " " + row.ordinal() + " " + row.origin().version());
        }
        return shown;
    }

    /** The tasks on machines of the groups that have one on the machine with that identity. */
    private static Set<String> peers(CellView view, MachineId machine) {
        Set<String> groups = new TreeSet<>();
        view.forEachTaskOn(view.findMachine(machine).getAsInt(), task -> groups.add(group(task)));
        Set<String> tasks = new TreeSet<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                view.forEachTaskOn(slot, task -> {
                    if (groups.contains(group(task))) {
                        tasks.add(task.id() + " on " + task.machineName() + " " + task.resources());
                    }
                });
            }
        }
        return tasks;
    }

    private static String group(TaskRow task) {
        return task.id().job() + " " + task.id().group();
    }

    @Test
    void part_ofRandomCells_showsTheMachineAsTheCellDoes() {
        for (int seed = 1; seed <= 60; seed++) {
            Cell cell = played(seed);
            CellView whole = cell.view();
            for (int slot = 0; slot < whole.machineSlots(); slot++) {
                if (whole.machineExists(slot)) {
                    String name = whole.machineName(slot);
                    boolean withPeers = slot % 2 == 0;
                    MachinesPart.Made made = whole.part(List.of(name, "no-such"), group -> withPeers, List.of());
                    CellReplica replica = new CellReplica();
                    replica.load(made.chunks());
                    CellView part = replica.view();

                    OptionalInt there = part.findMachine(whole.machineId(slot));
                    assertThat(there).as("seed %s machine %s", seed, name).isPresent();
                    assertThat(shown(part, there.getAsInt()))
                            .as("seed %s machine %s", seed, name)
                            .isEqualTo(shown(whole, slot));
                    assertThat(part.version()).isEqualTo(whole.version());
                    assertThat(made.slots()).containsExactly(slot);
                    if (withPeers) {
                        assertThat(peers(part, whole.machineId(slot))).isEqualTo(peers(whole, whole.machineId(slot)));
                    }
                }
            }
        }
    }
}
