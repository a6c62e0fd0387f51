package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.SchedulerReport;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private static final Duration LONGEST = Durations.fromNanos(Long.MAX_VALUE - 1_000_000_000);

    @Test
    void durations_thatNobodyCanCount_areRefusedAtTheirPlace() {
        Requests.checkDurations(report(LONGEST));
        assertRefused(report(Durations.fromHours(2_600_000)), "elapsed");
        assertRefused(report(Durations.fromNanos(-1)), "elapsed");
        assertRefused(report(Duration.newBuilder().setNanos(2_000_000_000).build()), "elapsed");
        assertRefused(
                report(LONGEST).toBuilder()
                        .addJobs(JobReport.newBuilder().setWakesIn(Durations.fromMillis(1)))
                        .addJobs(JobReport.newBuilder().setWakesIn(Durations.fromMillis(-1)))
                        .build(),
                "jobs.wakesIn");
    }

    private static SchedulerReport report(Duration elapsed) {
        return SchedulerReport.newBuilder().setElapsed(elapsed).build();
    }

    private static void assertRefused(SchedulerReport report, String path) {
        assertThatThrownBy(() -> Requests.checkDurations(report))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.errors())
                                .extracting(Fault::path)
                                .containsExactly(path));
    }
}
