package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.TaskUsage;
import dev.cella.state.core.Time;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageFactsTest {
    private static final JobId ONE = new JobId(7);
    private static final JobId OTHER = new JobId(9);

    private long nowNanos;

    private final UsageFacts usage = new UsageFacts(new Time() {
        @Override
        public long monotonicNanos() {
            return nowNanos;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public Cancellation after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("no timer is needed");
        }
    });

    private static AttemptUsage report(JobId job, int index) {
        return AttemptUsage.newBuilder()
                .setJobVersion(job.version())
                .setIndex(index)
                .setAttempt(1)
                .setUsage(TaskUsage.newBuilder().setCpuMilli(100))
                .build();
    }

    @Test
    void sumOfAJob_looksAtItsOwnTasksAlone() {
        usage.put(List.of(report(ONE, 0), report(OTHER, 0), report(ONE, 3), report(ONE, 0)));
        assertThat(usage.measured(ONE)).containsExactlyInAnyOrder(new TaskId(ONE, 0, 0), new TaskId(ONE, 0, 3));
        assertThat(usage.measured(OTHER)).containsExactly(new TaskId(OTHER, 0, 0));
        assertThat(usage.measured(new JobId(8))).isEmpty();
    }

    @Test
    void oldReports_areForgottenByJobToo() {
        usage.put(List.of(report(ONE, 0), report(ONE, 1)));
        nowNanos = Duration.ofSeconds(61).toNanos();
        usage.put(List.of(report(ONE, 1), report(OTHER, 2)));
        assertThat(usage.measured(ONE)).containsExactly(new TaskId(ONE, 0, 1));
        nowNanos = Duration.ofSeconds(200).toNanos();
        usage.put(List.of());
        assertThat(usage.measured(ONE)).isEmpty();
        assertThat(usage.measured(OTHER)).isEmpty();
    }
}
