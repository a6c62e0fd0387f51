package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.runner.UsageMeter.Measured;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageReportsTest {
    private static final Assignment TASK = new Assignment(new PlacementId(9, 0), new TaskId(new JobId(7), 0, 3), 1, 1);

    @Test
    void measurementThatFails_isFollowedByOthers() {
        try (UsageReports reports = new UsageReports()) {
            reports.measure(() -> {
                throw new UncheckedIOException(new IOException("Input/output error"));
            });
            assertThat(reports.take()).isEmpty();
            reports.measure(() -> List.of(new Measured(TASK, 500, 400, 64, 8, 0)));
            assertThat(reports.take()).hasSize(1);
        }
    }
}
