package dev.cella.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.Transaction;
import org.junit.jupiter.api.Test;

/** Tests that it measures what it claims; a test cannot judge the speed. */
class EvictionsBenchTest {
    @Test
    void plan_evictsOneTaskForEachClaim() {
        EvictingJob job = new EvictingJob(100);
        assertThat(job.plan()).singleElement().satisfies(proposal -> {
            Transaction transaction = proposal.transaction();
            assertThat(transaction.claims()).isEqualTo(100);
            assertThat(transaction.evictions()).hasSize(100);
        });
        assertThat(job.waiting()).as("nothing was committed").isEqualTo(100);
    }

    @Test
    void commits_placeTheWholeJob() {
        EvictingJob job = new EvictingJob(EvictingJob.VICTIMS);
        job.commit(job.entry(job.plan()));
        assertThat(job.waiting()).isEqualTo(EvictingJob.VICTIMS / 2);
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
