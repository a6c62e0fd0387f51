package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.state.core.ManualTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SchedulerReportsTest {
    private static final int HALF = 500;
    private static final SessionId FIRST = new SessionId(1);
    private static final SessionId SECOND = new SessionId(2);
    private static final SessionId THIRD = new SessionId(3);

    private final ManualTime time = new ManualTime();
    private final SchedulerReports reports = new SchedulerReports(time, 1_130);

    @Test
    void put_moreThanThereIsRoomFor_isRefused_untilOthersAreOld() {
        put(FIRST, HALF);
        put(SECOND, HALF);
        assertThatThrownBy(() -> put(THIRD, HALF)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.type()).isEqualTo(ProblemType.OVERLOADED);
            assertThat(problem.detail()).contains("instance one of scheduler batch", "it is not shown");
        });
        assertThat(reports.find(THIRD)).isEmpty();
        assertThat(reports.find(FIRST)).isPresent();

        time.advance(SchedulerReports.KEPT.plus(Duration.ofNanos(1)));

        put(THIRD, HALF);
        assertThat(reports.find(THIRD)).isPresent();
    }

    @Test
    void put_again_takesTheRoomOfTheReportBefore() {
        put(FIRST, HALF);
        put(SECOND, HALF);
        put(SECOND, HALF + 50);
        assertThatThrownBy(() -> put(SECOND, 2 * HALF)).isInstanceOf(Problem.class);
    }

    private void put(SessionId session, int bytes) {
        SchedulerReport report = SchedulerReport.newBuilder()
                .setName("batch")
                .setInstance("one")
                .setLastPlannerFailure("x".repeat(bytes))
                .build();
        reports.put(session, report, new CellVersion(1));
    }
}
