package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.Transaction;
import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class EvictionsBenchTest {
    private static final int VICTIMS = EvictionsBench.MACHINES * EvictionsBench.TASKS_A_MACHINE;

    private static FullCell cell(int waiting) {
        return new FullCell(EvictionsBench.MACHINES, EvictionsBench.TASKS_A_MACHINE, waiting);
    }

    @Test
    void plan_evictsOneTaskForEachClaim() {
        FullCell job = cell(100);
        assertThat(job.plan()).singleElement().satisfies(proposal -> {
            Transaction transaction = proposal.transaction();
            assertThat(transaction.claims()).isEqualTo(100);
            assertThat(transaction.evictions()).hasSize(100);
        });
        assertThat(job.waiting()).as("nothing was committed").isEqualTo(100);
    }

    @Test
    void commits_placeTheWholeJob() {
        FullCell job = cell(VICTIMS);
        job.commit(job.entry(job.plan()));
        assertThat(job.waiting()).isEqualTo(VICTIMS / 2);
        job.commit(job.entry(job.plan()));
        assertThat(job.waiting()).isZero();
    }

    @Test
    void figures_areThereForPlanAndCommit() {
        assertThat(new EvictionsBench(1).measure()).hasSize(2).allSatisfy(figures -> {
            assertThat(figures.fewer()).isPositive();
            assertThat(figures.ratio()).isPositive();
        });
    }

    @Test
    void noAttempts_areRefused() {
        assertThatThrownBy(() -> new EvictionsBench(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
