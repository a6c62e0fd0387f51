package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Rights;
import org.junit.jupiter.api.Test;

/**
 * "When selecting tasks to kill, we pick the most recently launched tasks in pools that are above their fair share to
 * minimize wasted work" (section 4).
 */
class KillingTimeoutsTest {
    private static final long TIMEOUT = 30_000;

    private static FairCell cell(int machines, PoolPolicy ofA) {
        return new FairCell().slots(machines, machines).pool("a", ofA);
    }

    /** Pool b has a task on every machine when pool a submits its job. */
    private static FairCell fullCell(int machines, PoolPolicy ofA) {
        FairCell cell = cell(machines, ofA);
        cell.job("old", "b", machines, 1, 1);
        cell.plan();
        cell.job("due", "a", 2 * machines, 1, 1);
        return cell;
    }

    private static PoolPolicy withMinimum(int tasks, long minimumTimeoutMillis) {
        return new PoolPolicy(1, Amounts.of(tasks, tasks), Limits.NONE, PoolPolicy.Order.FAIR, minimumTimeoutMillis, 0);
    }

    @Test
    void plan_ofAPoolBelowItsMinimumForItsTimeout_endsAsManyAsItLacks() {
        FairCell cell = fullCell(10, withMinimum(4, TIMEOUT));

        cell.plan().pass(TIMEOUT - 1).plan();
        assertThat(cell.placed("old")).isEqualTo(10);

        cell.pass(1).plan().plan();
        assertThat(cell.placed("due")).isEqualTo(4);
        assertThat(cell.placed("old")).isEqualTo(6);
    }

    @Test
    void plan_ofAPoolBelowHalfOfItsShareForItsTimeout_bringsItToItsShare() {
        FairCell cell = fullCell(10, new PoolPolicy(1, Amounts.NONE, Limits.NONE, PoolPolicy.Order.FAIR, 0, TIMEOUT));

        cell.plan().pass(TIMEOUT).plan().plan();

        assertThat(cell.placed("due")).isEqualTo(5);
        assertThat(cell.placed("old")).isEqualTo(5);
    }

    @Test
    void plan_thatEndsTasks_endsTheNewestFirst() {
        FairCell cell = cell(4, withMinimum(2, TIMEOUT));
        cell.job("older", "b", 2, 1, 1);
        cell.plan();
        cell.job("newer", "b", 2, 1, 1);
        cell.plan();
        cell.job("due", "a", 9, 1, 1);

        cell.plan().pass(TIMEOUT).plan().plan();

        assertThat(cell.placed("older")).isEqualTo(2);
        assertThat(cell.placed("newer")).isZero();
        assertThat(cell.placed("due")).isEqualTo(2);
    }

    @Test
    void plan_ofAPoolWhoseTasksRunningMaxKeepsBack_endsOnlyWhatOthersCanTake() {
        FairCell cell = cell(10, withMinimum(4, TIMEOUT));
        cell.job("old", "b", 10, 1, 1);
        cell.plan();
        cell.jobWithRunningMax("due", "a", 9, 1);

        cell.plan().pass(TIMEOUT).plan().plan().pass(TIMEOUT).plan().plan();

        assertThat(cell.placed("due")).isEqualTo(1);
        assertThat(cell.placed("old")).isEqualTo(9);
    }

    @Test
    void plan_ofAPoolWhoseTasksNoMachineCanHold_endsNothing() {
        FairCell cell = cell(10, withMinimum(4, TIMEOUT));
        cell.job("old", "b", 10, 1, 1);
        cell.plan();
        cell.job("due", "a", 9, 2, 1);

        cell.plan().pass(TIMEOUT).plan().plan();

        assertThat(cell.placed("old")).isEqualTo(10);
    }

    /** Its share is 5, and two jobs wait for it. */
    @Test
    void plan_ofAPoolThatIsNearItsLimit_endsOnlyWhatTheLimitLeaves() {
        FairCell cell = cell(10, new PoolPolicy(1, Amounts.NONE, Limits.of(2, 2), PoolPolicy.Order.FAIR, 0, TIMEOUT));
        cell.job("old", "b", 10, 1, 1);
        cell.plan();
        cell.job("due", "a", 9, 1, 1);
        cell.job("due-too", "a", 9, 1, 1);

        cell.plan().pass(TIMEOUT).plan();
        assertThat(cell.placed("old")).isEqualTo(8);

        cell.plan();
        assertThat(cell.placed("due") + cell.placed("due-too")).isEqualTo(2);
        assertThat(cell.placed("old")).isEqualTo(8);
    }

    @Test
    void plan_ofAPoolWithoutTimeouts_endsNothing() {
        FairCell cell = fullCell(4, FairCell.weighing(1));

        cell.plan().pass(TIMEOUT * 100).plan();

        assertThat(cell.placed("old")).isEqualTo(4);
    }

    @Test
    void plan_ofASchedulerThatMayEvictNothing_goesOnPlacing() {
        FairCell cell = fullCell(4, withMinimum(2, TIMEOUT)).evicting(Rights.Evicts.NOTHING);

        cell.plan().pass(TIMEOUT).plan();
        assertThat(cell.placed("old")).isEqualTo(4);

        cell.machine("more", "r9", 1, 1).plan();
        assertThat(cell.placed("due")).isEqualTo(1);
    }

    @Test
    void plan_neverTakesAVictimsPoolBelowItsOwnShare() {
        FairCell cell = fullCell(4, withMinimum(4, TIMEOUT)).pool("b", withMinimum(4, 0));

        cell.plan().pass(TIMEOUT).plan().plan();

        assertThat(cell.placed("old")).isEqualTo(2);
        assertThat(cell.placed("due")).isEqualTo(2);
    }

    /** Nobody plans while nothing waits, so the memory still says that the pool lacked something. */
    @Test
    void plan_ofAPoolWhoseJobsOnlyBeginToWait_endsNothingYet() {
        FairCell cell = cell(4, withMinimum(2, TIMEOUT));
        cell.job("old", "b", 4, 1, 1);
        cell.plan();
        cell.job("gone", "a", 4, 1, 1);
        cell.plan().stop("gone").pass(TIMEOUT * 100);
        cell.job("due", "a", 4, 1, 1);

        cell.plan().pass(TIMEOUT - 1).plan();
        assertThat(cell.placed("old")).isEqualTo(4);

        cell.pass(1).plan().plan();
        assertThat(cell.placed("due")).isEqualTo(2);
    }
}
