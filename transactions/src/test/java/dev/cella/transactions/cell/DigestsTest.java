package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * A command's values change the digest of the table that the command affects, and no other. Two cells that get commands with
 * one different value differ in that digest. The test runs each variant of a command on its own cell and compares every pair.
 */
class DigestsTest {
    private static final Restart RESTART = new Restart(1, 10, 100);
    private static final Rights RIGHTS = new Rights(50, List.of("a"), true, Rights.Evicts.OWN);

    /** Two machines with agents and one without, two jobs that need them, and a running task. */
    private static TestCell cell() {
        TestCell cell = new TestCell();
        cell.machineWithAgent("m", 4_000, 8_192, "boot");
        cell.machineWithAgent("n", 4_000, 8_192, "boot");
        cell.machine("bare", 4_000, 8_192);
        cell.apply(new Command.SetRights("batch", new Rights(100, List.of(), true, Rights.Evicts.ANY)));
        cell.job("j", 5, 1_000, 1_024);
        cell.job("k", 5, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.place("j", 1, "m");
        cell.report("j", 0, TaskState.RUNNING);
        return cell;
    }

    private static void assertMoves(String tables, List<Function<TestCell, Command>> variants) {
        List<Map<String, Long>> digests = new ArrayList<>();
        for (Function<TestCell, Command> variant : variants) {
            TestCell cell = cell();
            assertDone(cell.apply(variant.apply(cell)));
            digests.add(byTable(cell.view().digests()));
        }
        for (int one = 0; one < digests.size(); one++) {
            for (int other = one + 1; other < digests.size(); other++) {
                assertThat(differing(digests.get(one), digests.get(other)))
                        .as("variants %s and %s", one, other)
                        .isEqualTo(tables);
            }
        }
    }

    private static void assertMoves(String tables, Command... variants) {
        List<Function<TestCell, Command>> all = new ArrayList<>();
        for (Command variant : variants) {
            all.add(cell -> variant);
        }
        assertMoves(tables, all);
    }

    private static void assertDone(CommandResult result) {
        if (result instanceof CommandResult.Decided decided) {
            Outcome outcome = decided.outcome();
            assertThat(outcome.reason()).isEmpty();
            assertThat(outcome.results()).allMatch(item -> item.accepted());
        } else {
            assertThat(result).isInstanceOf(CommandResult.Done.class);
        }
    }

    private static Map<String, Long> byTable(CellDigests digests) {
        Map<String, Long> tables = new LinkedHashMap<>();
        tables.put("head", digests.head());
        tables.put("machines", digests.machines());
        tables.put("jobs", digests.jobs());
        tables.put("tasks", digests.tasks());
        tables.put("sessions", digests.sessions());
        tables.put("policies", digests.policies());
        tables.put("holds", digests.holds());
        return tables;
    }

    private static String differing(Map<String, Long> some, Map<String, Long> others) {
        List<String> tables = new ArrayList<>(some.keySet());
        tables.removeIf(table -> Objects.equals(some.get(table), others.get(table)));
        return String.join(" ", tables);
    }

    // ---- the tables

    @Test
    void head_movesWithTheLevelAndTheDimensions() {
        assertMoves(
                "head",
                new Command.RaiseFeatureLevel(1),
                new Command.RaiseFeatureLevel(2),
                new Command.AddDimension(new Dimension("gpus", Dimension.Kind.COUNT)));
    }

    @Test
    void machines_moveWithEachValueOfOne() {
        assertMoves(
                "machines",
                machine("x", 1, 1, 1, "", "", "boot", "a:1", 1_000),
                machine("y", 1, 1, 1, "", "", "boot", "a:1", 1_000),
                machine("x", 2, 1, 1, "", "", "boot", "a:1", 1_000),
                machine("x", 1, 2, 1, "", "", "boot", "a:1", 1_000),
                machine("x", 1, 1, 2, "", "", "boot", "a:1", 1_000),
                machine("x", 1, 1, 1, "rack", "1", "boot", "a:1", 1_000),
                machine("x", 1, 1, 1, "rack", "2", "boot", "a:1", 1_000),
                machine("x", 1, 1, 1, "row", "1", "boot", "a:1", 1_000),
                machine("x", 1, 1, 1, "", "", "other", "a:1", 1_000),
                machine("x", 1, 1, 1, "", "", "boot", "b:1", 1_000),
                machine("x", 1, 1, 1, "", "", "boot", "a:1", 2_000));
    }

    private static Command machine(
            String name,
            long cpuMilli,
            long memoryMib,
            long diskMib,
            String attribute,
            String value,
            String bootId,
            String address,
            long leaseMillis) {
        TreeMap<String, String> attributes = new TreeMap<>();
        if (!attribute.isEmpty()) {
            attributes.put(attribute, value);
        }
        AgentIdentity agent = new AgentIdentity(bootId, address, leaseMillis);
        return new Command.PutMachine(
                name, Amounts.of(cpuMilli, memoryMib, diskMib), attributes, Optional.of(agent), false);
    }

    /** Two tasks hold 2,000 there, so the capacities are equal and the wanted capacities are not. */
    @Test
    void machines_moveWithTheirMarks_andWithTheWantedCapacityWhileShrinking() {
        assertMoves(
                "machines",
                List.of(
                        cell -> new Command.DrainMachine(cell.machineId("bare"), 10, Drain.BatchTasks.MOVE),
                        cell -> new Command.DrainMachine(cell.machineId("bare"), 20, Drain.BatchTasks.MOVE),
                        cell -> new Command.DrainMachine(cell.machineId("bare"), 10, Drain.BatchTasks.FINISH),
                        cell -> new Command.ChangeMachine(cell.machineId("bare"), Command.MachineChange.DRAIN, false),
                        cell -> new Command.LoseMachine(cell.machineId("bare")),
                        cell -> shrunk(1_000, 8_192),
                        cell -> shrunk(500, 8_192),
                        cell -> shrunk(500, 100)));
    }

    private static Command shrunk(long cpuMilli, long memoryMib) {
        AgentIdentity agent = new AgentIdentity("boot", "127.0.0.1:1", 10_000);
        return new Command.PutMachine("m", Amounts.of(cpuMilli, memoryMib), new TreeMap<>(), Optional.of(agent), true);
    }

    @Test
    void jobs_moveWithEachValueOfAHeader() {
        GroupHeader group = group("g", 2, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.empty());
        List<Command> variants = new ArrayList<>();
        variants.add(job("x", JobType.BATCH, "batch", "a", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("y", JobType.BATCH, "batch", "a", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.SERVICE, "batch", "a", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.BATCH, "web", "a", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.BATCH, "batch", "b", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.BATCH, "batch", "a", 2, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.BATCH, "batch", "a", 1, Atomicity.ALL_OR_NOTHING, ConflictRule.RESOURCE, group));
        variants.add(job("x", JobType.BATCH, "batch", "a", 1, Atomicity.INCREMENTAL, ConflictRule.MACHINE, group));
        for (GroupHeader other : List.of(
                group("h", 2, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 3, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 20, RESTART, 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, new Restart(2, 10, 100), 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, new Restart(1, 20, 100), 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, new Restart(1, 10, 200), 0, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, RESTART, 1, 0, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, RESTART, 0, 1, OnLost.REPLACE, Optional.empty()),
                group("g", 2, 10, RESTART, 0, 0, OnLost.WAIT, Optional.empty()),
                group("g", 2, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.of(new Gang(1, 0, Gang.Restarts.ALL))),
                group("g", 2, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.of(new Gang(2, 0, Gang.Restarts.ALL))),
                group("g", 2, 10, RESTART, 0, 0, OnLost.REPLACE, Optional.of(new Gang(2, 5, Gang.Restarts.ALL))))) {
            variants.add(job("x", JobType.BATCH, "batch", "a", 1, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, other));
        }
        assertMoves("jobs", variants.toArray(Command[]::new));
    }

    private static GroupHeader group(
            String name,
            int count,
            long cpuMilli,
            Restart restart,
            int runningMax,
            int failuresMax,
            OnLost onLost,
            Optional<Gang> gang) {
        return new GroupHeader(name, count, Amounts.of(cpuMilli), restart, runningMax, failuresMax, onLost, gang);
    }

    private static Command job(
            String name,
            JobType type,
            String scheduler,
            String pool,
            int priority,
            Atomicity atomicity,
            ConflictRule conflictRule,
            GroupHeader group) {
        return new Command.SubmitJob(
                new JobHeader(name, type, scheduler, pool, priority, atomicity, conflictRule, List.of(group)),
                Specification.EMPTY,
                Command.SubmitMode.CREATE);
    }

    @Test
    void jobs_moveWithSpecificationProgressAndStops() {
        JobHeader header = TestCell.header("x", "batch", 1, 100, 100);
        assertMoves(
                "jobs",
                new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE),
                new Command.SubmitJob(header, Specification.of(new byte[] {1}), Command.SubmitMode.CREATE),
                new Command.SubmitJob(header, Specification.of(new byte[] {2}), Command.SubmitMode.CREATE));
        assertMoves(
                "jobs",
                List.of(
                        cell -> progress(cell, "j", 1),
                        cell -> progress(cell, "j", 2),
                        cell -> progress(cell, "k", 1),
                        cell -> new Command.StopJob(cell.jobRow("k").id())));
    }

    /** The two cells differ only in the version at which the generation came. */
    @Test
    void jobs_moveWithTheVersionOfAnUpdate() {
        assertMoves("jobs", List.of(cell -> updated(cell, "j", true), cell -> updated(cell, "j", false)));
    }

    /** At level 3 the job keeps the version of its update; the other cell is raised after it. */
    private static Command updated(TestCell cell, String job, boolean raisedBefore) {
        Command raise = new Command.RaiseFeatureLevel(EntryCodec.UPDATED_VERSION_LEVEL);
        Command update = new Command.SubmitJob(
                TestCell.header(job, "batch", 5, 100, 100), Specification.EMPTY, Command.SubmitMode.CREATE_OR_UPDATE);
        assertDone(cell.apply(raisedBefore ? raise : update));
        return raisedBefore ? update : raise;
    }

    private static Command progress(TestCell cell, String job, int remembered) {
        return commit(
                cell.transaction("t").progress(cell.jobRow(job).id(), Progress.of(new byte[] {(byte) remembered})));
    }

    private static Command commit(Transaction.Builder transaction) {
        return new Command.CommitTransaction(transaction.build());
    }

    @Test
    void tasks_moveWithEachValueOfAReport() {
        assertMoves(
                "tasks",
                List.of(
                        cell -> ended(cell, TaskState.FAILED, 1, TaskReason.NONE, 5, 9),
                        cell -> ended(cell, TaskState.FAILED, 2, TaskReason.NONE, 5, 9),
                        cell -> ended(cell, TaskState.FAILED, 1, TaskReason.TIMEOUT, 5, 9),
                        cell -> ended(cell, TaskState.FAILED, 1, TaskReason.NONE, 6, 9),
                        cell -> ended(cell, TaskState.FAILED, 1, TaskReason.NONE, 5, 10),
                        cell -> ended(cell, TaskState.LOST, 1, TaskReason.NONE, 5, 9)));
    }

    private static Command ended(
            TestCell cell, TaskState state, int exitCode, TaskReason reason, long startedAt, long endedAt) {
        return new Command.ReportTask(
                cell.task("j", 0),
                1,
                Optional.empty(),
                state,
                OptionalInt.of(exitCode),
                reason,
                OptionalLong.of(startedAt),
                OptionalLong.of(endedAt));
    }

    /** Covers which task is placed, which claim of the transaction placed it, and which claim a victim yields to. */
    @Test
    void tasks_moveWithTheClaimsOfATransaction() {
        assertMoves(
                "tasks",
                List.of(
                        cell -> commit(claims(cell, 2, 3)),
                        cell -> commit(claims(cell, 3, 2)),
                        cell -> commit(claims(cell, 2, 4))));
        assertMoves(
                "tasks",
                List.of(
                        cell -> commit(claims(cell, 2, 3).evict(victim(cell, 0, 0))),
                        cell -> commit(claims(cell, 2, 3).evict(victim(cell, 0, 1))),
                        cell -> commit(claims(cell, 2, 3).evict(victim(cell, 1, 0)))));
    }

    private static Transaction.Builder claims(TestCell cell, int... indexes) {
        Transaction.Builder transaction = cell.transaction("t");
        for (int index : indexes) {
            transaction.claim(cell.task("j", index), 1, cell.slot("m"));
        }
        return transaction;
    }

    private static Eviction victim(TestCell cell, int index, int forClaim) {
        return new Eviction(cell.task("j", index), 1, OptionalInt.of(forClaim));
    }

    @Test
    void tasksAndMachines_moveWithTheMachineOfAClaim() {
        assertMoves(
                "machines tasks",
                List.of(
                        cell -> commit(cell.transaction("t").claim(cell.task("j", 2), 1, cell.slot("m"))),
                        cell -> commit(cell.transaction("t").claim(cell.task("j", 2), 1, cell.slot("n")))));
    }

    @Test
    void sessions_moveWithEachValue() {
        assertMoves(
                "sessions",
                new Command.OpenSession("batch", "i", "batch", 1_000, Optional.empty()),
                new Command.OpenSession("web", "i", "batch", 1_000, Optional.empty()),
                new Command.OpenSession("batch", "k", "batch", 1_000, Optional.empty()),
                new Command.OpenSession("batch", "i", "service", 1_000, Optional.empty()),
                new Command.OpenSession("batch", "i", "batch", 2_000, Optional.empty()));
    }

    @Test
    void policies_moveWithLimitsRightsAndPauses() {
        assertMoves(
                "policies",
                new Command.PutPool("a", Limits.of(1)),
                new Command.PutPool("b", Limits.of(1)),
                new Command.PutPool("a", Limits.of(2)),
                new Command.PutPool("a", Limits.of(Limits.UNLIMITED, 1)),
                new Command.SetRights("web", RIGHTS),
                new Command.SetRights("batch", RIGHTS),
                new Command.SetRights("web", new Rights(51, List.of("a"), true, Rights.Evicts.OWN)),
                new Command.SetRights("web", new Rights(50, List.of("b"), true, Rights.Evicts.OWN)),
                new Command.SetRights("web", new Rights(50, List.of(), true, Rights.Evicts.OWN)),
                new Command.SetRights("web", new Rights(50, List.of("a"), false, Rights.Evicts.OWN)),
                new Command.SetRights("web", new Rights(50, List.of("a"), true, Rights.Evicts.LOWER)),
                new Command.PauseScheduler("web", true),
                new Command.PauseScheduler("batch", true));
    }

    @Test
    void holds_moveWithEachValue() {
        assertMoves(
                "holds",
                List.of(
                        cell -> commit(cell.transaction("t").hold(hold(cell, "j", 8_192, 100))),
                        cell -> commit(cell.transaction("t").hold(hold(cell, "k", 8_192, 100))),
                        cell -> commit(cell.transaction("t").hold(hold(cell, "j", 8_192, 200)))));
        assertMoves(
                "machines holds",
                List.of(
                        cell -> commit(cell.transaction("t").hold(hold(cell, "j", 1_000, 100))),
                        cell -> commit(cell.transaction("t").hold(hold(cell, "j", 2_000, 100)))));
    }

    /** The same on a cell that is at level 4. */
    private static Function<TestCell, Command> raised(Command command) {
        return cell -> {
            cell.apply(new Command.RaiseFeatureLevel(EntryCodec.POLICY_LEVEL));
            return command;
        };
    }

    @Test
    void policies_moveWithEachValueOfAPoolAndOfRights() {
        assertMoves(
                "policies",
                List.of(
                        raised(pool(1, 0, PoolPolicy.Order.FAIR, 0, 0)),
                        raised(pool(2, 0, PoolPolicy.Order.FAIR, 0, 0)),
                        raised(pool(1, 1, PoolPolicy.Order.FAIR, 0, 0)),
                        raised(pool(1, 0, PoolPolicy.Order.FIFO, 0, 0)),
                        raised(pool(1, 0, PoolPolicy.Order.FAIR, 1, 0)),
                        raised(pool(1, 0, PoolPolicy.Order.FAIR, 0, 1)),
                        raised(rights("rack", MachineRule.Operator.EQ, "r1", true)),
                        raised(rights("row", MachineRule.Operator.EQ, "r1", true)),
                        raised(rights("rack", MachineRule.Operator.NE, "r1", true)),
                        raised(rights("rack", MachineRule.Operator.EQ, "r2", true)),
                        raised(rights("rack", MachineRule.Operator.EQ, "r1", false))));
    }

    private static Command pool(
            int weight, long minimum, PoolPolicy.Order order, long minimumTimeout, long fairTimeout) {
        return new Command.DefinePool(
                "a", new PoolPolicy(weight, Amounts.of(minimum), Limits.NONE, order, minimumTimeout, fairTimeout));
    }

    private static Command rights(String attribute, MachineRule.Operator operator, String value, boolean offers) {
        MachineRule rule = new MachineRule(attribute, operator, List.of(value));
        return new Command.SetRights("web", new Rights(50, List.of(), true, Rights.Evicts.OWN, List.of(rule), offers));
    }

    @Test
    void sessions_moveWithEachValueOfTheirPartInOffers() {
        assertMoves(
                "sessions",
                List.of(
                        raised(taking("one", 1, 0)),
                        raised(taking("two", 1, 0)),
                        raised(taking("one", 2, 0)),
                        raised(taking("one", 1, 500))));
    }

    private static Command taking(String role, int weight, long minimumCpu) {
        return new Command.OpenSession(
                "bags",
                "one",
                "bags",
                1_000,
                Optional.empty(),
                Optional.of(new Participation(role, weight, Amounts.of(minimumCpu))));
    }

    @Test
    void holds_moveWithOffers() {
        assertMoves("machines holds", List.of(offer(100, 1_000), offer(200, 1_000)));
        assertMoves("holds", List.of(offer(100, 1_000), offer(100, 2_000)));
    }

    private static Function<TestCell, Command> offer(long cpu, long expiresAfterMillis) {
        return cell -> {
            cell.apply(raised(taking("one", 1, 0)).apply(cell));
            SessionId session = cell.view().session("bags", "one").orElseThrow().id();
            return commit(cell.transaction("t")
                    .hold(HoldRequest.offer(session, cell.slot("bare"), Amounts.of(cpu), expiresAfterMillis)));
        };
    }

    private static HoldRequest hold(TestCell cell, String job, long memoryMib, long expiresAfterMillis) {
        Amounts wanted = Amounts.of(100, memoryMib);
        return new HoldRequest(cell.jobRow(job).id(), cell.slot("bare"), wanted, expiresAfterMillis);
    }
}
