package dev.cella.state.web.service;

import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.TransactionServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Transactions with names ({@link NamedTransaction}), as people and simple schedulers write them. They are decided in the log;
 * a dry run is decided on what this replica shows.
 */
final class TransactionService {
    private final Replica replica;
    private final Commands commands;
    private final FeatureLevels levels;

    TransactionService(Replica replica, Commands commands, FeatureLevels levels) {
        this.replica = replica;
        this.commands = commands;
        this.levels = levels;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(TransactionServiceGrpc.getCommitMethod(), this::commit));
    }

    private CompletableFuture<Answer<TransactionOutcome>> commit(TransactionRequest request) {
        if (request.getDryRun()) {
            return CompletableFuture.completedFuture(Answer.ok(replica.readAlone(view -> dryRun(view, request))));
        }
        return levelOf(request).thenCompose(known -> decided(request)).thenCompose(answer -> again(request, answer));
    }

    /** Raises the cell to the level that knows the kinds of the claims and steps. */
    private CompletableFuture<Void> levelOf(TransactionRequest request) {
        Transaction transaction = replica.read(view -> NamedTransaction.of(view, request));
        if (transaction.isOfLevel9()) {
            return levels.need(EntryCodec.COPIES_LEVEL, replica, commands);
        }
        if (transaction.claimsSpare() || transaction.isOfLevel7()) {
            return levels.need(EntryCodec.SPARE_LEVEL, replica, commands);
        }
        return transaction.saysKinds()
                ? levels.need(EntryCodec.QUEUES_LEVEL, replica, commands)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Answer<TransactionOutcome>> decided(TransactionRequest request) {
        Transaction transaction = replica.read(view -> NamedTransaction.of(view, request));
        return commands.result(Lane.TRANSACTIONS, new Command.CommitTransaction(transaction))
                .thenApply(result -> replica.read(
                        view -> Answer.ok(NamedOutcome.of(view, request, outcomeOf(transaction, result)))));
    }

    /** Retries with the defaults dropped, because the same request may have been sent before without them. */
    private CompletableFuture<Answer<TransactionOutcome>> again(
            TransactionRequest request, Answer<TransactionOutcome> answer) {
        if (!answer.message().getReason().equals(Reason.ID_REUSED.name())) {
            return CompletableFuture.completedFuture(answer);
        }
        TransactionRequest shorter = replica.read(view -> NamedTransaction.withoutDefaults(view, request));
        return shorter.equals(request) ? CompletableFuture.completedFuture(answer) : decided(shorter);
    }

    private static TransactionOutcome dryRun(CellView view, TransactionRequest request) {
        return NamedOutcome.of(view, request, view.preview(NamedTransaction.of(view, request)));
    }

    /** If the command could not be decided as a transaction, the transaction counts as refused as a whole. */
    private static Outcome outcomeOf(Transaction transaction, CommandResult result) {
        if (result instanceof CommandResult.Decided decided) {
            return decided.outcome();
        }
        CommandResult.Refused refused = (CommandResult.Refused) result;
        return Outcome.refused(transaction.id(), refused.version(), refused.reason());
    }
}
