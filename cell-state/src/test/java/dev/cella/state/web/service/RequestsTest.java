package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.SchedulerReport;
import java.util.List;
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

    /** JSON has no such durations, so only a call over gRPC can have them. */
    @Test
    void wait_thatNobodyCanCount_isRefused() {
        for (Duration wait : List.of(
                Durations.fromHours(2_600_000),
                Durations.fromNanos(-1),
                Duration.newBuilder().setNanos(2_000_000_000).build())) {
            assertThatThrownBy(() -> Freshness.of(
                            GetCellRequest.newBuilder().setWait(wait).build()))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem -> assertThat(problem.errors())
                                    .extracting(Fault::path)
                                    .containsExactly("wait"));
        }
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
