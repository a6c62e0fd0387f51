package dev.cella.transactions.cell.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobPagesTest {
    private static final int FORMAT = SnapshotFormat.MAX;
    private static final long IDENTITIES_A_PAGE = 1_024;

    private final JobPages pages = new JobPages();
    private final NavigableMap<Long, JobRow> jobs = new TreeMap<>();

    private JobRow enter(long id) {
        return enter(id, Specification.EMPTY);
    }

    private JobRow enter(long id, Specification specification) {
        JobHeader header = new JobHeader(
                "job",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", 1, Amounts.of(1_000), Restart.BATCH)));
        JobRow job = new JobRow(new JobId(id), header, specification, 1, 0, 0);
        jobs.put(id, job);
        pages.touch(job);
        return job;
    }

    @Test
    void jobsOfACell_thatIsNeverCopied_areNotNoted() {
        for (int page = 1; page <= 100; page++) {
            enter(page * IDENTITIES_A_PAGE);
        }
        assertThat(pages.noted()).isZero();
    }

    @Test
    void firstCopy_hasTheJobsOfBefore_andTheNextWritesWhatHasChangedSince() {
        JobRow old = enter(1);
        enter(IDENTITIES_A_PAGE);
        JobPages.Copy first = pages.copy(jobs, FORMAT);
        assertThat(first.size()).isEqualTo(2);
        pages.touch(old);
        assertThat(pages.noted()).isEqualTo(1);
        enter(2 * IDENTITIES_A_PAGE);
        JobPages.Copy next = pages.copy(jobs, FORMAT);
        assertThat(next.size()).isEqualTo(3);
        assertThat(next.page(0)).isNotSameAs(first.page(0));
        assertThat(next.page(1)).isSameAs(first.page(1));
        assertThat(pages.noted()).isZero();
    }

    /** The page was touched last before the first copy, which noted nothing. */
    @Test
    void jobOfThePageThatWasTouchedLastBeforeTheFirstCopy_isNotedAfterIt() {
        JobRow job = enter(1);
        pages.copy(jobs, FORMAT);
        pages.touch(job);
        assertThat(pages.noted()).isEqualTo(1);
    }

    @Test
    void copyInAnotherFormat_writesAllPagesThatStillHaveJobs() {
        JobRow gone = enter(1);
        enter(IDENTITIES_A_PAGE);
        JobPages.Copy before = pages.copy(jobs, SnapshotFormat.MIN);
        jobs.remove(1L);
        pages.touch(gone);
        JobPages.Copy after = pages.copy(jobs, FORMAT);
        assertThat(after.size()).isEqualTo(1);
        assertThat(after.get(1)).isNotEqualTo(before.get(1));
    }

    /** Large jobs are submitted one after the other, so most of a page stays when it is written again. */
    @Test
    void pageThatIsWrittenAgain_sharesTheSpecificationsWithThePageBefore() {
        Specification large = Specification.of(new byte[100_000]);
        enter(1, large);
        JobPages.Copy before = pages.copy(jobs, FORMAT);
        enter(2, Specification.of(new byte[] {1, 2, 3}));
        JobPages.Copy after = pages.copy(jobs, FORMAT);
        assertThat(after.page(0)).isNotSameAs(before.page(0));
        assertThat(after.page(0).specification(0))
                .isSameAs(before.page(0).specification(0))
                .isSameAs(large);
        assertThat(after.get(0)).hasSizeGreaterThan(100_003);
    }

    @Test
    void pages_areTheSameIfTheirJobsAre() {
        JobRow job = enter(1, Specification.of(new byte[] {1, 2, 3}));
        JobPages.Copy before = pages.copy(jobs, FORMAT);
        pages.touch(job);
        assertThat(pages.copy(jobs, FORMAT).isSame(0, before)).isTrue();
        job.update(job.header(), Specification.of(new byte[] {1, 2, 4}));
        pages.touch(job);
        assertThat(pages.copy(jobs, FORMAT).isSame(0, before)).isFalse();
        assertThat(pages.copy(jobs, FORMAT).isSame(1, before)).isFalse();
    }
}
