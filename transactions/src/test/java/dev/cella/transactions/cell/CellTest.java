package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Command.MachineChange;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Effect;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Machines, jobs, reports and sessions, with one command at a time. */
class CellTest {
    private final TestCell cell = new TestCell();

    private static void assertDone(CommandResult result, Effect effect) {
        assertThat(result).isInstanceOf(CommandResult.Done.class);
        assertThat(((CommandResult.Done) result).effect()).isEqualTo(effect);
    }

    private static void assertRefused(CommandResult result, Reason reason) {
        assertThat(result).isInstanceOf(CommandResult.Refused.class);
        assertThat(((CommandResult.Refused) result).reason()).isEqualTo(reason);
    }

    // ---- the cell

    @Test
    void foundCell_twice_isRefusedAndTakesAVersion() {
        CellVersion before = cell.version();
        assertRefused(cell.apply(new Command.FoundCell(new CellName("other"), new Incarnation(7))), Reason.WRONG_CELL);
        assertThat(cell.version()).isEqualTo(before.next());
        assertThat(cell.view().name()).contains(new CellName("test"));
    }

    @Test
    void apply_beforeTheFounding_isRefused() {
        Cell empty = new Cell(CellLimits.STANDARD);
        assertRefused(
                empty.apply(cell.header(), TestCell.submit("a", "batch", 1, 1, 1, Command.SubmitMode.CREATE)),
                Reason.WRONG_CELL);
        assertThat(empty.view().version()).isEqualTo(new CellVersion(1));
    }

    @Test
    void apply_entryOfAnotherIncarnation_isRefused() {
        EntryHeader header = cell.header();
        EntryHeader other = new EntryHeader(1, header.cellTime(), header.wallTimeMillis(), new Incarnation(42));
        assertRefused(
                cell.cell.apply(other, TestCell.submit("a", "batch", 1, 1, 1, Command.SubmitMode.CREATE)),
                Reason.OTHER_INCARNATION);
    }

    @Test
    void apply_undecodableCommand_takesAVersionAndIsRefused() {
        byte[] cut = {14, 1, 'x', 3};
        byte[] whole =
                CommandCodec.encode(TestCell.TESTER, TestCell.submit("a", "batch", 1, 1, 1, Command.SubmitMode.CREATE));
        CellVersion before = cell.version();
        List<CommandResult> results = cell.cell.apply(new Entry(cell.header(), List.of(cut, whole)));
        assertThat(results.get(0).version()).isEqualTo(before.next());
        assertRefused(results.get(0), Reason.BAD_COMMAND);
        assertDone(results.get(1), Effect.CREATED);
        assertThat(results.get(1).version()).isEqualTo(results.get(0).version().next());
        cell.replica.applyChanges(cell.cell.takeChanges());
        assertThat(cell.replica.view().version()).isEqualTo(cell.version());
        assertThat(cell.replica.view().digests()).isEqualTo(cell.view().digests());
    }

