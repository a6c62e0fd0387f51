package dev.cella.wholecell;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.cella.client.Problem;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One stream of transactions, as it is on the wire: a client of ours would begin another one where it ends. */
final class OutcomeStream implements AutoCloseable, StreamObserver<OutcomeFrame> {
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private final CompletableFuture<Problem> ended = new CompletableFuture<>();
    private final StreamObserver<CommitFrame> requests;

    OutcomeStream(String address) {
        requests = GrpcClients.builder("gproto+" + address + "/")
                .responseTimeoutMillis(0)
                .build(TransactionServiceStub.class)
                .commitStream(this);
    }

    /** Sends a transaction, and waits until it is decided. */
    void awaitOutcome() {
        Transaction transaction = Transaction.builder(new TransactionId("stream"), "nobody")
                .basis(new CellVersion(1))
                .machinesAsOf(new CellVersion(1))
                .claim(1, 0, 0, 1, 0)
                .build();
        requests.onNext(CommitFrame.newBuilder()
                .addTransactions(ByteString.copyFrom(TransactionCodec.encode(transaction)))
                .build());
        inTime(answered);
    }

    /** Why the server has ended it. */
    Problem awaitEnd() {
        return inTime(ended);
    }

    private static <T> T inTime(CompletableFuture<T> event) {
        return event.orTimeout(CellaProcess.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    @Override
    public void onNext(OutcomeFrame outcomes) {
        answered.complete(null);
    }

    @Override
    public void onError(Throwable failure) {
        answered.completeExceptionally(failure);
        ended.complete(ProblemStatus.fromException(failure));
    }

    @Override
    public void onCompleted() {
        ended.completeExceptionally(new AssertionError("it ended without a problem"));
    }

    @Override
    public void close() {
        if (!ended.isDone()) {
            requests.onCompleted();
        }
    }
}
