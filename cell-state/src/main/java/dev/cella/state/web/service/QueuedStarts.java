package dev.cella.state.web.service;

import dev.cella.client.proto.QueuedTask;
import dev.cella.client.proto.StartAnswer;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.StartResult;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Starts tasks that wait in the queues of an agent's machines. The starts of one call become one transaction for each scheduler
 * whose tasks they are: an agent starts what others planned, with their rights and their quota.
 */
final class QueuedStarts {
    /** One transaction, and the places of its claims in the request. */
    private record Batch(Transaction.Builder transaction, List<Integer> places) {}

    private final Replica replica;
    private final Commands commands;

    QueuedStarts(Replica replica, Commands commands) {
        this.replica = replica;
        this.commands = commands;
    }

    CompletableFuture<StartAnswer> start(StartRequest request) {
        Requests.checked("tasks", () -> checkedCount(request.getTasksCount()));
        StartResult[] results = new StartResult[request.getTasksCount()];
        List<Batch> batches = replica.read(view -> batches(view, request, results));
        CompletableFuture<?>[] decided =
                batches.stream().map(batch -> decide(batch, results)).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(decided)
                .thenApply(all -> StartAnswer.newBuilder()
                        .addAllResults(Arrays.asList(results))
                        .build());
    }

    private static int checkedCount(int tasks) {
        if (tasks > Transaction.CLAIMS_MAX) {
            throw new IllegalArgumentException("has at most " + Transaction.CLAIMS_MAX + " tasks, not " + tasks);
        }
        return tasks;
    }

    /** Answers the starts that name no job or machine, and collects the others by scheduler. */
    private static List<Batch> batches(CellView view, StartRequest request, StartResult[] results) {
        Map<String, Batch> byScheduler = new LinkedHashMap<>();
        for (int place = 0; place < results.length; place++) {
            QueuedTask task = request.getTasks(place);
            Optional<JobRow> job = view.job(Requests.checked("tasks", () -> new JobId(task.getJobVersion())));
            OptionalInt slot =
                    view.findMachine(Requests.checked("tasks", () -> new MachineId(task.getRegisteredVersion())));
            if (job.isEmpty() || slot.isEmpty()) {
                results[place] = refused(job.isEmpty() ? Reason.UNKNOWN_JOB : Reason.UNKNOWN_MACHINE);
            } else {
                Batch batch = byScheduler.computeIfAbsent(
                        job.get().header().scheduler(),
                        scheduler -> batch(view, request, byScheduler.size(), scheduler));
                Requests.checked("tasks", () -> claim(batch.transaction(), task, slot.getAsInt()));
                batch.places().add(place);
            }
        }
        return List.copyOf(byScheduler.values());
    }

    private static Batch batch(CellView view, StartRequest request, int number, String scheduler) {
        TransactionId id = Requests.checked("id", () -> new TransactionId(request.getId() + "." + number));
        return new Batch(
                Transaction.builder(id, scheduler).basis(view.version()).incarnation(view.incarnation()),
                new ArrayList<>());
    }

    private static Transaction.Builder claim(Transaction.Builder transaction, QueuedTask task, int slot) {
        TaskId id = new TaskId(new JobId(task.getJobVersion()), task.getGroup(), task.getIndex());
        return transaction.claim(id, task.getGeneration(), slot).kind(ClaimKind.START);
    }

    private CompletableFuture<Void> decide(Batch batch, StartResult[] results) {
        Transaction transaction = batch.transaction().build();
        return commands.result(Lane.TRANSACTIONS, new Command.CommitTransaction(transaction))
                .thenAccept(result -> {
                    for (int claim = 0; claim < transaction.claims(); claim++) {
                        results[batch.places().get(claim)] = result(result, claim);
                    }
                });
    }

    private static StartResult result(CommandResult result, int claim) {
        if (result instanceof CommandResult.Decided decided) {
            return result(decided.outcome(), claim);
        }
        return refused(result instanceof CommandResult.Refused refused ? refused.reason() : Reason.BAD_COMMAND);
    }

    private static StartResult result(Outcome outcome, int claim) {
        StartResult.Builder answer =
                StartResult.newBuilder().setVersion(outcome.version().number());
        if (outcome.reason().isPresent()) {
            return answer.setReason(outcome.reason().get().name()).build();
        }
        outcome.result(claim).reason().ifPresent(reason -> answer.setReason(reason.name()));
        return answer.setAccepted(outcome.isAccepted(claim)).build();
    }

    private static StartResult refused(Reason reason) {
        return StartResult.newBuilder().setReason(reason.name()).build();
    }
}
