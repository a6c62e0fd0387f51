package dev.cella.chaos.processes;

import com.google.protobuf.util.Durations;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.live.AgentConnection;
import dev.cella.client.live.CellConnection;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An agent of a machine that does not exist: it registers the machine, renews its lease, and reports the end of every task that
 * is placed there, although none ran. It makes its calls on a thread of its own; anybody may ask how often it lied.
 */
final class ProcessLiar {
    private static final long ANSWER_SECONDS_MAX = 3;

    private final String machine;
    private final HttpCell cell;
    private final CellConnection connection;
    private final AgentConnection agent;
    private final ClientCalls calls;
    private final AtomicLong lies = new AtomicLong();
    private volatile String why = "no task was placed on its machine";
    private Optional<Registration> registration = Optional.empty();

    ProcessLiar(CellAddresses addresses, HttpCell cell, String machine) {
        this.machine = machine;
        this.cell = cell;
        this.connection = CellConnection.open(addresses);
        this.agent = new AgentConnection(connection);
        this.calls = new ClientCalls(machine);
    }

    String machine() {
        return machine;
    }

    long lies() {
        return lies.get();
    }

    /** Why it never lied; empty if it did. */
    String whyNot() {
        return lies() > 0 ? "" : why;
    }

    ClientCalls calls() {
        return calls;
    }

    /** Keeps the machine alive, and ends what is on it. */
    void lie() {
        if (registration.isEmpty()) {
            registration = register();
        } else if (renew(registration.get())) {
            ClientCalls.attempt(() -> cell.listTasks(ListTasksRequest.newBuilder()
                            .setMachine(machine)
                            .addState(TaskState.TASK_STATE_PLACED)
                            .build())
                    .getTasksList()
                    .forEach(this::end));
        }
    }

    private Optional<Registration> register() {
        return answer(agent.register(RegisterRequest.newBuilder()
                .setMachine(machine)
                .setBootId(machine)
                .putCapacity("cpuMilli", 2_000)
                .putCapacity("memoryMib", 2_048)
                .setLease(Durations.fromMillis(ProcessCell.LEASE.toMillis()))
                .build())::get);
    }

    private boolean renew(Registration known) {
        return answer(agent.renew(RenewRequest.newBuilder()
                        .setIncarnation(known.getIncarnation())
                        .addRegisteredVersions(known.getRegisteredVersion())
                        .build())::get)
                .isPresent();
    }

    private interface Answer<T> {
        T get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException;
    }

    /** Empty if the cell did not answer in time, or refused. */
    private <T> Optional<T> answer(Answer<T> call) {
        try {
            return Optional.of(call.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException none) {
            why = String.valueOf(none.getMessage());
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void end(Task task) {
        report(task, TaskState.TASK_STATE_RUNNING);
        report(task, TaskState.TASK_STATE_FINISHED);
        lies.incrementAndGet();
    }

    private void report(Task task, TaskState state) {
        String[] path = task.getTask().split("/", -1);
        ReportTaskRequest.Builder report = ReportTaskRequest.newBuilder()
                .setJob(path[0])
                .setGroup(path[1])
                .setIndex(Integer.parseInt(path[2]))
                .setAttempt(task.getAttempt())
                .setPlacement(task.getPlacement())
                .setState(state);
        if (state == TaskState.TASK_STATE_FINISHED) {
            report.setExitCode(0);
        }
        cell.reportTask(report.build());
    }

    /** Its lease ends without it; then the operator removes the machine. */
    void leave() {
        connection.close();
        ClientCalls.untilDone(() -> cell.removeMachine(
                RemoveMachineRequest.newBuilder().setName(machine).build()));
    }
}
