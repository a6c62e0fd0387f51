package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.TaskReport;
import org.junit.jupiter.api.Test;

class DisagreementsTest {
    private static TaskReport because(String reason) {
        return TaskReport.newBuilder().setReason(reason).build();
    }

    @Test
    void add_countsAcceptedReportsOfAttemptsThatDidNotFit() {
        ReportRequest reports = ReportRequest.newBuilder()
                .addReports(because("DOES_NOT_FIT"))
                .addReports(because("TIMEOUT"))
                .addReports(because("DOES_NOT_FIT"))
                .build();
        ReportAnswer answer = ReportAnswer.newBuilder()
                .addResults(ReportResult.newBuilder().setAccepted(true))
                .addResults(ReportResult.newBuilder().setAccepted(true))
                .addResults(ReportResult.newBuilder().setReason("ILLEGAL_STEP"))
                .build();
        Disagreements disagreements = new Disagreements();
        disagreements.add(reports, answer);
        assertThat(disagreements.count()).isEqualTo(1);
    }
}
