package dev.cella.chaos.simulated;

import dev.cella.chaos.simulated.Injector.Fault;
import dev.cella.state.core.Lane;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A client that misuses its rights: it hoards holds, evicts others' tasks, drains machines, and changes quotas under their claims.
 */
final class Intruder {
    private static final String NAME = "intruder";

    /** Has the rights of a scheduler for which no operator has set any: it may evict what is less important. */
    private static final String RIVAL = "rival";

    private static final int RIVAL_TASKS = 60;
    private static final long DRAIN_MILLIS = 100;
    private static final long LOOK_EVERY_NANOS = 1_000 * DueEvents.MILLI;

    private final SimulatedCell cell;
    private final SimulatedProcess process;
    private final CellCalls calls;
    private final SplittableRandom random;
    private int transactions;
    private int jobs;
    private long accepted;

    Intruder(SimulatedCell cell, SimulatedProcess process, SplittableRandom random) {
        this.cell = cell;
        this.process = process;
        this.calls = new CellCalls(cell, process);
        this.random = random;
    }

    private void openSession(String scheduler, Consumer<SessionId> opened) {
        calls.untilAnswered(
                Lane.REPORTS,
                new Command.OpenSession(scheduler, "i" + transactions++, scheduler, 600_000, Optional.empty()),
                result -> {
                    if (result instanceof CommandResult.Done done) {
                        opened.accept(new SessionId(done.identity()));
                    }
                });
    }

    private Transaction.Builder begin(String scheduler, SessionId session) {
        return Transaction.builder(new TransactionId(scheduler + "-" + session + "-" + transactions++), scheduler)
                .session(session);
    }

    private void commit(Transaction transaction) {
        calls.untilAnswered(Lane.TRANSACTIONS, new Command.CommitTransaction(transaction), result -> {
            if (result instanceof CommandResult.Decided decided) {
                for (int item = 0; item < decided.outcome().items(); item++) {
                    accepted += decided.outcome().isAccepted(item) ? 1 : 0;
                }
            }
        });
    }

    private JobHeader job(String scheduler, List<GroupHeader> groups, int priority) {
        return new JobHeader(
                "intruder-" + jobs++,
                JobType.BATCH,
                scheduler,
                "default",
                priority,
                Atomicity.ALL_OR_NOTHING,
                ConflictRule.RESOURCE,
                groups);
    }

    // ---- the hoarder

