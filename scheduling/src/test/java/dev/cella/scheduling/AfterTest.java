package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A group starts after the groups that it names. */
class AfterTest {
    private static final GroupLife AFTER_MAP = GroupLife.PLAIN.after(0);

    private final SampleCell cell = SampleCell.of(2, 4_000, 8_192).withTasksThatRun(1_000);

    @Test
    void group_startsWhenTheOtherHasFinished() {
        SampleRun run = start(Placement.ofLives(GroupLife.PLAIN, AFTER_MAP), Optional.empty());
        assertThat(reduce().pending()).isEqualTo(3);
        assertThat(why(run)).isEqualTo("it starts after map (12 of 12 not over)");
        run.runUntil(2_000);
        assertThat(why(run)).isEqualTo("it starts after map (4 of 12 not over)");
        run.run();
        assertThat(job().state()).isEqualTo(JobState.FINISHED);
        assertThat(startOf(1)).isGreaterThanOrEqualTo(endOf(0));
    }

    @Test
    void gang_holdsNothingBeforeItsTime() {
        SampleRun run =
                start(Placement.ofLives(GroupLife.PLAIN, AFTER_MAP), Optional.of(new Gang(3, 10, Gang.Restarts.ALL)));
        run.runUntil(1_900);
        assertThat(cell.view().holdsOf(job())).isEmpty();
        run.run();
        assertThat(job().state()).isEqualTo(JobState.FINISHED);
    }

    @Test
    void group_neverStarts_ifATaskOfTheOtherFailedForGood() {
        cell.withTasksThatFail(
                task -> task.groupName().equals("map") && task.id().index() == 0);
        SampleRun run = start(Placement.ofLives(GroupLife.PLAIN, AFTER_MAP), Optional.empty())
                .run();
        assertThat(reduce().pending()).isEqualTo(3);
        assertThat(why(run)).isEqualTo("it starts after map (1 failed for good)");
    }

    private SampleRun start(Placement placement, Optional<Gang> gang) {
        Amounts shape = Amounts.of(1_000, 64);
        GroupHeader map = new GroupHeader("map", 12, shape, new Restart(0, 1, 1));
        GroupHeader reduce = new GroupHeader("reduce", 3, shape, Restart.BATCH, 0, 0, OnLost.REPLACE, gang);
        JobHeader job = SampleCell.batch("j", 1, 1_000, 64).withGroups(List.of(map, reduce));
        cell.asks("j", 1, placement);
        cell.submit(job);
        return SampleRun.of(new TaskByTask(Choice.FIRST_FIT).scheduler(), cell).runUntil(1_500);
    }

    private static String why(SampleRun run) {
        List<Unplaced> unplaced = run.status().jobs().get(0).unplaced();
        return unplaced.get(unplaced.size() - 1).sentence();
    }

    private JobRow job() {
        return cell.view().job("j").orElseThrow();
    }

    private GroupRow reduce() {
        return job().group(1);
    }

    private long startOf(int group) {
        return cell.view().task(job().group(group), 0).startedAtMillis().orElseThrow();
    }

    private long endOf(int group) {
        return cell.view().task(job().group(group), 11).endedAtMillis().orElseThrow();
    }
}
