package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lying agent against a running cell. */
class ProcessLiarTest {
    @TempDir
    Path data;

    @Test
    void lie_endsTaskThatNeverRan_andLeaveTakesTheMachineAway() throws Exception {
        try (CellServer server =
                CellServer.start(CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0), (message, cause) -> {
                    throw new AssertionError(message, cause);
                })) {
            CellAddresses addresses = CellAddresses.of(URI.create(server.address()));
            HttpCell cell = new HttpCell(addresses);
            ProcessLiar liar = new ProcessLiar(addresses, cell, "liar");
            liar.lie();
            place(cell);
            assertThat(liar.whyNot()).isNotEmpty();
            liar.lie();
            assertThat(liar.lies()).isEqualTo(1);
            assertThat(liar.whyNot()).isEmpty();
            assertThat(cell.getTask(GetTaskRequest.newBuilder()
                                    .setJob("work")
                                    .setGroup("main")
                                    .build())
                            .getState())
                    .isEqualTo(TaskState.TASK_STATE_FINISHED);
            liar.leave();
            assertThat(cell.listMachines(ListMachinesRequest.getDefaultInstance())
                            .getMachinesCount())
                    .isZero();
        }
    }

    private static void place(HttpCell cell) {
        cell.submitJob(Job.newBuilder()
                .setName("work")
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler("batch")
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(1)
                        .putResources("cpuMilli", 1_000)
                        .putResources("memoryMib", 64)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
        cell.commit(TransactionRequest.newBuilder()
                .setId("place")
                .setScheduler("batch")
                .addClaims(ClaimRequest.newBuilder().setTask("work/main/0").setMachine("liar"))
                .build());
    }
}