    /** Holds half of the machines for a job that nobody plans. */
    Fault hoard(long forMillis) {
        long before = accepted;
        GroupHeader group = new GroupHeader("main", 1, Amounts.of(4_000, 8_192), Restart.BATCH);
        Optional<JobId>[] submitted = none();
        cell.submitter().submit(job(NAME, List.of(group), 100), job -> {
            submitted[0] = Optional.of(job);
            openSession(NAME, session -> {
                Transaction.Builder holds = begin(NAME, session);
                for (int slot : cell.read(Intruder::readySlots).orElse(List.of())) {
                    if (slot % 2 == 0) {
                        holds.hold(new HoldRequest(job, slot, Amounts.of(2_000, 4_096), forMillis));
                    }
                }
                commit(holds.build());
            });
        });
        return new Fault(
                NAME,
                () -> submitted[0].ifPresent(
                        job -> calls.untilAnswered(Lane.OPERATORS, new Command.StopJob(job), done -> {})),
                () -> accepted > before);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of one, to be set later
    private static Optional<JobId>[] none() {
        return new Optional[] {Optional.empty()};
    }

    private static List<Integer> readySlots(CellView view) {
        List<Integer> ready = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.isReady(slot)) {
                ready.add(slot);
            }
        }
        return ready.isEmpty() ? List.of(0) : ready;
    }

    // ---- the storm of evictions

    Fault evict(long forMillis) {
        long before = accepted;
        boolean[] over = {false};
        evictEquals(over);
        calls.untilAnswered(
                Lane.OPERATORS,
                new Command.SetRights(NAME, new Rights(JobHeader.PRIORITY_MAX, List.of(), true, Rights.Evicts.ANY)),
                done -> openSession(NAME, session -> storm(session, over)));
        cell.heap().after(forMillis * DueEvents.MILLI, () -> over[0] = true);
        return new Fault(NAME, () -> over[0] = true, () -> accepted > before);
    }

    private void storm(SessionId session, boolean[] over) {
        if (over[0]) {
            return;
        }
        List<Eviction> victims = cell.read(this::drawVictims).orElse(List.of());
        if (!victims.isEmpty()) {
            Transaction.Builder storm = begin(NAME, session);
            victims.forEach(storm::evict);
            commit(storm.build());
        }
        process.after(200 * DueEvents.MILLI, () -> storm(session, over));
    }

    private List<Eviction> drawVictims(CellView view) {
        List<Eviction> victims = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                view.forEachTaskOn(slot, task -> {
                    if (isVictim(task)) {
                        victims.add(new Eviction(task.id(), task.attempt(), OptionalInt.empty()));
                    }
                });
            }
        }
        return victims.size() > 5 ? victims.subList(0, 5) : victims;
    }

    private boolean isVictim(TaskRow task) {
        return isPlaced(task) && random.nextInt(3) == 0;
    }

    private static boolean isPlaced(TaskRow task) {
        return task.state() == TaskState.RUNNING || task.state() == TaskState.PLACED;
    }

    // ---- evictions that are not allowed

    /** Places tasks of one job, each with the eviction of one that is as important. The cell must refuse the evictions. */
    private void evictEquals(boolean[] over) {
        GroupHeader group = new GroupHeader("main", RIVAL_TASKS, Amounts.of(250, 256), Restart.BATCH);
        cell.submitter()
                .submit(
                        job(RIVAL, List.of(group), 50),
                        job -> openSession(RIVAL, session -> evictEqual(job, 0, session, over)));
    }

    private void evictEqual(JobId job, int index, SessionId session, boolean[] over) {
        if (over[0] || index == RIVAL_TASKS) {
            calls.untilAnswered(Lane.OPERATORS, new Command.StopJob(job), done -> {});
            return;
        }
        cell.read(view -> claimOfEqual(view, job, index, session))
                .ifPresent(claim ->
                        calls.untilAnswered(Lane.TRANSACTIONS, new Command.CommitTransaction(claim), decided -> {}));
        process.after(200 * DueEvents.MILLI, () -> evictEqual(job, index + 1, session, over));
    }

    private Transaction claimOfEqual(CellView view, JobId job, int index, SessionId session) {
        Optional<TaskRow> equal = view.job(job)
                .flatMap(row -> IntStream.range(0, index)
                        .mapToObj(before -> view.task(row.group(0), before))
                        .filter(Intruder::isPlaced)
                        .findFirst());
        int slot = equal.map(task -> task.machine().getAsInt()).orElseGet(() -> anyReadySlot(view));
        Transaction.Builder claim = begin(RIVAL, session).claim(new TaskId(job, 0, index), 1, slot);
        equal.ifPresent(task -> claim.evict(new Eviction(task.id(), task.attempt(), OptionalInt.of(0))));
        return claim.build();
    }

    private int anyReadySlot(CellView view) {
        List<Integer> ready = readySlots(view);
        return ready.get(random.nextInt(ready.size()));
    }

    // ---- the hot machine

    /** In the middle of the fault the machine loses its tasks, and at the end everybody may have it. */
    Fault free(String machine, long forMillis) {
        boolean[] over = {false};
        boolean[] drained = {false};
        process.after(forMillis / 2 * DueEvents.MILLI, () -> {
            if (!over[0]) {
                cell.read(view -> slot(view, machine).map(view::machineId))
                        .flatMap(id -> id)
                        .ifPresent(id -> drain(id, drained));
            }
        });
        return new Fault(
                machine,
                () -> {
                    over[0] = true;
                    keepReady(machine);
                },
                () -> drained[0]);
    }

    private void drain(MachineId machine, boolean[] drained) {
        calls.untilAnswered(
                Lane.OPERATORS,
                new Command.DrainMachine(machine, DRAIN_MILLIS, Drain.BatchTasks.MOVE),
                result -> drained[0] = result instanceof CommandResult.Done);
    }

    /** A repeated drain may be decided late, and a machine that is down cannot be made ready: so it looks again and again. */
    private void keepReady(String machine) {
        cell.read(view -> slot(view, machine)
                        .filter(slot -> isDrained(view.status(slot)))
                        .map(view::machineId))
                .flatMap(id -> id)
                .ifPresent(id -> calls.once(
                        Lane.OPERATORS,
                        new Command.ChangeMachine(id, Command.MachineChange.READY, false),
                        (result, failure) -> {}));
        process.after(LOOK_EVERY_NANOS, () -> keepReady(machine));
    }

    private static Optional<Integer> slot(CellView view, String machine) {
        return view.findMachine(machine).stream().boxed().findFirst();
    }

    private static boolean isDrained(MachineStatus status) {
        return status == MachineStatus.DRAINING || status == MachineStatus.DRAINED;
    }

    // ---- quotas and gangs

    /** An order that is repeated until somebody answers may be decided late; the quota is lifted after that, never before. */
    Fault lowerQuota() {
        boolean[] over = {false};
        boolean[] lowered = {false};
        calls.untilAnswered(Lane.OPERATORS, new Command.PutPool("research", Limits.of(2_000, 4_096)), done -> {
            accepted++;
            lowered[0] = true;
            if (over[0]) {
                liftQuota();
            }
        });
        return new Fault(
                "research",
                () -> {
                    over[0] = true;
                    if (lowered[0]) {
                        liftQuota();
                    }
                },
                () -> lowered[0]);
    }

    private void liftQuota() {
        calls.untilAnswered(Lane.OPERATORS, new Command.PutPool("research", Limits.NONE), done -> {});
    }

    /** Each gang needs more than half of the machines whole. */
    Fault submitTwoGangs() {
        int[] taken = {0};
        int each = cell.machines().size() / 2 + 1;
        for (int gang = 0; gang < 2; gang++) {
            String scheduler =
                    cell.schedulers().get(gang % cell.schedulers().size()).name();
            GroupHeader group = new GroupHeader(
                    "main",
                    each,
                    Amounts.of(3_000, 4_096),
                    Restart.BATCH,
                    0,
                    0,
                    OnLost.REPLACE,
                    Optional.of(new Gang(each, 1_000, Gang.Restarts.ALL)));
            cell.submitter().submit(job(scheduler, List.of(group), 60), submitted -> taken[0]++);
        }
        return new Fault("users", () -> {}, () -> taken[0] == 2);
    }
}
