package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Effect;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs at their bounds: refusals, counts of groups, forgetting, and loaded cells. */
class JobsTest {
    private final TestCell cell = new TestCell();

    private CommandResult submit(String name, Command.SubmitMode mode, List<GroupHeader> groups) {
        return cell.apply(command(name, mode, groups));
    }

    private static Command.SubmitJob command(String name, Command.SubmitMode mode, List<GroupHeader> groups) {
        return new Command.SubmitJob(
                TestCell.header(name, "batch", 1, 1, 1).withGroups(groups), Specification.EMPTY, mode);
    }

    private static GroupHeader group(String name, int count) {
        return new GroupHeader(name, count, Amounts.of(1), Restart.BATCH);
    }

    private static Optional<Reason> refusal(CommandResult result) {
        return result instanceof CommandResult.Refused refused ? Optional.of(refused.reason()) : Optional.empty();
    }

    private void end(String job) {
        cell.report(job, 0, TaskState.RUNNING);
        cell.report(job, 0, TaskState.FINISHED);
    }

    // ---- what is refused

    @Test
    void submit_askingForADimensionThatTheCellDoesNotKnow_isRefused() {
        GroupHeader known = new GroupHeader("main", 1, Amounts.of(1, 1, 1), Restart.BATCH);
        GroupHeader unknown = new GroupHeader("more", 1, Amounts.of(1, 1, 1, 1), Restart.BATCH);
        assertThat(refusal(submit("j", Command.SubmitMode.CREATE, List.of(known, unknown))))
                .contains(Reason.BAD_COMMAND);
        assertThat(refusal(submit("j", Command.SubmitMode.CREATE, List.of(known))))
                .isEmpty();
    }

    /** Groups that an update leaves out keep their places. */
    @Test
    void update_withMoreGroupsThanThereMayBe_thoseOfBeforeIncluded_isRefused() {
        List<GroupHeader> most = IntStream.range(1, JobHeader.GROUPS_MAX)
                .mapToObj(place -> group("g" + place, 1))
                .toList();
        submit("j", Command.SubmitMode.CREATE, most);
        assertThat(refusal(submit("j", Command.SubmitMode.CREATE_OR_UPDATE, List.of(group("new", 1)))))
                .isEmpty();
        assertThat(cell.jobRow("j").groups()).hasSize(JobHeader.GROUPS_MAX);
        assertThat(refusal(submit("j", Command.SubmitMode.CREATE_OR_UPDATE, List.of(group("newer", 1)))))
                .contains(Reason.NOT_ALLOWED);
    }

    @Test
    void preview_saysWhatIsAnsweredThen() {
        List<GroupHeader> unknown = List.of(new GroupHeader("main", 1, Amounts.of(1, 1, 1, 1), Restart.BATCH));
        assertThat(previewed("j", Command.SubmitMode.CREATE, unknown)).contains(Reason.BAD_COMMAND);
        assertThat(previewed("j", Command.SubmitMode.CREATE, List.of(group("main", 1))))
                .isEmpty();
        assertThat(previewed("j", Command.SubmitMode.CREATE, List.of(group("main", 2))))
                .contains(Reason.JOB_DIFFERS);
        assertThat(previewed("j", Command.SubmitMode.CREATE_OR_UPDATE, List.of(group("main", 2))))
                .isEmpty();
        cell.apply(new Command.StopJob(cell.jobRow("j").id()));
        assertThat(previewed("j", Command.SubmitMode.CREATE, List.of(group("main", 1))))
                .isEmpty();
        assertThat(cell.generation("j")).isEqualTo(3);
    }

    /** The reason for a refusal, from the preview and from the submission, which must agree. */
    private Optional<Reason> previewed(String name, Command.SubmitMode mode, List<GroupHeader> groups) {
        CommandResult previewed = cell.view().preview(command(name, mode, groups));
        CommandResult answered = submit(name, mode, groups);
        assertThat(refusal(previewed)).isEqualTo(refusal(answered));
        if (answered instanceof CommandResult.Done done) {
            CommandResult.Done beforehand = (CommandResult.Done) previewed;
            assertThat(beforehand.effect()).isEqualTo(done.effect());
            assertThat(beforehand.generation()).isEqualTo(done.generation());
        }
        return refusal(answered);
    }

    // ---- what is counted

    @Test
    void group_ofManyTasks_countsThosePendingAlsoAsLoadedAndScaled() {
        cell.machine("m", 1_000, 1_000);
        cell.job("j", 200, 1, 1);
        for (int index = 0; index < 70; index++) {
            cell.place("j", 2 * index, "m");
        }
        assertThat(cell.jobRow("j").pending()).isEqualTo(130);
        assertThat(cell.reloaded().view().job("j").orElseThrow().pending()).isEqualTo(130);
        cell.apply(new Command.ScaleGroup(cell.jobRow("j").id(), 0, 150));
        assertThat(cell.jobRow("j").pending()).isEqualTo(80);
    }

