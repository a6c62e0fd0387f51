package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.TestCell;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Command.MachineChange;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** New things reuse the places of those that have gone: slots, rows of tasks, and values that rows share. */
class UsedAgainTest {
    private final TestCell cell = new TestCell();

    private void runAndEnd(String job) {
        cell.job(job, 2, 1_000, 0);
        cell.place(job, 0, "m");
        cell.place(job, 1, "m");
        cell.report(job, 0, TaskState.LOST);
        cell.report(job, 1, TaskState.LOST);
        cell.apply(new Command.StopJob(cell.jobRow(job).id()));
    }

    private void forget(String job) {
        JobId id = cell.jobRow(job).id();
        cell.apply(new Command.ForgetJob(id));
        assertThat(cell.view().job(id)).isEmpty();
    }

    @Test
    void slot_isForAnotherMachine_onceNoTaskNamesTheOneThatHasGone() {
        cell.machine("m", 8_000, 64);
        runAndEnd("j");
        cell.change("m", MachineChange.REMOVE, false);
        cell.machine("beside", 8_000, 64);
        assertThat(cell.slot("beside")).isEqualTo(1);
        cell.change("beside", MachineChange.REMOVE, false);
        forget("j");
        cell.machine("instead", 8_000, 64);
        assertThat(cell.slot("instead")).isZero();
    }

