package dev.cella.client.live;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceImplBase;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Decides on a real cell, and answers as long as it is told to, by the connection's thread as a server does. */
final class FakeDoor extends TransactionServiceImplBase {
    final List<String> decided = new CopyOnWriteArrayList<>();

    /** How many transactions came in each frame. */
    final List<Integer> frames = new CopyOnWriteArrayList<>();

    /** Nothing is answered before it is complete. */
    volatile CompletableFuture<Void> mayAnswer = CompletableFuture.completedFuture(null);

    final AtomicInteger streams = new AtomicInteger();
    volatile Faults faults = (random, outcomes) -> Fault.NONE;
    volatile Optional<URI> leader = Optional.empty();

    private final TestCell cell;
    private final Random random;

    /** A planned failure of a transaction. */
    enum Fault {
        NONE,
        LOST_BEFORE,
        LOST_AFTER,
        GARBLED,
        REFUSED
    }

    @FunctionalInterface
    interface Faults {
        Fault next(Random random, int outcomesSoFar);
    }

    FakeDoor(TestCell cell) {
        this(cell, 2);
    }

    FakeDoor(TestCell cell, long seed) {
        this.cell = cell;
        this.random = new Random(seed);
    }

    @Override
    public StreamObserver<CommitFrame> commitStream(StreamObserver<OutcomeFrame> out) {
        ((ServerCallStreamObserver<OutcomeFrame>) out).setOnCancelHandler(() -> {});
        streams.incrementAndGet();
        Executor connection = ServiceRequestContext.current().eventLoop();
        return new StreamObserver<>() {
            private CompletableFuture<Void> before = mayAnswer;
            private boolean lost;

            @Override
            public void onNext(CommitFrame frame) {
                frames.add(frame.getTransactionsCount());
                before = before.thenRunAsync(() -> answerAll(frame), connection);
            }

            private void answerAll(CommitFrame frame) {
                for (ByteString bytes : frame.getTransactionsList()) {
                    if (!lost) {
                        lost = !answer(TransactionCodec.decode(bytes.toByteArray()), out);
                    }
                }
            }

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {
                out.onCompleted();
            }
        };
    }

    /** False when the stream is no more. */
    private synchronized boolean answer(Transaction transaction, StreamObserver<OutcomeFrame> out) {
        Fault fault = faults.next(random, decided.size());
        if (fault == Fault.LOST_BEFORE) {
            Problem notHere = Problem.noLeader("test");
            out.onError(
                    ProblemStatus.toException(leader.map(notHere::withLeader).orElse(notHere)));
            return false;
        }
        if (fault == Fault.REFUSED) {
            out.onError(ProblemStatus.toException(Problem.forbidden("test")));
            return false;
        }
        Outcome outcome = cell.decide(transaction);
        decided.add(transaction.id().text());
        if (fault == Fault.LOST_AFTER) {
            out.onError(ProblemStatus.toException(Problem.overloaded("test")));
            return false;
        }
        byte[] bytes = fault == Fault.GARBLED ? new byte[] {1} : OutcomeCodec.encode(outcome);
        out.onNext(OutcomeFrame.newBuilder()
                .addOutcomes(ByteString.copyFrom(bytes))
                .setTransactionsWaiting(decided.size())
                .build());
        return true;
    }
}
