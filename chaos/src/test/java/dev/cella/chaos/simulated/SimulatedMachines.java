package dev.cella.chaos.simulated;

import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The agents of all machines. A placed task runs for a while, then finishes, or now and then fails. A service's task runs
 * longer, and it fails as often as not. A task ends soon after it is told to stop.
 */
final class SimulatedMachines {
    private static final int TASKS_TO_ONE_FAILED = 20;
    private static final int TASKS_TO_ONE_SERVICE_FAILED = 2;
    private static final long RUN_MILLIS = 400;
    private static final long SERVE_MILLIS = 20_000;
    private static final long QUEUE_MILLIS = 2;

    private final SimulatedWorld world;
    private final SplittableRandom random;
    private boolean forEver;
    private boolean servicesForEver;
    private final Set<PlacementId> known = new HashSet<>();
    private final Set<Integer> looking = new HashSet<>();
    private long starts;

    SimulatedMachines(SimulatedWorld world, SplittableRandom random) {
        this.world = world;
        this.random = random;
    }

    void runTasksForever() {
        forEver = true;
    }

    void keepServicesRunning() {
        servicesForEver = true;
    }

    TouchedRows touchedRows() {
        return new TouchedRows() {
            @Override
            public void version(
                    CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

            @Override
            public void machine(int slot) {
                lookSoon(slot);
            }

            @Override
            public void job(JobId job) {}

            @Override
            public void task(TaskId task) {
                world.view().task(task).ifPresent(SimulatedMachines.this::see);
            }

            @Override
            public void session(SessionId session) {}
        };
    }

    private void see(TaskRow task) {
        if (task.state() == TaskState.PLACED) {
            start(task);
        } else if (task.state() == TaskState.STOPPING) {
            stop(task);
        }
    }

    private void lookSoon(int slot) {
        if (world.view().queuedOn(slot) > 0 && looking.add(slot)) {
            world.after(QUEUE_MILLIS, () -> {
                looking.remove(slot);
                startHeads(slot);
            });
        }
    }

    /** Starts what waits in the machine's queue, from the head on, until one has no room. */
    private void startHeads(int slot) {
        boolean started = true;
        for (QueueRow row : List.copyOf(world.view().queueOn(slot))) {
            started = started && (!world.view().queueOn(slot).contains(row) || isStarted(row));
        }
    }

    private boolean isStarted(QueueRow row) {
        JobRow job = row.group().job();
        CommandResult result = world.apply(new Command.CommitTransaction(Transaction.builder(
                        new TransactionId("start-" + starts++), job.header().scheduler())
                .claim(row.task(), job.generation(), row.slot())
                .kind(ClaimKind.START)
                .build()));
        return ((CommandResult.Decided) result).outcome().accepted() > 0;
    }

    private void start(TaskRow task) {
        if (known.add(task.placement().orElseThrow())) {
            boolean serves =
                    world.view().job(task.id().job()).orElseThrow().header().type() == JobType.SERVICE;
            long runs = 1 + random.nextLong(serves ? SERVE_MILLIS : RUN_MILLIS);
            boolean fails = random.nextInt(serves ? TASKS_TO_ONE_SERVICE_FAILED : TASKS_TO_ONE_FAILED) == 0;
            world.after(1, () -> report(task, TaskState.RUNNING));
            if (!forEver && !(serves && servicesForEver)) {
                world.after(1 + runs, () -> report(task, fails ? TaskState.FAILED : TaskState.FINISHED));
            }
        }
    }

    /** Without an agent the cell ends a task at once; with one, the task holds its amounts until this report. */
    private void stop(TaskRow task) {
        TaskState end = task.reason() == TaskReason.PREEMPTED ? TaskState.PREEMPTED : TaskState.KILLED;
        world.after(1, () -> report(task, end));
    }

    /** A report about an attempt that was lost meanwhile is refused, and changes nothing. */
    private void report(TaskRow task, TaskState state) {
        world.apply(new Command.ReportTask(
                task.id(),
                task.attempt(),
                task.placement(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty()));
    }
}