    @Test
    void claimOnAMachineThatThereNeverWas_isRefused_andEveryReplicaCanReadIt() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        var outcome =
                cell.commit(cell.transaction("t").claim(cell.task("j", 0), cell.generation("j"), Integer.MAX_VALUE));
        assertThat(outcome.results().get(0).reason()).contains(Reason.UNKNOWN_MACHINE);
    }

    // ---- machines

    @Test
    void putMachine_new_isReadyAndAllFree() {
        assertDone(cell.machine("m", 4_000, 8_192), Effect.CREATED);
        MachineRow machine = cell.machineRow("m");
        assertThat(machine.status()).isEqualTo(MachineStatus.READY);
        assertThat(machine.free()).isEqualTo(Amounts.of(4_000, 8_192));
        assertThat(machine.registeredVersion()).isEqualTo(cell.version());
        assertThat(machine.claimedVersion()).isEqualTo(cell.version());
    }

    @Test
    void putMachine_sameAgain_changesNothing() {
        cell.machine("m", 4_000, 8_192);
        assertDone(cell.machine("m", 4_000, 8_192), Effect.UNCHANGED);
        assertThat(cell.machineRow("m").changedVersion()).isEqualTo(new CellVersion(2));
    }

    @Test
    void putMachine_belowWhatIsHeldByHand_isRefusedWithTheAmount() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 3_000, 1_024);
        cell.place("j", 0, "m");
        CommandResult result = cell.machine("m", 2_000, 8_192);
        assertRefused(result, Reason.STILL_HELD);
        assertThat(((CommandResult.Refused) result).message()).contains("2000 cpuMilli", "3000 are held");
    }

    @Test
    void putMachine_belowWhatIsHeldByForce_capacityFallsWithTheReleases() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 2, 1_500, 1_024);
        cell.place("j", 0, "m");
        cell.place("j", 1, "m");
        cell.apply(new Command.PutMachine("m", Amounts.of(2_000, 8_192), new TreeMap<>(), Optional.empty(), true));
        assertThat(cell.machineRow("m").capacity()).isEqualTo(Amounts.of(3_000, 8_192));
        assertThat(cell.machineRow("m").capacityWanted()).isEqualTo(Amounts.of(2_000, 8_192));
        cell.report("j", 0, TaskState.FAILED);
        assertThat(cell.machineRow("m").capacity()).isEqualTo(Amounts.of(2_000, 8_192));
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(500, 7_168));
    }

    /**
     * The amount of a set is the number of its members: of those the machine has, those that are free, and those it is to
     * have.
     */
    @Test
    void putMachine_withOtherMembers_countsThem() {
        cell.apply(new Command.RaiseFeatureLevel(2));
        cell.apply(new Command.AddDimension(new Dimension("ports", Dimension.Kind.SET)));
        cell.machine("old", 4_000, 8_192);
        assertThat(cell.machineRow("old").free()).isEqualTo(Amounts.of(4_000, 8_192));
        putPorts("m", "8000-8005");
        assertThat(cell.machineRow("m").free().at(3)).isEqualTo(6);
        putPorts("m", "8000-8007");
        assertThat(cell.machineRow("m").free()).isEqualTo(ports("8000-8007"));
        cell.apply(new Command.SubmitJob(
                TestCell.header("j", "batch", 1, 100, 64)
                        .withGroups(List.of(new GroupHeader(
                                "main", 1, Amounts.of(100, 64).naming(named("8004")), new Restart(2, 1_000, 60_000)))),
                Specification.EMPTY,
                Command.SubmitMode.CREATE));
        cell.place("j", 0, "m");
        cell.apply(new Command.PutMachine("m", ports("8000-8001"), new TreeMap<>(), Optional.empty(), true));
        assertThat(cell.machineRow("m").capacity()).isEqualTo(ports("8000-8001,8004"));
        assertThat(cell.machineRow("m").capacityWanted()).isEqualTo(ports("8000-8001"));
        assertThat(cell.machineRow("m").free().at(3)).isEqualTo(2);
        cell.report("j", 0, TaskState.FAILED);
        assertThat(cell.machineRow("m").capacity()).isEqualTo(ports("8000-8001"));
        assertThat(cell.machineRow("m").free()).isEqualTo(ports("8000-8001"));
    }

    private void putPorts(String machine, String members) {
        cell.apply(new Command.PutMachine(machine, ports(members), new TreeMap<>(), Optional.empty(), false));
    }

    private static Amounts ports(String members) {
        return Amounts.of(4_000, 8_192).naming(named(members));
    }

    private static Members named(String members) {
        return Members.NONE.with(3, MemberSet.parse(members));
    }

    @Test
    void putMachine_byAnotherBoot_isAnotherIncarnationAndEverythingOnTheOldOneIsLost() {
        cell.machineWithAgent("m", 4_000, 8_192, "boot-1");
        cell.job("j", 2, 1_000, 1_024);
        cell.place("j", 0, "m");
        int slot = cell.slot("m");
        cell.machineWithAgent("m", 4_000, 8_192, "boot-2");
        assertThat(cell.slot("m")).isEqualTo(slot);
        assertThat(cell.machineRow("m").registeredVersion()).isEqualTo(cell.version());
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(4_000, 8_192));
        assertThat(cell.row("j", 0).state()).isEqualTo(TaskState.LOST);
        assertThat(cell.row("j", 0).reason()).isEqualTo(TaskReason.MACHINE_LOST);
    }

    @Test
    void putMachine_bySameBootAfterALoss_isReadyAgain() {
        cell.machineWithAgent("m", 4_000, 8_192, "boot-1");
        cell.apply(new Command.LoseMachine(cell.machineId("m")));
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.DOWN);
        assertRefused(cell.change("m", MachineChange.READY, false), Reason.MACHINE_NOT_READY);
        assertDone(cell.machineWithAgent("m", 4_000, 8_192, "boot-1"), Effect.CHANGED);
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.READY);
    }

    @Test
    void drain_withTasks_drainsUntilTheLastOneIsGone() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.change("m", MachineChange.DRAIN, false);
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.DRAINING);
        cell.report("j", 0, TaskState.FAILED);
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.DRAINED);
        cell.change("m", MachineChange.READY, false);
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.READY);
    }

    /** A cordon ({@code tasks: "keep"}) is a drain without a deadline. */
    @Test
    void drain_withoutADeadline_takesAnEarlierDeadlineBack() {
        cell.machineWithAgent("m", 4_000, 8_192, "boot");
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.apply(new Command.DrainMachine(cell.machineId("m"), 0, Drain.BatchTasks.MOVE));
        assertThat(cell.cell.followUps()).isNotEmpty();
        cell.change("m", MachineChange.DRAIN, false);
        assertThat(cell.cell.followUps()).isEmpty();
        assertThat(cell.machineRow("m").status()).isEqualTo(MachineStatus.DRAINING);
    }

    @Test
    void remove_withTasks_isRefusedUnlessForced() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        assertRefused(cell.change("m", MachineChange.REMOVE, false), Reason.STILL_HELD);
        assertDone(cell.change("m", MachineChange.REMOVE, true), Effect.CHANGED);
        assertThat(cell.view().machine("m")).isEmpty();
        assertThat(cell.row("j", 0).state()).isEqualTo(TaskState.LOST);
        assertThat(cell.row("j", 0).machineName()).contains("m");
    }

    @Test
    void remove_slotIsUsedAgainOnlyWhenNoTaskNamesIt() {
        cell.machine("m", 4_000, 8_192);
        cell.machine("n", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.change("m", MachineChange.REMOVE, true);
        cell.machine("o", 4_000, 8_192);
        assertThat(cell.slot("o")).isEqualTo(2);
        assertThat(cell.row("j", 0).machineName()).contains("m");
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        cell.machine("p", 4_000, 8_192);
        assertThat(cell.slot("p")).isEqualTo(0);
        cell.reloaded();
    }

    // ---- large stops and losses

    @Test
    void loseMachine_withMoreTasksThanOneCommandMayChange_goesOnByFurtherCommands() {
        TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
        small.machineWithAgent("m", 5_000, 5_000, "boot-1");
        small.job("j", 5, 1_000, 1_000);
        for (int index = 0; index < 5; index++) {
            small.place("j", index, "m");
        }
        small.apply(new Command.LoseMachine(small.machineId("m")));
        assertThat(small.view().taskCounts().of(TaskState.LOST)).isEqualTo(2);
        assertThat(small.reloaded().followUps()).isEqualTo(small.cell.followUps());
        while (!small.cell.followUps().isEmpty()) {
            small.apply(small.cell.followUps().get(0));
        }
        assertThat(small.view().taskCounts().of(TaskState.LOST)).isEqualTo(5);
    }

    @Test
    void loseMachine_withMoreTasksThanAreReadAheadAtOnce_losesAsManyAsOneCommandMay() {
        TestCell small = new TestCell(new CellLimits(1_000, 1_000_000, 100), true);
        small.machineWithAgent("m", 150, 150, "boot-1");
        small.job("j", 150, 1, 1);
        for (int index = 0; index < 150; index++) {
            small.place("j", index, "m");
        }
        small.apply(new Command.LoseMachine(small.machineId("m")));
        assertThat(small.view().taskCounts().of(TaskState.LOST)).isEqualTo(100);
        assertThat(small.row("j", 50).state()).isEqualTo(TaskState.LOST);
        assertThat(small.row("j", 49).state()).isEqualTo(TaskState.PLACED);
        small.apply(small.cell.followUps().get(0));
        assertThat(small.view().taskCounts().of(TaskState.LOST)).isEqualTo(150);
        assertThat(small.cell.followUps()).isEmpty();
    }

    @Test
    void anotherBootOrRemoval_withMoreTasksThanOneCommandMayChange_goesOnByFurtherCommands() {
        for (boolean removed : List.of(false, true)) {
            TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
            small.machineWithAgent("m", 5_000, 5_000, "boot-1");
            small.job("j", 5, 1_000, 1_000);
            for (int index = 0; index < 5; index++) {
                small.place("j", index, "m");
            }
            CommandResult begun = removed
                    ? small.change("m", MachineChange.REMOVE, true)
                    : small.machineWithAgent("m", 5_000, 5_000, "boot-2");
            assertRefused(begun, removed ? Reason.STILL_HELD : Reason.MACHINE_NOT_READY);
            while (!small.cell.followUps().isEmpty()) {
                small.apply(small.cell.followUps().get(0));
            }
            assertThat(small.view().taskCounts().of(TaskState.LOST)).isEqualTo(5);
        }
    }

    @Test
    void stopJob_withMoreTasksThanOneCommandMayChange_goesOnByFurtherCommands() {
        TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
        small.machineWithAgent("m", 5_000, 5_000, "boot-1");
        small.job("j", 7, 1_000, 1_000);
        for (int index = 0; index < 5; index++) {
            small.place("j", index, "m");
        }
        small.apply(new Command.StopJob(small.jobRow("j").id()));
        assertThat(small.jobRow("j").state()).isEqualTo(JobState.STOPPING);
        assertThat(small.view().taskCounts().of(TaskState.STOPPING)).isEqualTo(2);
        assertThat(small.view().taskCounts().of(TaskState.KILLED)).isEqualTo(2);
        while (!small.cell.followUps().isEmpty()) {
            small.apply(small.cell.followUps().get(0));
        }
        assertThat(small.view().taskCounts().of(TaskState.STOPPING)).isEqualTo(5);
        for (int index = 0; index < 5; index++) {
            small.report("j", index, TaskState.KILLED);
        }
        assertThat(small.jobRow("j").state()).isEqualTo(JobState.STOPPED);
    }

    @Test
    void scaleDown_withMoreRowsToDropThanOneCommandMayChange_goesOnByFurtherCommands() {
        TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
        small.machine("m", 5_000, 5_000);
        small.job("j", 5, 1_000, 1_000);
        for (int index = 0; index < 5; index++) {
            small.place("j", index, "m");
            small.report("j", index, TaskState.LOST);
        }
        small.commit(small.transaction("again").step(new Step(Step.Kind.AGAIN, small.task("j", 4), 1)));
        small.apply(new Command.ScaleGroup(small.jobRow("j").id(), 0, 1));
        assertThat(small.jobRow("j").rows()).isEqualTo(3);
        assertThat(small.row("j", 4).state()).isEqualTo(TaskState.KILLED);
        assertThat(small.row("j", 4).reason()).isEqualTo(TaskReason.UPDATED);
        small.apply(small.cell.followUps().get(0));
        assertThat(small.jobRow("j").rows()).isEqualTo(1);
        assertThat(small.cell.followUps()).isEmpty();
    }

    @Test
    void drain_ofMoreTasksThanOneCommandMayChange_goesOnByFurtherCommands() {
        TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
        small.machineWithAgent("m", 5_000, 5_000, "boot-1");
        small.job("j", 5, 1_000, 1_000);
        for (int index = 0; index < 5; index++) {
            small.place("j", index, "m");
        }
        small.apply(new Command.DrainMachine(small.machineId("m"), 0, Drain.BatchTasks.MOVE));
        for (int told = 2; told <= 4; told += 2) {
            small.apply(small.cell.followUps().get(0));
            assertThat(small.view().taskCounts().of(TaskState.STOPPING)).isEqualTo(told);
        }
        small.apply(small.cell.followUps().get(0));
        assertThat(small.view().taskCounts().of(TaskState.STOPPING)).isEqualTo(5);
        assertThat(small.cell.followUps()).isEmpty();
    }

    // ---- jobs

    /** The cell does not look again at places where it has looked, unless something has ended there. */
    @Test
    void scaleDown_tasksThatEndAtTheirAgentsInAnyOrder_areEachForgotten_andScaledUpAndDownAgain() {
        cell.machineWithAgent("m", 10_000, 10_000, "boot");
        cell.job("j", 6, 100, 100);
        for (int index = 0; index < 6; index++) {
            cell.place("j", index, "m");
        }
        JobId job = cell.jobRow("j").id();
        cell.apply(new Command.ScaleGroup(job, 0, 1));
        List<TaskId> surplus =
                Stream.of(4, 2, 5, 1, 3).map(index -> new TaskId(job, 0, index)).toList();
        assertThat(surplus).allMatch(task -> state(task) == TaskState.STOPPING);
        assertThat(cell.cell.followUps()).as("all are told").isEmpty();

        for (TaskId ended : surplus) {
            cell.apply(TestCell.report(ended, 1, TaskState.KILLED));
            assertThat(cell.cell.followUps())
                    .as("after the end of %s", ended)
                    .isEqualTo(cell.reloaded().followUps())
                    .containsExactly(new Command.ContinueStop(job));
            cell.apply(new Command.ContinueStop(job));
            assertThat(cell.view().task(ended)).isEmpty();
            assertThat(cell.cell.followUps()).isEmpty();
        }

        cell.apply(new Command.ScaleGroup(job, 0, 4));
        cell.place("j", 1, "m");
        cell.apply(new Command.ScaleGroup(job, 0, 1));
        assertThat(state(new TaskId(job, 0, 1))).isEqualTo(TaskState.STOPPING);
    }

    private TaskState state(TaskId task) {
        return cell.view().task(task).orElseThrow().state();
    }

    @Test
    void submitJob_sameLiveJobAgain_changesNothing() {
        cell.job("j", 2, 1_000, 1_024);
        assertDone(cell.job("j", 2, 1_000, 1_024), Effect.UNCHANGED);
        assertRefused(cell.job("j", 3, 1_000, 1_024), Reason.JOB_DIFFERS);
    }

    @Test
    void submitJob_update_isTheNextGenerationOfTheSameJob() {
        cell.job("j", 2, 1_000, 1_024);
        cell.machine("m", 4_000, 8_192);
        cell.place("j", 0, "m");
        var id = cell.jobRow("j").id();
        assertDone(
                cell.apply(TestCell.submit("j", "batch", 3, 2_000, 1_024, Command.SubmitMode.CREATE_OR_UPDATE)),
                Effect.CHANGED);
        assertThat(cell.jobRow("j").id()).isEqualTo(id);
        assertThat(cell.jobRow("j").generation()).isEqualTo(2);
        assertThat(cell.jobRow("j").pending()).isEqualTo(2);
        assertThat(cell.row("j", 0).generation()).isEqualTo(1);
        assertThat(cell.row("j", 0).resources()).isEqualTo(Amounts.of(1_000, 1_024));
        assertThat(cell.row("j", 1).resources()).isEqualTo(Amounts.of(2_000, 1_024));
        cell.reloaded();
    }

    @Test
    void submitJob_nameOfAnEndedJob_isAnotherJobAndAttemptsGoOnCounting() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.RUNNING);
        cell.report("j", 0, TaskState.FINISHED);
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.FINISHED);
        var ended = cell.jobRow("j").id();
        assertDone(cell.job("j", 1, 1_000, 1_024), Effect.CREATED);
        assertThat(cell.jobRow("j").id()).isNotEqualTo(ended);
        assertThat(cell.jobRow("j").generation()).isEqualTo(2);
        cell.place("j", 0, "m");
        assertThat(cell.row("j", 0).attempt()).isEqualTo(2);
        cell.reloaded();
    }

    @Test
    void jobState_followsFromItsTasks() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 2, 1_000, 1_024);
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.PENDING);
        cell.place("j", 0, "m");
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.RUNNING);
        cell.report("j", 0, TaskState.RUNNING);
        cell.report("j", 0, TaskState.FINISHED);
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.RUNNING);
        for (int attempt = 1; attempt <= 3; attempt++) {
            cell.place("j", 1, "m");
            cell.report("j", 1, TaskState.FAILED);
            assertThat(cell.jobRow("j").failedForGood()).isEqualTo(attempt == 3 ? 1 : 0);
            var again = cell.commit(
                    cell.transaction("again-" + attempt).step(new Step(Step.Kind.AGAIN, cell.task("j", 1), attempt)));
            assertThat(again.results().get(0).accepted()).isEqualTo(attempt < 3);
        }
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.FAILED);
        assertThat(cell.row("j", 1).failedForGood()).isTrue();
    }

    @Test
    void stopJob_neverPlacedTasks_areKilledAtOnce() {
        cell.job("j", 100_000, 1_000, 1_024);
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.STOPPED);
        assertThat(cell.row("j", 99_999).state()).isEqualTo(TaskState.KILLED);
        assertThat(cell.view().pendingJobs("batch")).isEmpty();
    }

    // ---- reports

    @Test
    void reportTask_illegalStep_isRefused() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        assertRefused(cell.apply(TestCell.report(cell.task("j", 0), 1, TaskState.RUNNING)), Reason.ILLEGAL_STEP);
        cell.place("j", 0, "m");
        assertRefused(cell.report("j", 0, TaskState.FINISHED), Reason.ILLEGAL_STEP);
        cell.report("j", 0, TaskState.RUNNING);
        cell.report("j", 0, TaskState.FINISHED);
        assertRefused(cell.report("j", 0, TaskState.RUNNING), Reason.ILLEGAL_STEP);
        assertDone(cell.report("j", 0, TaskState.FINISHED), Effect.UNCHANGED);
    }

    @Test
    void reportTask_ofAnEarlierAttempt_isAnsweredStopIt() {
        cell.machine("m", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.LOST);
        assertRefused(cell.report("j", 0, TaskState.RUNNING), Reason.NOT_CURRENT);
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        cell.place("j", 0, "m");
        assertRefused(cell.apply(TestCell.report(cell.task("j", 0), 1, TaskState.FINISHED)), Reason.NOT_CURRENT);
    }

    // ---- holds

    /** The hold must not read the amounts of the next machine's first dimension. */
    @Test
    void hold_ofADimensionThatTheCellDoesNotKnow_doesNotFit() {
        cell.machine("m", 4_000, 8_192);
        cell.machine("behind", 4_000, 8_192);
        cell.job("j", 1, 1_000, 1_024);
        HoldRequest hold = new HoldRequest(cell.jobRow("j").id(), cell.slot("m"), Amounts.of(0, 0, 0, 5), 1_000);
        ItemResult refused = cell.commit(cell.transaction("hold").hold(hold)).result(0);
        assertThat(refused.reason()).contains(Reason.DOES_NOT_FIT);
        assertThat(refused.dimension()).hasValue(3);
        assertThat(refused.asked()).isEqualTo(5);
        assertThat(refused.free()).isZero();
    }

    // ---- sessions

    @Test
    void openSession_samePairAgain_fencesTheOlder() {
        long first = ((CommandResult.Done) cell.apply(open(Optional.empty()))).identity();
        assertDone(cell.apply(open(Optional.of(new SessionId(first)))), Effect.UNCHANGED);
        assertDone(cell.apply(open(Optional.empty())), Effect.CREATED);
        assertRefused(cell.apply(open(Optional.of(new SessionId(first)))), Reason.FENCED);
        assertThat(cell.view().sessions()).hasSize(1);
    }

    @Test
    void openSession_renewingOneThatIsOver_isToldApartFromOneTakenOver() {
        long first = ((CommandResult.Done) cell.apply(open(Optional.empty()))).identity();
        cell.apply(new Command.CloseSession(new SessionId(first)));
        assertRefused(cell.apply(open(Optional.of(new SessionId(first)))), Reason.UNKNOWN_SESSION);
        cell.apply(open(Optional.empty()));
        assertRefused(cell.apply(open(Optional.of(new SessionId(first)))), Reason.FENCED);
    }

    @Test
    void closeSession_open_endsIt_andASecondCloseIsRefused() {
        long first = ((CommandResult.Done) cell.apply(open(Optional.empty()))).identity();
        assertDone(cell.apply(new Command.CloseSession(new SessionId(first))), Effect.CHANGED);
        assertThat(cell.view().sessions()).isEmpty();
        assertRefused(cell.apply(new Command.CloseSession(new SessionId(first))), Reason.UNKNOWN_SESSION);
    }

    private static Command open(Optional<SessionId> renews) {
        return new Command.OpenSession("batch", "one", "batch", 10_000, renews);
    }

    /**
     * The cell that ran on and the one that was loaded must know the same job by its name, because the next job continues its
     * count.
     */
    @Test
    void forget_ofTheNewestJobOfAName_leavesTheOlderOne_andSoDoesASnapshot() {
        TestCell cell = new TestCell();
        for (int use = 0; use < 3; use++) {
            cell.job("j", 1, 1, 1);
            cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        }
        JobId third = cell.jobRow("j").id();
        cell.apply(new Command.ForgetJob(third));
        JobId second = cell.jobRow("j").id();
        assertThat(second).isNotEqualTo(third);
        assertThat(cell.jobRow("j").generation()).isEqualTo(2);
        assertThat(cell.reloaded().view().job("j").orElseThrow().id()).isEqualTo(second);
        cell.view().jobs().stream()
                .map(JobRow::id)
                .filter(id -> !id.equals(second))
                .toList()
                .forEach(first -> cell.apply(new Command.ForgetJob(first)));
        assertThat(cell.jobRow("j").id()).isEqualTo(second);
        cell.apply(new Command.ForgetJob(second));
        assertThat(cell.view().job("j")).isEmpty();
    }
}
