package dev.cella.scheduler.batch.apollo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.apollo.ApolloMemory.SentTasks;
import dev.cella.scheduling.JobKey;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** It has the same entries as a plain map, in the same order, and keeps them when a later one changes. */
class SentByJobTest {
    @Test
    void randomChanges_giveWhatAPlainMapHas_andLeaveTheFormerOneAsItWas() {
        Random random = new Random(23);
        Map<JobKey, SentTasks> plain = new LinkedHashMap<>();
        SentByJob sent = SentByJob.NOTHING;
        for (int change = 0; change < 4_000; change++) {
            SentByJob former = sent;
            List<JobKey> formerJobs = change % 100 == 0 ? new ArrayList<>(former.keySet()) : List.of();
            JobKey job = JobKey.of(new JobId(1 + random.nextInt(1_500)));
            SentTasks tasks = new SentTasks(Map.of(), Map.of(), Map.of(0, random.nextDouble()));
            SentTasks before = former.get(job);
            sent = former.with(job, tasks);
            plain.put(job, tasks);
            assertThat(sent.get(job)).isEqualTo(tasks);
            assertThat(former.get(job)).isEqualTo(before);
            if (change % 100 == 0) {
                assertThat(former.keySet()).containsExactlyElementsOf(formerJobs);
                assertThat(sent).isEqualTo(plain).hasSameSizeAs(plain);
                assertThat(sent.entrySet()).containsExactlyElementsOf(plain.entrySet());
            }
        }
        assertThat(SentByJob.of(plain)).isEqualTo(sent);
    }

    @Test
    void jobThatIsNotThere_isFoundByNoRead() {
        SentByJob sent = SentByJob.NOTHING.with(JobKey.of(new JobId(1)), SentTasks.NONE);
        assertThat(sent).hasSize(1).doesNotContainKey(JobKey.of(new JobId(2)));
        assertThat(sent.get(JobKey.of(new JobId(2)))).isNull();
    }
}
