package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.MachineTable;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.MachineStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The machines at one version, with the tasks, holds and queue rows on them. They stay as they are while the cell goes on, and
 * any thread may read them.
 *
 * <p>A list of machines that is made under the lock of the cell holds up every commit for as long as it takes to make all
 * rows. This copy takes one list of pages per table, and the holds and queue rows, which are few. It shares its pages with the
 * cell, which clones a page when it first writes to it after the copy.
 */
public final class MachinesCopy {
    /** The most rows of a queue that are shown with its machine. */
    public static final int QUEUE_SHOWN_MAX = 100;

    /** The queue rows of one machine. */
    private record Queue(int length, List<QueueRow> head) {
        private static final Queue EMPTY = new Queue(0, List.of());
    }

    private final CellVersion version;
    private final CellTime time;
    private final long changedVersion;
    private final Dimensions dimensions;
    private final MachineTable machines;
    private final TaskTable tasks;
    private final Map<Integer, List<HoldRow>> holds = new HashMap<>();
    private final Map<Integer, Queue> queues = new HashMap<>();

    /** Call this on the thread that applies, between two entries, or while nobody else reads. */
    public MachinesCopy(Tables tables) {
        version = new CellVersion(tables.version());
        time = new CellTime(tables.cellTimeMillis());
        changedVersion = tables.machines.changedVersion();
        dimensions = tables.dimensions();
        machines = tables.machines.copy();
        tasks = tables.tasks.copy();
        for (HoldRow hold : tables.holds.all()) {
            holds.computeIfAbsent(hold.slot(), slot -> new ArrayList<>()).add(hold.copy());
        }
        tables.queues.forEachQueue((slot, rows) -> queues.put(
                slot,
                new Queue(rows.size(), rows.stream().limit(QUEUE_SHOWN_MAX).toList())));
    }

    public CellVersion version() {
        return version;
    }

    public CellTime time() {
        return time;
    }

    /** The newest version at which a machine changed, came or went. */
    public long changedVersion() {
        return changedVersion;
    }

    public Dimensions dimensions() {
        return dimensions;
    }

    /** How many machines there are. */
    public int count() {
        return machines.slotsInOrder().length;
    }

    /** The slot of the machine at that place in the order of the names. */
    public int slotAt(int place) {
        return machines.slotsInOrder()[place];
    }

    public MachineStatus status(int slot) {
        return machines.status(slot);
    }

    /** Everything about the machine in a slot that is in use. */
    public MachineRow machine(int slot) {
        return MachineRow.of(machines, dimensions.size(), slot);
    }

    /** The tasks that hold amounts on the machine, each as "job/group/index". */
    public List<String> tasksOn(int slot) {
        List<String> texts = new ArrayList<>(machines.taskCount(slot));
        for (int row = machines.firstTask(slot); row != TaskTable.NO_ROW; row = tasks.nextOnMachine(row)) {
            texts.add(tasks.group(row).text(tasks.index(row)));
        }
        return texts;
    }

    /** How many tasks hold amounts on the machine. */
    public int taskCountOn(int slot) {
        return machines.taskCount(slot);
    }

    /** How many spare tasks are on the machine, those that were told to end included. */
    public int spareTasksOn(int slot) {
        int count = 0;
        for (int row = machines.firstTask(slot); row != TaskTable.NO_ROW; row = tasks.nextOnMachine(row)) {
            count += tasks.isSpare(row) ? 1 : 0;
        }
        return count;
    }

    /** How much of the dimension the machine's spare tasks use. */
    public long spare(int slot, int dimension) {
        long used = 0;
        for (int row = machines.firstTask(slot); row != TaskTable.NO_ROW; row = tasks.nextOnMachine(row)) {
            used += tasks.isSpare(row) ? tasks.shape(row).at(dimension) : 0;
        }
        return used;
    }

    /** The holds on the machine, oldest first. */
    public List<HoldRow> holdsOn(int slot) {
        return holds.getOrDefault(slot, List.of());
    }

    /** How many tasks wait in the machine's queue. */
    public int queuedOn(int slot) {
        return queues.getOrDefault(slot, Queue.EMPTY).length();
    }

    /** The tasks at the head of the machine's queue. */
    public List<QueueRow> queueOn(int slot) {
        return queues.getOrDefault(slot, Queue.EMPTY).head();
    }
}