    @Test
    void slot_isForAnotherMachine_whenAnAttemptAfterIsOnAnother() {
        cell.machine("m", 8_000, 64);
        cell.job("j", 1, 1_000, 0);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.LOST);
        cell.change("m", MachineChange.REMOVE, false);
        cell.machine("beside", 8_000, 64);
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        cell.place("j", 0, "beside");
        cell.machine("instead", 8_000, 64);
        assertThat(cell.slot("instead")).isZero();
    }

    /** Machines come and go and are referred to in a drawn order; the table must agree with a search through all its slots. */
    @Test
    void nextSlot_isTheFirstThatNothingRefersTo_afterEachChange() {
        Random random = new Random(20_261_123);
        MachineTable machines = new MachineTable(false);
        for (int version = 1; version <= 4_000; version++) {
            int slot = random.nextInt(machines.slots() + 1);
            if (slot == machines.slots() || random.nextInt(8) == 0) {
                machines.register(machines.nextSlot(), "m" + version, Amounts.NONE, Map.of(), null, version);
            } else if (random.nextBoolean()) {
                boolean drops = machines.references(slot) > 0 && random.nextInt(3) > 0;
                machines.refer(slot, drops ? -1 : 1);
            } else if (machines.exists(slot)) {
                machines.remove(slot, version);
            }
            assertThat(machines.nextSlot()).isEqualTo(firstUnreferred(machines));
        }
        assertThat(machines.slots()).isBetween(10, 1_000);
    }

    private static int firstUnreferred(MachineTable machines) {
        return IntStream.range(0, machines.slots())
                .filter(slot -> !machines.exists(slot) && machines.references(slot) == 0)
                .findFirst()
                .orElse(machines.slots());
    }

    @Test
    void rows_andWhatTheyShare_areUsedAgain() {
        cell.machine("m", 8_000, 64);
        for (int round = 0; round < 20; round++) {
            runAndEnd("j" + round);
            forget("j" + round);
        }
        TaskTable tasks = cell.tables().tasks;
        assertThat(tasks.rows).isLessThanOrEqualTo(2);
        int next = tasks.placings.add(new TaskRows.Placing(groupOf("last"), Amounts.NONE, null, 0, false));
        assertThat(next).isLessThan(8);
    }

    /** Ended jobs are kept for a day: thousands that were scaled down must not keep places for all their former tasks. */
    @Test
    void group_withoutRowsAfterItWasScaledDown_keepsNoPlaces_andCanGrowAgain() {
        cell.machine("m", 8_000, 64);
        cell.job("j", 8, 1_000, 0);
        for (int index = 1; index < 8; index++) {
            cell.place("j", index, "m");
        }
        JobId job = cell.jobRow("j").id();
        cell.apply(new Command.ScaleGroup(job, 0, 1));
        assertThat(cell.jobRow("j").group(0).rowsEnd()).isEqualTo(8);

        for (int index = 1; index < 8; index++) {
            cell.report("j", index, TaskState.KILLED);
        }
        cell.apply(new Command.ContinueStop(job));
        assertThat(cell.jobRow("j").group(0).rowsEnd()).isZero();

        cell.apply(new Command.ScaleGroup(job, 0, 3));
        cell.place("j", 2, "m");
        assertThat(cell.jobRow("j").group(0).pending()).isEqualTo(2);
        assertThat(cell.row("j", 2).state()).isEqualTo(TaskState.PLACED);
        assertThat(cell.reloaded().view().digest()).isEqualTo(cell.view().digest());
    }

    private void startAndFail() {
        cell.machineWithAgent("m", 8_000, 64, "boot");
        cell.job("j", 1, 1_000, 0);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.RUNNING);
        cell.report("j", 0, TaskState.FAILED);
    }

    /** A reused row has no traces of its former task. */
    @Test
    void row_ofATaskThatHadStartedAndFailed_isThatOfANewTask() {
        startAndFail();
        assertThat(cell.row("j", 0).failures()).isEqualTo(1);
        assertThat(cell.row("j", 0).startedAtMillis()).isPresent();
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        forget("j");
        cell.job("next", 1, 1_000, 0);
        cell.place("next", 0, "m");
        assertThat(cell.tables().tasks.rows).isEqualTo(1);
        assertThat(cell.row("next", 0).failures()).isZero();
        assertThat(cell.row("next", 0).startedAtMillis()).isEmpty();
    }

    @Test
    void row_ofATaskThatWasKilledBeforeItWasPlaced_isThatOfANewTask() {
        startAndFail();
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        forget("j");
        cell.job("next", 1, 1_000, 0);
        cell.commit(cell.transaction("stop").step(new Step(Step.Kind.STOP, cell.task("next", 0), 0)));
        assertThat(cell.tables().tasks.rows).isEqualTo(1);
        assertThat(cell.row("next", 0).state()).isEqualTo(TaskState.KILLED);
        assertThat(cell.row("next", 0).failures()).isZero();
        assertThat(cell.row("next", 0).startedAtMillis()).isEmpty();
    }

    @Test
    void attemptAfterOneThatFailed_hasNotStarted_andKnowsOfTheFailure() {
        startAndFail();
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        assertThat(cell.row("j", 0).failures()).isEqualTo(1);
        assertThat(cell.row("j", 0).startedAtMillis()).isEmpty();
        assertThat(cell.row("j", 0).endedAtMillis()).isEmpty();
        assertThat(cell.row("j", 0).changedVersion()).isEqualTo(cell.version());
    }

    /** Attempts count over all jobs of a name, so that no two have the same number. */
    @Test
    void attempts_goOnAfterThoseThatWereNeverPlaced() {
        cell.machine("m", 8_000, 64);
        cell.job("j", 1, 1_000, 0);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.LOST);
        cell.commit(cell.transaction("again").step(new Step(Step.Kind.AGAIN, cell.task("j", 0), 1)));
        assertThat(cell.row("j", 0).attempt()).isEqualTo(2);
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        cell.job("j", 1, 1_000, 0);
        cell.place("j", 0, "m");
        assertThat(cell.row("j", 0).attempt()).isEqualTo(3);
    }

    @Test
    void handOver_isForgottenWithTheVictimsEnd() {
        cell.apply(new Command.SetRights("batch", new Rights(100, List.of(), true, Rights.Evicts.ANY)));
        cell.machineWithAgent("m", 1_000, 64, "boot");
        cell.job("victim", 1, 1_000, 0);
        cell.place("victim", 0, "m");
        cell.job("urgent", 1, 1_000, 0);
        cell.commit(cell.transaction("evict")
                .claim(cell.task("urgent", 0), 1, cell.slot("m"))
                .evict(new Eviction(cell.task("victim", 0), 1, OptionalInt.of(0))));
        TaskTable tasks = cell.tables().tasks;
        assertThat(tasks.yielding()).isEqualTo(1);
        assertThat(cell.row("victim", 0).changedVersion()).isEqualTo(cell.version());
        cell.report("victim", 0, TaskState.KILLED);
        assertThat(tasks.yielding()).isZero();
    }

    private GroupRow groupOf(String job) {
        cell.job(job, 1, 1, 1);
        return cell.jobRow(job).group(0);
    }

    @Test
    void times_thatNobodySaid_areThoseOfTheReport() {
        cell.machineWithAgent("m", 8_000, 64, "boot");
        cell.job("j", 1, 1_000, 0);
        cell.place("j", 0, "m");
        cell.report("j", 0, TaskState.RUNNING);
        assertThat(cell.row("j", 0).startedAtMillis()).hasValue(cell.header().wallTimeMillis());
        assertThat(cell.row("j", 0).endedAtMillis()).isEmpty();
        cell.advance(1_000);
        cell.report("j", 0, TaskState.FINISHED);
        assertThat(cell.row("j", 0).startedAtMillis()).hasValue(cell.header().wallTimeMillis() - 1_000);
        assertThat(cell.row("j", 0).endedAtMillis()).hasValue(cell.header().wallTimeMillis());
    }

    @Test
    void machine_thatShrinks_takesNoClaimUntilItHasShrunk() {
        cell.machine("m", 4_000, 64);
        cell.job("j", 5, 1_000, 0);
        for (int index = 0; index < 3; index++) {
            cell.place("j", index, "m");
        }
        cell.apply(new Command.PutMachine("m", Amounts.of(2_000, 64), new TreeMap<>(), Optional.empty(), true));
        assertThat(claim("early", 3)).isFalse();
        cell.report("j", 0, TaskState.LOST);
        assertThat(claim("still", 3)).isFalse();
        cell.report("j", 1, TaskState.LOST);
        assertThat(claim("then", 3)).isTrue();
    }

    private boolean claim(String id, int index) {
        return cell.commit(cell.transaction(id).claim(cell.task("j", index), cell.generation("j"), cell.slot("m")))
                .isAccepted(0);
    }
}
