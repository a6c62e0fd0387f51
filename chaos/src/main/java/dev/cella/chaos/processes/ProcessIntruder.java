package dev.cella.chaos.processes;

import com.google.protobuf.util.Durations;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.EvictionRequest;
import dev.cella.client.proto.Evicts;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.HoldRequest;
import dev.cella.client.proto.ItemResult;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutRightsRequest;
import dev.cella.client.proto.ReadyMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that misuses its rights over HTTP: it holds machines that it does not need, evicts tasks of others, claims one machine
 * for everything, and takes a machine away and gives it back. It makes its calls on a thread of its own; anybody may ask how
 * many had an effect.
 */
final class ProcessIntruder {
    private static final long LEASE_MILLIS = 60_000;
    private static final int VICTIMS_MAX = 3;
    private static final int HERD = 40;

    private final HttpCell cell;
    private final String name;
    private final AtomicLong effects = new AtomicLong();
    private final ClientCalls calls;
    private OptionalLong session = OptionalLong.empty();
    private int transactions;

    ProcessIntruder(HttpCell cell, String name) {
        this.cell = cell;
        this.name = name;
        this.calls = new ClientCalls(name);
    }

    String name() {
        return name;
    }

    /** How many holds, evictions, claims and drains the cell has accepted. */
    long effects() {
        return effects.get();
    }

    ClientCalls calls() {
        return calls;
    }

    /** Holds half a core of each machine for a job that nobody plans. */
    void hoard(long forMillis) {
        ClientCalls.attempt(() -> {
            cell.submitJob(Job.newBuilder()
                    .setName(name)
                    .setType(JobType.JOB_TYPE_BATCH)
                    .setScheduler(name)
                    .addGroups(Group.newBuilder()
                            .setName("main")
                            .setCount(1)
                            .putResources("cpuMilli", 500L)
                            .putResources("memoryMib", 16L)
                            .setRun(Run.newBuilder().addCommand("/bin/true")))
                    .build());
            TransactionRequest.Builder holds = begin();
            machines()
                    .forEach(machine -> holds.addHolds(HoldRequest.newBuilder()
                            .setJob(name)
                            .setMachine(machine)
                            .putResources("cpuMilli", 500L)
                            .setExpiresAfter(Durations.fromMillis(forMillis))));
            commit(holds);
        });
    }

    /** Submits a job of many tasks that this client itself plans. */
    void submitHerd() {
        ClientCalls.attempt(() -> cell.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(name)
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(HERD)
                        .putResources("cpuMilli", 500L)
                        .putResources("memoryMib", 16L)
                        .setRun(Run.newBuilder().addCommand("/bin/true")))
                .build()));
    }

    /** Claims one machine for every task of its job that waits, whether it fits there or not. */
    void herd() {
        ClientCalls.attempt(() -> {
            TransactionRequest.Builder claims = begin();
            String machine = machines().get(0);
            cell.listTasks(ListTasksRequest.newBuilder()
                            .setJob(name)
                            .addState(TaskState.TASK_STATE_PENDING)
                            .build())
                    .getTasksList()
                    .forEach(task -> claims.addClaims(
                            ClaimRequest.newBuilder().setTask(task.getTask()).setMachine(machine)));
            if (claims.getClaimsCount() > 0) {
                commit(claims);
            }
        });
    }

    /** Ends the job, and the holds with it. */
    void release() {
        ClientCalls.untilAnswered(
                () -> cell.stopJob(StopJobRequest.newBuilder().setName(name).build()));
    }

    private List<String> machines() {
        return cell.listMachines(ListMachinesRequest.getDefaultInstance()).getMachinesList().stream()
                .map(Machine::getName)
                .toList();
    }

    /** Evicts some tasks of others. */
    void evict() {
        ClientCalls.attempt(() -> {
            if (session.isEmpty()) {
                cell.putRights(PutRightsRequest.newBuilder()
                        .setName(name)
                        .setEvicts(Evicts.EVICTS_ANY)
                        .build());
            }
            TransactionRequest.Builder evictions = begin();
            cell
                    .listTasks(ListTasksRequest.newBuilder()
                            .addState(TaskState.TASK_STATE_RUNNING)
                            .addState(TaskState.TASK_STATE_PLACED)
                            .build())
                    .getTasksList()
                    .stream()
                    .limit(VICTIMS_MAX)
                    .forEach(task -> evictions.addEvictions(
                            EvictionRequest.newBuilder().setTask(task.getTask()).setAttempt(task.getAttempt())));
            if (evictions.getEvictionsCount() > 0) {
                commit(evictions);
            }
        });
    }

    /** Takes the machine's tasks away at once. */
    void drain(String machine) {
        ClientCalls.attempt(() -> {
            cell.drainMachine(DrainMachineRequest.newBuilder()
                    .setName(machine)
                    .setDeadline(Durations.fromMillis(100))
                    .setBatch("move")
                    .build());
            effects.incrementAndGet();
        });
    }

    void ready(String machine) {
        ClientCalls.untilAnswered(() -> cell.readyMachine(
                ReadyMachineRequest.newBuilder().setName(machine).build()));
    }

    private TransactionRequest.Builder begin() {
        if (session.isEmpty()) {
            session = OptionalLong.of(cell.openSession(OpenSessionRequest.newBuilder()
                            .setName(name)
                            .setInstance("i")
                            .setType(name)
                            .setLease(Durations.fromMillis(LEASE_MILLIS))
                            .build())
                    .getSession());
        }
        return TransactionRequest.newBuilder()
                .setId(name + "-" + transactions++)
                .setScheduler(name)
                .setSession(session.getAsLong());
    }

    private void commit(TransactionRequest.Builder transaction) {
        effects.addAndGet(cell.commit(transaction.build()).getResultsList().stream()
                .filter(ItemResult::getAccepted)
                .count());
    }
}