    @Test
    void update_thatAllowsFewerFailures_endsAJobThatHasMore() {
        cell.machine("m", 1_000, 1_000);
        submit("j", Command.SubmitMode.CREATE, List.of(failing(2)));
        for (int index = 0; index < 2; index++) {
            cell.place("j", index, "m");
            cell.report("j", index, TaskState.FAILED);
        }
        assertThat(cell.jobRow("j").isStopped()).isFalse();
        submit("j", Command.SubmitMode.CREATE_OR_UPDATE, List.of(failing(1)));
        assertThat(cell.jobRow("j").state()).isEqualTo(JobState.FAILED);
        assertThat(cell.jobRow("j").reason()).isEqualTo(TaskReason.TOO_MANY_FAILURES);
    }

    private static GroupHeader failing(int failuresMax) {
        return new GroupHeader(
                "main", 4, Amounts.of(1), new Restart(0, 0, 0), 0, failuresMax, OnLost.REPLACE, Optional.empty());
    }

    /** Bounded numbers of rows are dropped at a time, and the tasks show their state in between. */
    @Test
    void pendingTasksBeyondTheEndOfTheirGroup_areKilledByTheUpdate() {
        TestCell small = new TestCell(new CellLimits(100, 1_000_000, 2), true);
        small.machine("m", 1_000, 1_000);
        small.job("j", 6, 1, 1);
        for (int index = 0; index < 6; index++) {
            small.place("j", index, "m");
            small.report("j", index, TaskState.FAILED);
            small.commit(
                    small.transaction("again-" + index).step(new Step(Step.Kind.AGAIN, small.task("j", index), 1)));
        }
        small.apply(new Command.ScaleGroup(small.jobRow("j").id(), 0, 1));
        assertThat(small.row("j", 0).state()).isEqualTo(TaskState.PENDING);
        assertThat(small.row("j", 5).state()).isEqualTo(TaskState.KILLED);
        assertThat(small.row("j", 5).reason()).isEqualTo(TaskReason.UPDATED);
    }

    @Test
    void specificationBytes_areThoseOfAllJobs_alsoUpdatedLoadedAndForgotten() {
        cell.machine("m", 1_000, 1_000);
        cell.apply(specified("a", 1_000, Command.SubmitMode.CREATE));
        cell.apply(specified("b", 30, Command.SubmitMode.CREATE));
        assertThat(cell.view().specificationBytes()).isEqualTo(1_030);
        assertThat(cell.replica.view().specificationBytes()).isEqualTo(1_030);
        cell.apply(specified("a", 200, Command.SubmitMode.CREATE_OR_UPDATE));
        assertThat(cell.view().specificationBytes()).isEqualTo(230);
        assertThat(cell.reloaded().view().specificationBytes()).isEqualTo(230);
        cell.place("a", 0, "m");
        end("a");
        assertThat(cell.view().specificationBytes()).isEqualTo(230);
        cell.apply(new Command.ForgetJob(cell.jobRow("a").id()));
        assertThat(cell.view().specificationBytes()).isEqualTo(30);
    }

    private static Command specified(String name, int bytes, Command.SubmitMode mode) {
        return new Command.SubmitJob(TestCell.header(name, "batch", 1, 1, 1), Specification.of(new byte[bytes]), mode);
    }

    // ---- forgetting, and loaded cells

    @Test
    void loadedCell_knowsTheJobsThatWait() {
        cell.machine("m", 1_000, 1_000);
        cell.job("waits", 2, 1, 1);
        cell.job("runs", 1, 1, 1);
        cell.place("runs", 0, "m");
        assertThat(cell.reloaded().view().pendingJobs("batch"))
                .extracting(JobRow::name)
                .containsExactly("waits")
                .isEqualTo(cell.view().pendingJobs("batch").stream()
                        .map(JobRow::name)
                        .toList());
    }

    @Test
    void jobsThatEndedTogether_areForgottenTogether_aHundredAtOnce() {
        cell.machine("m", 1_000, 1_000);
        for (int each = 0; each <= 100; each++) {
            cell.job("j" + each, 1, 1, 1);
            cell.place("j" + each, 0, "m");
            end("j" + each);
        }
        cell.advance(CellLimits.STANDARD.endedJobMillis());
        List<Command> due = cell.cell.followUps(cell.header().cellTime());
        assertThat(due)
                .hasSize(100)
                .doesNotHaveDuplicates()
                .contains(new Command.ForgetJob(cell.jobRow("j99").id()));
        due.forEach(cell::apply);
        assertThat(cell.cell.followUps(cell.header().cellTime()))
                .containsExactly(new Command.ForgetJob(cell.jobRow("j100").id()));
    }

    @Test
    void forget_ofAJobThatThereIsNot_changesNothing() {
        assertThat(cell.apply(new Command.ForgetJob(new JobId(99))))
                .isInstanceOfSatisfying(
                        CommandResult.Done.class,
                        done -> assertThat(done.effect()).isEqualTo(Effect.UNCHANGED));
    }

    /** Its page is written again for the next copy, though none of its remaining jobs has changed. */
    @Test
    void forget_ofAJobOfACopyBefore_isNotInTheNextCopy() {
        cell.machine("m", 1_000, 1_000);
        cell.job("stays", 1, 1, 1);
        cell.job("goes", 1, 1, 1);
        cell.place("goes", 0, "m");
        end("goes");
        cell.cell.copy();
        cell.apply(new Command.ForgetJob(cell.jobRow("goes").id()));
        assertThat(cell.reloaded().view().jobs()).extracting(JobRow::name).containsExactly("stays");
    }
}
