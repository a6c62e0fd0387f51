package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The intruder against a running cell: each of its calls has the effect that its fault promises. */
class ProcessIntruderTest {
    @TempDir
    Path data;

    private CellServer server;
    private HttpCell cell;
    private ProcessIntruder intruder;

    @BeforeEach
    void startServer() throws Exception {
        server =
                CellServer.start(CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0), (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
        cell = new HttpCell(URI.create(server.address()));
        intruder = new ProcessIntruder(cell, "intruder");
        cell.putMachine(PutMachineRequest.newBuilder()
                .setName("m1")
                .putCapacity("cpuMilli", 4_000)
                .putCapacity("memoryMib", 4_096)
                .build());
    }

    @AfterEach
    void stopServer() throws Exception {
        server.close();
    }

    @Test
    void hoard_holdsTheMachine_untilItIsReleased() {
        intruder.hoard(60_000);
        assertThat(intruder.effects()).isEqualTo(1);
        assertThat(cell.getCell().getTasks().getPending()).isEqualTo(1);
        intruder.release();
        assertThat(cell.getCell().getTasks().getPending()).isZero();
    }

    @Test
    void herd_claimsOneMachineForEverything_andMostOfItNeverFits() {
        intruder.submitHerd();
        intruder.herd();
        assertThat(intruder.effects()).isEqualTo(8);
        intruder.herd();
        assertThat(intruder.effects()).isEqualTo(8);
        assertThat(cell.getCell().getTasks().getPending()).isEqualTo(32);
    }

    @Test
    void evict_takesTheTasksOfOthers() {
        placeOne();
        intruder.evict();
        assertThat(intruder.effects()).isEqualTo(1);
        Task victim = cell.getTask(
                GetTaskRequest.newBuilder().setJob("work").setGroup("main").build());
        assertThat(victim.getState()).isNotEqualTo(TaskState.TASK_STATE_PLACED);
    }

    private void placeOne() {
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
                .addClaims(ClaimRequest.newBuilder().setTask("work/main/0").setMachine("m1"))
                .build());
    }

    @Test
    void drain_takesTheMachine_untilItIsGivenBack() {
        intruder.drain("m1");
        assertThat(intruder.effects()).isEqualTo(1);
        assertThat(status()).isNotEqualTo(MachineStatus.MACHINE_STATUS_READY);
        intruder.ready("m1");
        assertThat(status()).isEqualTo(MachineStatus.MACHINE_STATUS_READY);
    }

    private MachineStatus status() {
        return cell.getMachine(GetMachineRequest.newBuilder().setName("m1").build())
                .getStatus();
    }
}
