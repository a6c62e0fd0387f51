package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskList;
import org.junit.jupiter.api.Test;

class RowNamesTest {
    @Test
    void of_aList_areThoseOfItsRows() {
        JobList jobs = JobList.newBuilder()
                .addJobs(JobStatus.newBuilder().setName("a"))
                .addJobs(JobStatus.newBuilder().setName("b"))
                .build();
        TaskList tasks = TaskList.newBuilder()
                .addTasks(Task.newBuilder().setTask("a/main/0"))
                .build();

        assertThat(RowNames.of(jobs)).containsExactly("a", "b");
        assertThat(RowNames.of(tasks)).containsExactly("a/main/0");
        assertThat(RowNames.of(JobList.getDefaultInstance())).isEmpty();
    }

    @Test
    void of_oneRow_isItsOwn() {
        assertThat(RowNames.of(CellSummary.newBuilder().setName("dev").build())).containsExactly("dev");
    }

    @Test
    void of_statistics_areTheSchedulers() {
        assertThat(RowNames.of(ConflictStatistics.getDefaultInstance())).isEmpty();
        assertThat(RowNames.none()).hasMessageContaining("no names");
    }
}
