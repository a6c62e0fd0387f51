package dev.cella.simulator.replay;

import dev.cella.scheduling.placement.Placements;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.ReplayedCounts;
import dev.cella.transactions.replay.ReplayedScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cell of a replay: machines as free as the record says, and jobs that arrive as they did. Machines have no agents, so a
 * placed task runs at once, for as long as in the record, and a stopped one ends at once.
 *
 * <p>All loops read the one view, as in a run of the simulator. Owned by the thread that replays.
 */
final class ReplayedCell {
    private static final Incarnation INCARNATION = new Incarnation(1);
    private static final String STANDING = "standing";
    private static final String STANDING_GROUP = "main";
    private static final int FIRST_ATTEMPT = 1;
    private static final int PRIORITY = 50;
    private static final long LEASE_MILLIS = 10_000;
    private static final CellLimits LIMITS = new CellLimits(2_000_000, 24 * 3_600_000L, JobHeader.TASKS_MAX);

    /** A job of the window, and those of its tasks that had a place. */
    private static final class Waiting {
        final RecordedWindow.Arrival arrival;
        private final Set<TaskId> placed = new HashSet<>();

        Waiting(RecordedWindow.Arrival arrival) {
            this.arrival = arrival;
        }

        /** Notes that the task has a place. Returns whether now all tasks have had one; a task that is evicted has several. */
        boolean isWholeWith(TaskId task) {
            return placed.add(task) && placed.size() == arrival.header().tasks();
        }
    }

    /** The jobs of one scheduler. */
    private static final class Jobs {
        long submitted;
        long placed;
        double waitSeconds;
    }

    private final EventHeap heap;
    private final Placements placements;
    private final long endNanos;
    private final Cell cell = new Cell(LIMITS);
    private final List<ReplayedLoop<?>> loops = new ArrayList<>();
    private final Map<JobId, Waiting> waiting = new HashMap<>();
    private final Map<String, Jobs> jobsOf = new HashMap<>();
    private long transactions;
    private boolean tells;

    ReplayedCell(RecordedWindow window, EventHeap heap, Placements placements) {
        this.heap = heap;
        this.placements = placements;
        this.endNanos = nanos(window.lengthMillis());
        apply(new Command.FoundCell(new CellName("replayed"), INCARNATION));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        for (int place = Dimensions.FOUNDING.size(); place < window.dimensions().size(); place++) {
            Dimension added = window.dimensions().at(place);
            // The record has how many members of a set are free, and not which.
            done(new Command.AddDimension(new Dimension(added.name(), Dimension.Kind.COUNT)));
        }
        for (RecordedWindow.Room machine : window.machines()) {
            done(new Command.PutMachine(
                    machine.name(), machine.capacity(), new TreeMap<>(machine.attributes()), Optional.empty(), false));
        }
        stand(window);
    }

    long nanos(long millis) {
        return millis * VirtualTime.NANOS_PER_MILLI;
    }

    long endNanos() {
        return endNanos;
    }

    CellView view() {
        return cell.view();
    }

    Placements placements() {
        return placements;
    }

    /** The cell's clock, which counts milliseconds. */
    CellTime time() {
        return new CellTime(heap.nowNanos() / VirtualTime.NANOS_PER_MILLI);
    }

    // ---- tasks of before

    /** One job for each shape, on the machines of the record. */
    private void stand(RecordedWindow window) {
        Map<Amounts, List<RecordedWindow.Held>> byShape = new HashMap<>();
        List<Amounts> shapes = new ArrayList<>();
        for (RecordedWindow.Held held : window.held()) {
            byShape.computeIfAbsent(held.amounts(), shape -> {
                        shapes.add(shape);
                        return new ArrayList<>();
                    })
                    .add(held);
        }
        for (Amounts shape : shapes) {
            List<RecordedWindow.Held> all = byShape.getOrDefault(shape, List.of());
            for (int from = 0; from < all.size(); from += Transaction.CLAIMS_MAX) {
                stand(shape, all.subList(from, Math.min(all.size(), from + Transaction.CLAIMS_MAX)));
            }
        }
    }

    private void stand(Amounts shape, List<RecordedWindow.Held> held) {
        JobId job = submit(
                new JobHeader(
                        STANDING + "-" + transactions,
                        JobType.BATCH,
                        STANDING,
                        "default",
                        PRIORITY,
                        Atomicity.INCREMENTAL,
                        ConflictRule.RESOURCE,
                        List.of(new GroupHeader(STANDING_GROUP, held.size(), shape, Restart.BATCH))),
                Specification.EMPTY);
        Transaction.Builder claims = begin(STANDING);
        for (int task = 0; task < held.size(); task++) {
            claims.claim(job.version(), 0, task, FIRST_ATTEMPT, held.get(task).machine());
        }
        commit(claims.build());
        for (int task = 0; task < held.size(); task++) {
            TaskId id = new TaskId(job, 0, task);
            heap.at(nanos(held.get(task).endMillis()), () -> stop(STANDING, id, FIRST_ATTEMPT));
        }
    }

    // ---- schedulers and jobs

    SessionId open(ReplayedScheduler scheduler, int number) {
        return new SessionId(done(new Command.OpenSession(
                scheduler.name(),
                Integer.toString(number),
                scheduler.type(),
                LEASE_MILLIS,
                Optional.empty(),
                Optional.empty())));
    }

