package dev.cella.state.web;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.TransactionServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The stream through which live schedulers commit: frames of transactions in, frames of outcomes out, one for one and in
 * order.
 *
 * <p>The stream takes a few frames at a time, and the next one only when the outcomes of one have left. So its own stream
 * slows down a scheduler that is faster than the cell, and nothing queues here. Transactions are submitted in the order of
 * arrival, and the log decides them in that order. A transaction that could not be submitted ends the stream, because later
 * ones may build on it; the sender retries with the same ids.
 *
 * <p>Frames come one at a time. Outcomes are sent under this object's monitor, and always by the connection's thread: Armeria
 * sends at once what that thread gives it, before what other threads gave it earlier.
 */
final class CommitStream implements StreamObserver<CommitFrame> {
    private final Replica replica;
    private final Caller caller;
    private final ServerCallStreamObserver<OutcomeFrame> out;
    private final Executor connection;
    private CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);
    private boolean ended;

    /** Set as soon as one transaction could not be submitted, long before the earlier ones are answered. */
    private volatile boolean broken;

    private CommitStream(
            Replica replica, Caller caller, ServerCallStreamObserver<OutcomeFrame> out, Executor connection) {
        this.replica = replica;
        this.caller = caller;
        this.out = out;
        this.connection = connection;
    }

    static ServerMethodDefinition<?, ?> method(Replica replica) {
        return ServerMethodDefinition.create(
                TransactionServiceGrpc.getCommitStreamMethod(),
                ServerCalls.asyncBidiStreamingCall(responses -> open(replica, Caller.current(), responses)));
    }

    private static CommitStream open(Replica replica, Caller caller, StreamObserver<OutcomeFrame> responses) {
        ServerCallStreamObserver<OutcomeFrame> out = (ServerCallStreamObserver<OutcomeFrame>) responses;
        out.disableAutoRequest();
        out.setOnCancelHandler(() -> {});
        out.request(TransactionStream.FRAMES_UNANSWERED_MAX);
        return new CommitStream(
                replica, caller, out, ServiceRequestContext.current().eventLoop());
    }

    @Override
    public void onNext(CommitFrame frame) {
        if (broken) {
            return;
        }
        CompletableFuture<OutcomeFrame.Builder> outcomes = submit(frame);
        answered =
                answered.thenCombine(outcomes, (before, decided) -> decided).thenAcceptAsync(this::answer, connection);
        var unused = answered.whenComplete((done, failure) -> {
            if (failure != null) {
                fail(failure);
            }
        });
    }

    private CompletableFuture<OutcomeFrame.Builder> submit(CommitFrame frame) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(frame.getTransactionsCount());
        for (ByteString bytes : frame.getTransactionsList()) {
            outcomes.add(submit(bytes).whenComplete(this::breakIfNotSubmitted));
            if (broken) {
                break;
            }
        }
        return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    OutcomeFrame.Builder decided = OutcomeFrame.newBuilder();
                    outcomes.forEach(
                            outcome -> decided.addOutcomes(ByteString.copyFrom(OutcomeCodec.encode(outcome.join()))));
                    return decided;
                });
    }

    private void breakIfNotSubmitted(@Nullable Outcome outcome, @Nullable Throwable failure) {
        if (failure != null) {
            broken = true;
        }
    }

    private CompletableFuture<Outcome> submit(ByteString bytes) {
        Transaction transaction;
        try {
            transaction = TransactionCodec.decode(bytes.toByteArray());
        } catch (DamagedBytesException | IllegalArgumentException damaged) {
            return CompletableFuture.failedFuture(Problem.badRequest("The frame has bytes that are not a transaction"));
        }
        try {
            transaction.checkClaims();
        } catch (IllegalArgumentException impossible) {
            return CompletableFuture.failedFuture(
                    Problem.badRequest("The frame has a transaction that cannot be: " + impossible.getMessage()));
        }
        try {
            caller.mustSchedule(transaction.scheduler());
        } catch (Problem refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return replica.submit(Lane.TRANSACTIONS, caller.principal(), new Command.CommitTransaction(transaction))
                .thenApply(result -> outcome(transaction, result));
    }

    private static Outcome outcome(Transaction transaction, CommandResult result) {
        if (result instanceof CommandResult.Decided decided) {
            return decided.outcome();
        }
        CommandResult.Refused refused = (CommandResult.Refused) result;
        return Outcome.refused(transaction.id(), refused.version(), refused.reason());
    }

    /** Counts the waiting commands when the answer leaves, not when its outcomes were decided. */
    private synchronized void answer(OutcomeFrame.Builder outcomes) {
        if (!out.isCancelled()) {
            out.onNext(outcomes.setTransactionsWaiting(replica.waiting(Lane.TRANSACTIONS))
                    .build());
            out.request(1);
        }
    }

    private synchronized void fail(Throwable failure) {
        if (!ended && !out.isCancelled()) {
            ended = true;
            out.onError(ProblemStatus.toException(FailureAnswers.problemOf(failure)));
        }
    }

    @Override
    public void onError(Throwable gone) {
        // The scheduler has left. Its submitted transactions are decided anyway.
    }

    @Override
    public void onCompleted() {
        var unused = answered.whenComplete((done, failure) -> {
            if (failure == null) {
                out.onCompleted();
            }
        });
    }
}
