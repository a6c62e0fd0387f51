package dev.cella.chaos.history;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The committed log, applied once more to an empty cell: each command with its result, and the rows that the change stream
 * then showed. It also keeps the digest after each entry.
 */
public final class Replay {
    /** A task in the change stream. {@code machine} is -1 when it holds nothing. */
    public record TaskFact(
            TaskId task,
            TaskState state,
            TaskReason reason,
            int attempt,
            int machine,
            Amounts resources,
            Optional<PlacementId> placement) {}

    /** A machine in the change stream; no name when its slot is empty. */
    public record MachineFact(int slot, Optional<String> name, MachineStatus status, Amounts capacity, Amounts free) {}

    /**
     * One command of the log.
     *
     * @param command nothing if its bytes are none
     */
    public record Step(
            long version,
            long atNanos,
            long cellTimeMillis,
            Optional<Command> command,
            CommandResult result,
            List<TaskFact> tasks,
            List<MachineFact> machines) {}

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** An entry is stamped before it is committed, and clocks of machines are corrected. */
    private static final long AHEAD_MILLIS_MAX = 2_000;

    private final List<Step> steps;
    private final Map<Long, Long> digests;
    private final Cell cell;
    private final List<String> problems;
    private CellTime firstCellTime = CellTime.ZERO;

    private Replay(List<Step> steps, Map<Long, Long> digests, Cell cell, List<String> problems) {
        this.steps = steps;
        this.digests = digests;
        this.cell = cell;
        this.problems = problems;
    }

    /** Replays the log of a run. */
    public static Replay of(History history) {
        Cell cell = new Cell(history.limits());
        Replay replay = new Replay(new ArrayList<>(), new HashMap<>(), cell, new ArrayList<>());
        for (History.LogEntry each : history.log) {
            Entry entry = EntryCodec.decode(each.bytes());
            replay.checkClock(history.log.get(0), each, entry.header().cellTime());
            replay.apply(each.atNanos(), entry.notBefore(cell.view().time()));
        }
        return replay;
    }

    /** A leader continues the clock of the log with its monotonic clock, so cell time never runs ahead of time. */
    private void checkClock(History.LogEntry first, History.LogEntry each, CellTime cellTime) {
        if (each == first) {
            firstCellTime = cellTime;
        }
        long cellMillis = cellTime.millis() - firstCellTime.millis();
        long millis = (each.atNanos() - first.atNanos()) / NANOS_PER_MILLI;
        if (cellMillis > millis + AHEAD_MILLIS_MAX) {
            problems.add("cell time ran " + cellMillis + " ms in " + millis + " ms, up to " + cellTime);
        }
    }

    /** The same cell with other steps, for tests that plant a violation. */
    public Replay withSteps(List<Step> others) {
        return new Replay(List.copyOf(others), digests, cell, problems);
    }

    private void apply(long atNanos, Entry entry) {
        for (byte[] bytes : entry.commands()) {
            Optional<Command> command = decode(bytes);
            CommandResult result = command.isPresent()
                    ? cell.apply(entry.header(), command.get())
                    : cell.apply(new Entry(entry.header(), List.of(bytes))).get(0);
            Touched touched = new Touched(cell.view());
            ChangedRows.tell(cell.takeChanges(), cell.view(), touched);
            steps.add(new Step(
                    cell.view().version().number(),
                    atNanos,
                    entry.header().cellTime().millis(),
                    command,
                    result,
                    touched.tasks,
                    touched.machines));
        }
        digests.put(cell.view().version().number(), cell.view().digest());
    }

    private static Optional<Command> decode(byte[] bytes) {
        try {
            return Optional.of(CommandCodec.decodeCommand(bytes));
        } catch (DamagedBytesException | IllegalArgumentException undecodable) {
            return Optional.empty();
        }
    }

    public List<Step> steps() {
        return steps;
    }

    /** The digest at the end of the entry that ends with that version. */
    public Optional<Long> digestAt(long version) {
        return version == 0 ? Optional.empty() : Optional.ofNullable(digests.get(version));
    }

    /** The cell's tables at the end, as bytes. */
    public List<byte[]> snapshot() {
        return cell.snapshotForReplicas();
    }

    /** The faults of the log itself. */
    public List<String> problems() {
        return problems;
    }

    /** The cell as it was at the end. */
    public CellView end() {
        return cell.view();
    }

    /** Collects the rows that one command touched. */
    private static final class Touched implements TouchedRows {
        private final CellView view;
        private final List<TaskFact> tasks = new ArrayList<>();
        private final List<MachineFact> machines = new ArrayList<>();

        Touched(CellView view) {
            this.view = view;
        }

        @Override
        public void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

        @Override
        public void machine(int slot) {
            if (!view.machineExists(slot)) {
                machines.add(new MachineFact(slot, Optional.empty(), MachineStatus.DOWN, Amounts.NONE, Amounts.NONE));
                return;
            }
            machines.add(new MachineFact(
                    slot,
                    Optional.of(view.machineName(slot)),
                    view.status(slot),
                    amounts(slot, true),
                    amounts(slot, false)));
        }

        private Amounts amounts(int slot, boolean capacity) {
            long[] values = new long[view.dimensions().size()];
            for (int dimension = 0; dimension < values.length; dimension++) {
                long value = capacity ? view.capacity(slot, dimension) : view.free(slot, dimension);
                values[dimension] = Math.max(0, value);
            }
            return Amounts.of(values);
        }

        @Override
        public void job(JobId job) {}

        @Override
        public void task(TaskId task) {
            view.task(task).map(Touched::fact).ifPresentOrElse(tasks::add, () -> tasks.add(gone(task)));
        }

        private static TaskFact fact(TaskRow row) {
            return new TaskFact(
                    row.id(),
                    row.state(),
                    row.reason(),
                    row.attempt(),
                    row.state().isOnMachine() ? row.machine().orElse(-1) : -1,
                    row.resources(),
                    row.placement());
        }

        private static TaskFact gone(TaskId task) {
            return new TaskFact(task, TaskState.KILLED, TaskReason.NONE, 0, -1, Amounts.NONE, Optional.empty());
        }

        @Override
        public void session(SessionId session) {}
    }
}
