package dev.cella.cli.demo;

import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.net.URI;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * Follows the demo's cell by the feed, as every scheduler does: running tasks, the waits of jobs, and the tasks of the lost
 * machine. Times are the log's own, so the output does not depend on this thread's speed.
 *
 * <p>Its state belongs to its one thread; readings are handed out as values.
 */
final class DemoWatch implements AutoCloseable {
    private final ScheduledThreadPoolExecutor owner;
    private final CellConnection connection;
    private final PrivateReplica replica;
    private final NaiveReplay replay = new NaiveReplay();
    private final Map<String, JobTimes> times = new LinkedHashMap<>();
    private final Set<JobId> knownJobs = new HashSet<>();
    private final Set<TaskId> lostTasks = new HashSet<>();
    private final Set<TaskId> lostAndNotRunning = new HashSet<>();
    private OptionalLong lostAtMillis = OptionalLong.empty();
    private OptionalLong allRunningAtMillis = OptionalLong.empty();
    private boolean resynced;
    private long placed;
    private long version;
    private long wallTimeMillis;

    /** The cell at one moment. */
    record Reading(
            long version,
            double cpuUsed,
            int running,
            int pending,
            long placed,
            Map<String, JobTimes.Summary> jobs,
            Loss loss) {}

    /**
     * The tasks of the lost machine.
     *
     * @param tasks how many it had
     * @param waiting how many of them were not running again so far
     * @param elsewhereAfterMillis how long after the loss the last of them was running again, once it was
     */
    record Loss(int tasks, int waiting, OptionalLong elsewhereAfterMillis) {}

    /** The result of the replay: how many versions it saw, and the first violation. */
    record Verdict(long versions, Optional<String> violation) {}

    private DemoWatch(URI cell, long seed) {
        this.owner = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "demo-watch");
            thread.setDaemon(true);
            return thread;
        });
        owner.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        DemoScript.PLANNERS.forEach(planner -> times.put(planner.name(), new JobTimes()));
        this.connection = CellConnection.open(cell);
        this.replica = new PrivateReplica(connection, owner, Backoff.standard(new SplittableRandom(seed)), new Shown());
    }

    static DemoWatch start(URI cell, long seed) {
        DemoWatch watch = new DemoWatch(cell, seed);
        watch.replica.start();
        return watch;
    }

    Reading read() {
        return ask(this::reading);
    }

    /** Returns whether a task is on the machine of that name. */
    boolean hasTasks(String machine) {
        return ask(() -> {
            CellView view = replica.view();
            OptionalInt slot = view.findMachine(machine);
            return slot.isPresent() && view.tasksOn(slot.getAsInt()) > 0;
        });
    }

    /** The result of the replay as far as the feed has come. */
    Verdict verdict() {
        return ask(() -> new Verdict(
                replay.versions(),
                replay.violation()
                        .or(() -> resynced ? Optional.of("the feed was lost on the way") : Optional.empty())));
    }

    private <T> T ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, owner).join();
    }

    private Reading reading() {
        CellView view = replica.view();
        Map<String, JobTimes.Summary> jobs = new LinkedHashMap<>();
        times.forEach((scheduler, of) -> jobs.put(scheduler, of.summary()));
        return new Reading(
                view.version().number(),
                cpuUsed(view),
                view.taskCounts().of(TaskState.RUNNING),
                view.taskCounts().of(TaskState.PENDING),
                placed,
                jobs,
                new Loss(lostTasks.size(), lostAndNotRunning.size(), elsewhereAfterMillis()));
    }

    private OptionalLong elsewhereAfterMillis() {
        return lostAtMillis.isPresent() && allRunningAtMillis.isPresent()
                ? OptionalLong.of(allRunningAtMillis.getAsLong() - lostAtMillis.getAsLong())
                : OptionalLong.empty();
    }

    private static double cpuUsed(CellView view) {
        long capacity = 0;
        long free = 0;
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot) && view.status(slot) != MachineStatus.DOWN) {
                capacity += view.capacity(slot, Dimensions.CPU_MILLI);
                free += view.free(slot, Dimensions.CPU_MILLI);
            }
        }
        return capacity == 0 ? 0 : (double) (capacity - free) / capacity;
    }

    private final class Shown implements ReplicaListener, TouchedRows {
        /** The first copy is of an empty cell; a later copy leaves a gap. */
        @Override
        public void replaced(CellView view) {
            resynced = version > 0;
            for (int slot = 0; slot < view.machineSlots(); slot++) {
                machine(slot);
            }
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void advanced(CellView view) {
            // each version was heard of by itself
        }

        @Override
        public void version(CellVersion next, CellTime time, long wallTime, Optional<Origin> transaction) {
            version = next.number();
            wallTimeMillis = wallTime;
            replay.version(version);
        }

        @Override
        public void machine(int slot) {
            CellView view = replica.view();
            if (view.machineExists(slot)) {
                MachineRow machine = view.machine(slot);
                replay.machine(machine.name(), machine.capacity(), machine.free());
            }
        }

        @Override
        public void job(JobId id) {
            replica.view().job(id).ifPresent(DemoWatch.this::see);
        }

        @Override
        public void task(TaskId id) {
            replica.view().task(id).ifPresent(DemoWatch.this::see);
        }
    }

    private void see(JobRow job) {
        JobTimes of = times.get(job.header().scheduler());
        if (of == null) {
            return;
        }
        if (knownJobs.add(job.id())) {
            of.submitted();
        }
        long since = wallTimeMillis - job.submittedAtMillis();
        if (job.attempts() > 0) {
            of.attempted(job.id(), since);
        }
        if (job.pending() == 0) {
            of.placed(job.id(), since);
        }
    }

    private void see(TaskRow task) {
        replay.task(task.id(), task.state(), task.machineName(), task.resources(), task.placement());
        if (task.state() == TaskState.PLACED
                && task.placement().filter(of -> of.version() == version).isPresent()) {
            placed++;
        }
        seeLoss(task);
    }

    private void seeLoss(TaskRow task) {
        if (task.state() == TaskState.LOST) {
            if (lostAtMillis.isEmpty()) {
                lostAtMillis = OptionalLong.of(wallTimeMillis);
            }
            lostTasks.add(task.id());
            lostAndNotRunning.add(task.id());
            allRunningAtMillis = OptionalLong.empty();
        } else if (task.state() == TaskState.RUNNING
                && lostAndNotRunning.remove(task.id())
                && lostAndNotRunning.isEmpty()) {
            allRunningAtMillis = OptionalLong.of(wallTimeMillis);
        }
    }

    @Override
    public void close() {
        replica.close();
        owner.shutdown();
        connection.close();
    }
}
