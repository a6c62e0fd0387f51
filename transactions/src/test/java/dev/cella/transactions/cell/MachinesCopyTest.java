package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachinesCopyTest {
    /** Everything that a list shows of a machine. */
    private record Shown(
            MachineRow machine,
            List<String> tasks,
            int spareTasks,
            long spare,
            List<String> holds,
            int queued,
            List<String> queue) {}

    private static String text(HoldRow hold) {
        return hold.owner() + " got " + hold.got() + " of " + hold.wanted() + " until " + hold.expiresAt();
    }

    private static List<Shown> shown(CellView view) {
        List<Shown> all = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                List<String> tasks = new ArrayList<>();
                view.forEachTaskOn(slot, task -> tasks.add(task.text()));
                List<String> holds =
                        view.holdsOn(slot).stream().map(MachinesCopyTest::text).toList();
                List<String> queue =
                        view.queueOn(slot).stream().map(QueueRow::text).toList();
                all.add(new Shown(
                        view.machine(slot),
                        tasks,
                        view.spareTasksOn(slot),
                        view.spare(slot, 0),
                        holds,
                        view.queuedOn(slot),
                        queue));
            }
        }
        return all;
    }

    private static List<Shown> shown(MachinesCopy copy) {
        List<Shown> all = new ArrayList<>();
        for (int place = 0; place < copy.count(); place++) {
            int slot = copy.slotAt(place);
            List<String> holds =
                    copy.holdsOn(slot).stream().map(MachinesCopyTest::text).toList();
            List<String> queue = copy.queueOn(slot).stream().map(QueueRow::text).toList();
            all.add(new Shown(
                    copy.machine(slot),
                    copy.tasksOn(slot),
                    copy.spareTasksOn(slot),
                    copy.spare(slot, 0),
                    holds,
                    copy.queuedOn(slot),
                    queue));
        }
        return all;
    }

    /** In the order of the names. */
    private static List<Shown> sorted(List<Shown> shown) {
        return shown.stream()
                .sorted(Comparator.comparing(row -> row.machine().name()))
                .toList();
    }

    private static List<String> names(MachinesCopy copy) {
        return shown(copy).stream().map(row -> row.machine().name()).toList();
    }

    @Test
    void copy_readAfterItsCellWentOn_isTheCellOfItsMoment() {
        Cell cell = new Cell(new CellLimits(2_000, 1_000_000, 3));
        History history = new History(7, cell);
        List<MachinesCopy> copies = new ArrayList<>();
        List<List<Shown>> then = new ArrayList<>();
        for (int command = 1; command <= 6_000; command++) {
            cell.apply(new EntryHeader(1, new CellTime(command), command, Incarnation.UNSAID), history.next());
            if (command % 100 == 0) {
                copies.add(cell.copyMachines());
                then.add(sorted(shown(cell.view())));
            }
        }
        for (int place = 0; place < copies.size(); place++) {
            assertThat(shown(copies.get(place))).isEqualTo(then.get(place));
        }
        List<Shown> rows = then.stream().flatMap(List::stream).toList();
        assertThat(rows).anyMatch(row -> !row.tasks().isEmpty());
        assertThat(rows).anyMatch(row -> !row.holds().isEmpty());
        assertThat(rows).anyMatch(row -> row.queued() > 0);
    }

    /** Commits wait for it, so it must not read a row: the rows of as many machines take 300 bytes and more each. */
    @Test
    void copy_ofManyMachines_isListsOfPages() {
        int machines = 6_400;
        TestCell cell = new TestCell(CellLimits.STANDARD, false);
        for (int machine = 0; machine < machines; machine++) {
            cell.machine("m" + machine, 4_000, 8_192);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        MachinesCopy copy = cell.cell.copyMachines();
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(copy.count()).isEqualTo(machines);
        assertThat(bytes).isLessThan(8L * machines);
    }

    /** Every list asks for it, also for a page of one row. */
    @Test
    void order_isSharedByCopies_untilAMachineComesOrGoes() {
        TestCell cell = new TestCell();
        cell.machine("m2", 4_000, 8_192);
        cell.machine("m1", 4_000, 8_192);
        cell.machine("m3", 4_000, 8_192);
        cell.job("j", 1, 100, 100);
        MachinesCopy first = cell.cell.copyMachines();
        assertThat(names(first)).containsExactly("m1", "m2", "m3");

        cell.place("j", 0, "m1");
        MachinesCopy later = cell.cell.copyMachines();
        assertThat(bytesToCount(later)).as("nothing is sorted again").isZero();
        assertThat(names(later)).containsExactly("m1", "m2", "m3");

        cell.change("m2", Command.MachineChange.REMOVE, false);
        assertThat(names(cell.cell.copyMachines())).containsExactly("m1", "m3");
        cell.machine("m0", 4_000, 8_192);
        assertThat(names(cell.cell.copyMachines())).containsExactly("m0", "m1", "m3");
        assertThat(names(later)).containsExactly("m1", "m2", "m3");
    }

    private static long bytesToCount(MachinesCopy copy) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        int unused = copy.count();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void changedVersion_countsMachinesThatWent() {
        TestCell cell = new TestCell();
        cell.machine("m1", 4_000, 8_192);
        cell.machine("m2", 4_000, 8_192);
        long came = cell.version().number();
        assertThat(cell.view().machinesChangedVersion()).isEqualTo(came);

        cell.job("j", 1, 100, 100);
        assertThat(cell.view().machinesChangedVersion()).isEqualTo(came);

        cell.place("j", 0, "m1");
        assertThat(cell.view().machinesChangedVersion())
                .isEqualTo(cell.version().number());

        cell.change("m2", Command.MachineChange.REMOVE, false);
        assertThat(cell.view().machinesChangedVersion())
                .isEqualTo(cell.version().number());
        assertThat(cell.replica.view().machinesChangedVersion())
                .isEqualTo(cell.version().number());
    }

    @Test
    void jobsChangedVersion_isTheNewestOfAllJobs() {
        TestCell cell = new TestCell();
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 100, 100);
        long submitted = cell.version().number();
        assertThat(cell.view().jobsChangedVersion()).isEqualTo(submitted);
        cell.machine("m2", 4_000, 8_192);
        assertThat(cell.view().jobsChangedVersion()).isEqualTo(submitted);
        cell.place("j", 0, "m");
        assertThat(cell.view().jobsChangedVersion()).isEqualTo(cell.version().number());
        assertThat(cell.reloaded().view().jobsChangedVersion())
                .isEqualTo(cell.version().number());
    }
}
