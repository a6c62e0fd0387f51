package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A planner that drafts what the commit could only refuse is told so on the draft, in words. */
class ImpossibleDraftsTest {
    private final SampleCell cell = SampleCell.of(2, 4_000, 8_192);
    private final JobRow mine = submit(SampleCell.batch("mine", 2, 1_000, 64));
    private final JobRow others = filled();

    @Test
    void claim_whereItDoesNotFit() {
        cell.fill(SampleCell.batch("full", 7, 1_000, 64));
        refuses(view -> group(view).claimNext(0), "the planner claims", "on m0, where it does not fit");
        refuses(view -> group(view).claimNext(17), "slot 17");
    }

    @Test
    void eviction_thatRightsDoNotAllow() {
        refuses(
                view -> group(view).claimEvicting(0, List.of(victim())),
                "the planner evicts others/main/0",
                "may not be evicted by sample");
        refuses(view -> view.evict(mine.id(), victim()), "without a claim", "may evict LOWER");
    }

    @Test
    void spareWork_whereItDoesNotFit_andAnUpgradeOfWhatIsNone() {
        cell.fill(SampleCell.batch("full", 7, 1_000, 64));
        refuses(view -> group(view).spareNext(0), "as spare work on m0", "where it does not fit as such");
        refuses(view -> view.upgrade(victim()), "which is not one of sample");
    }

    @Test
    void task_thatEndsTwice() {
        rights(new Rights(100, List.of(), true, Rights.Evicts.ANY));
        refuses(
                view -> {
                    view.evict(mine.id(), victim());
                    view.evict(mine.id(), victim());
                },
                "told to end already");
    }

    @Test
    void anythingForAnothersJob() {
        refuses(view -> view.stop(victim()), "which is not one of sample");
        refuses(view -> view.scale(others.id(), 0, 3), "which is not one of sample");
        refuses(view -> view.remember(others.id(), Progress.of(new byte[] {1})), "which is not one of sample");
        refuses(view -> view.hold(others.id(), 0, Amounts.of(10), 1_000), "which is not one of sample");
    }

    @Test
    void scale_toWhatTheJobCannotHave() {
        refuses(view -> view.scale(mine.id(), 0, JobHeader.TASKS_MAX + 1), "100001 tasks: BAD_COMMAND");
        refuses(view -> view.scale(mine.id(), 7, 1), "group 7 of mine 1 tasks: UNKNOWN_TASK");
    }

    @Test
    void hold_withoutTheRight_orOfMoreThanTheMachineHas() {
        refuses(view -> view.hold(mine.id(), 0, Amounts.of(4_001), 1_000), "machine m0, which is smaller");
        refuses(view -> view.hold(mine.id(), 9, Amounts.of(10), 1_000), "which is not there");
        rights(new Rights(100, List.of(), false, Rights.Evicts.LOWER));
        refuses(view -> view.hold(mine.id(), 0, Amounts.of(10), 1_000), "sample may not hold machines for a job");
    }

    @Test
    void queue_beforeTheCellHasQueues() {
        PlannedCell young = new PlannedCell();
        young.machine("m0", 4_000);
        JobRow job = young.job(1, 1_000);
        assertThatThrownBy(() -> young.plan(
                        (work, view, random) -> {
                            view.pendingGroups(work.id()).get(0).queueNext(List.of(0));
                            return List.of();
                        },
                        job,
                        1))
                .hasMessageContaining("needs feature level 5")
                .hasMessageContaining("cella cell level 5");
    }

    private static PendingGroup group(PlanningView view) {
        return view.pendingGroups(view.view().job("mine").orElseThrow().id()).get(0);
    }

    private TaskRow victim() {
        return cell.view().task(others.group(0), 0);
    }

    private void rights(Rights rights) {
        cell.rights(SampleCell.SCHEDULER, rights);
    }

    private JobRow submit(JobHeader job) {
        JobId id = cell.submit(job);
        return cell.view().job(id).orElseThrow();
    }

    /** A job of another scheduler with one task on m0. */
    private JobRow filled() {
        JobHeader job = SampleCell.batch("others", 1, 1_000, 64);
        JobId id = cell.fill(new JobHeader(
                job.name(),
                job.type(),
                "others",
                job.pool(),
                job.priority(),
                job.atomicity(),
                job.conflictRule(),
                job.groups()));
        return cell.view().job(id).orElseThrow();
    }

    private void refuses(Consumer<PlanningView> draft, String... words) {
        TransactionStamp stamp = new TransactionStamp(SampleCell.SCHEDULER, new SessionId(1), 1, 100);
        Surroundings surroundings = Surroundings.of(cell.view(), job -> Placement.ANYWHERE);
        try (PlanningView view =
                new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, surroundings)) {
            assertThatThrownBy(() -> draft.accept(view))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(words);
        }
    }
}