    void addAll(List<ReplayedLoop<?>> instances) {
        loops.addAll(instances);
        changed();
    }

    void submit(RecordedWindow.Arrival job, ReplayedScheduler scheduler) {
        JobHeader asked = job.header();
        // Two jobs of the record may have one name, of which the first had ended there when the second came.
        JobId id = submit(
                new JobHeader(
                        "job-" + waiting.size(),
                        asked.type(),
                        asked.scheduler(),
                        asked.pool(),
                        asked.priority(),
                        scheduler.atomicity().orElse(asked.atomicity()),
                        scheduler.conflictRule().orElse(asked.conflictRule()),
                        asked.groups().stream().map(ReplayedCell::counted).toList()),
                job.specification());
        waiting.put(id, new Waiting(job));
        jobsOf(scheduler.name()).submitted++;
    }

    private static GroupHeader counted(GroupHeader group) {
        return new GroupHeader(
                group.name(),
                group.count(),
                group.shape().naming(Members.NONE),
                group.restart(),
                group.runningMax(),
                group.failuresMax(),
                group.onLost(),
                group.gang());
    }

    private JobId submit(JobHeader header, Specification specification) {
        return new JobId(done(new Command.SubmitJob(header, specification, Command.SubmitMode.CREATE)));
    }

    private Jobs jobsOf(String scheduler) {
        return jobsOf.computeIfAbsent(scheduler, name -> new Jobs());
    }

    /** Decides the transaction. Its placed tasks begin to run. */
    Outcome commit(Transaction transaction) {
        if (apply(new Command.CommitTransaction(transaction)) instanceof CommandResult.Decided decided) {
            Outcome outcome = decided.outcome();
            for (int claim = 0; claim < Math.min(transaction.claims(), outcome.items()); claim++) {
                if (outcome.isAccepted(claim)) {
                    run(transaction.scheduler(), transaction.task(claim));
                }
            }
            return outcome;
        }
        throw new IllegalStateException("a transaction was not decided: " + transaction);
    }

    private void run(String scheduler, TaskId task) {
        Waiting job = waiting.get(task.job());
        if (job == null) {
            return;
        }
        if (job.isWholeWith(task)) {
            Jobs of = jobsOf(scheduler);
            of.placed++;
            of.waitSeconds += (heap.nowNanos() - nanos(job.arrival.atMillis())) / 1e9;
        }
        long millis = job.arrival.runMillis().get(task.group()).get(task.index());
        if (millis != RecordedWindow.STAYS) {
            int attempt = attempt(task);
            heap.at(heap.nowNanos() + nanos(millis), () -> stop(scheduler, task, attempt));
        }
    }

    private int attempt(TaskId task) {
        return view().task(task).orElseThrow().attempt();
    }

    /** An attempt that was evicted has ended before. The next one runs for the whole time again. */
    private void stop(String scheduler, TaskId task, int attempt) {
        if (attempt(task) == attempt) {
            commit(begin(scheduler)
                    .step(new Step(Step.Kind.STOP, task, attempt))
                    .build());
        }
    }

    private Transaction.Builder begin(String scheduler) {
        return Transaction.builder(new TransactionId("replayed-" + transactions++), scheduler);
    }

    private long done(Command command) {
        if (apply(command) instanceof CommandResult.Done done) {
            return done.identity();
        }
        throw new IllegalStateException("the replayed cell refused " + command);
    }

    private CommandResult apply(Command command) {
        CellTime now = time();
        int level = Math.max(1, cell.view().featureLevel());
        CommandResult result = cell.apply(new EntryHeader(level, now, now.millis(), INCARNATION), command);
        byte[] frames = cell.takeChanges();
        loops.forEach(loop -> ChangedRows.tell(frames, view(), loop.touchedRows()));
        changed();
        return result;
    }

    /** All learn of a change before time goes on. */
    private void changed() {
        if (!tells && !loops.isEmpty()) {
            tells = true;
            heap.at(heap.nowNanos(), () -> {
                tells = false;
                loops.forEach(ReplayedLoop::advance);
            });
        }
    }

    // ---- the result

    ReplayedCounts counts(ReplayedScheduler scheduler, List<ReplayedLoop<?>> instances) {
        Jobs jobs = jobsOf(scheduler.name());
        double wholeNanos = Math.max(1, endNanos) * (double) instances.size();
        return new ReplayedCounts(
                scheduler.name(),
                instances.stream().mapToLong(ReplayedLoop::successful).sum(),
                instances.stream().mapToLong(ReplayedLoop::conflicted).sum(),
                instances.stream().mapToLong(ReplayedLoop::claimsAccepted).sum(),
                instances.stream().mapToLong(ReplayedLoop::claimsConflicted).sum(),
                jobs.submitted,
                jobs.placed,
                jobs.placed == 0 ? OptionalDouble.empty() : OptionalDouble.of(jobs.waitSeconds / jobs.placed),
                instances.stream().mapToLong(ReplayedLoop::busyNanos).sum() / wholeNanos,
                instances.stream().mapToLong(ReplayedLoop::wastedNanos).sum() / wholeNanos);
    }
}
