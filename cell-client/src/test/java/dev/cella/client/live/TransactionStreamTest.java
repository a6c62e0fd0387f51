package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.cella.client.Problem;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceImplBase;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.Verdict;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransactionStreamTest {
    private final TestCell cell = new TestCell(7);
    private final FakeDoor door = new FakeDoor(cell);
    private final FakeServer server = new FakeServer(door);
    private final CellConnection connection = CellConnection.open(server.address());
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
    private final TransactionStream stream = new TransactionStream(
            connection, owner, new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1)));

    /** Decides on a real cell, and answers as long as it is told to. */
    private static final class FakeDoor extends TransactionServiceImplBase {
        private final TestCell cell;
        private final List<String> decided = new CopyOnWriteArrayList<>();
        private final AtomicInteger streams = new AtomicInteger();
        private volatile Fault fault = (random, outcomes) -> Fault.Kind.NONE;
        private final Random random = new Random(2);

        private interface Fault {
            enum Kind {
                NONE,
                LOST_BEFORE,
                LOST_AFTER,
                GARBLED,
                REFUSED
            }

            Kind next(Random random, int outcomesSoFar);
        }

        FakeDoor(TestCell cell) {
            this.cell = cell;
        }

        @Override
        public StreamObserver<CommitFrame> commitStream(StreamObserver<OutcomeFrame> out) {
            ((ServerCallStreamObserver<OutcomeFrame>) out).setOnCancelHandler(() -> {});
            streams.incrementAndGet();
            return new StreamObserver<>() {
                private boolean lost;

                @Override
                public void onNext(CommitFrame frame) {
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
            Fault.Kind kind = fault.next(random, decided.size());
            if (kind == Fault.Kind.LOST_BEFORE) {
                out.onError(ProblemStatus.toException(Problem.noLeader("test")));
                return false;
            }
            if (kind == Fault.Kind.REFUSED) {
                out.onError(ProblemStatus.toException(Problem.forbidden("test")));
                return false;
            }
            Outcome outcome = cell.decide(transaction);
            decided.add(transaction.id().text());
            if (kind == Fault.Kind.LOST_AFTER) {
                out.onError(ProblemStatus.toException(Problem.overloaded("test")));
                return false;
            }
            byte[] bytes = kind == Fault.Kind.GARBLED ? new byte[] {1} : OutcomeCodec.encode(outcome);
            out.onNext(OutcomeFrame.newBuilder()
                    .addOutcomes(ByteString.copyFrom(bytes))
                    .build());
            return true;
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        stream.close();
        owner.shutdownNow();
        assertThat(owner.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        connection.close();
        server.close();
    }

    private List<CompletableFuture<Outcome>> submit(int count) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outcomes.add(stream.submit(cell.claim(i)));
        }
        return outcomes;
    }

    /** Each committed, in the order submitted, and each task placed once. */
    private void checkAllCommitted(List<CompletableFuture<Outcome>> outcomes) {
        List<Outcome> decided = outcomes.stream().map(CompletableFuture::join).toList();
        assertThat(decided).allMatch(outcome -> outcome.verdict() == Verdict.COMMITTED);
        assertThat(decided).map(Outcome::version).isSorted();
        assertThat(decided).map(outcome -> outcome.id().text()).containsExactlyElementsOf(ids(outcomes.size()));
        assertThat(cell.placed()).isEqualTo(outcomes.size());
    }

    private static List<String> ids(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add("t-" + i);
        }
        return ids;
    }

    @Test
    void transactions_areDecidedInOrderOnOneStream() {
        checkAllCommitted(submit(100));

        assertThat(door.decided).containsExactlyElementsOf(ids(100));
        assertThat(door.streams).hasValue(1);
    }

    @Test
    void lostAnswer_isAskedForAgainUnderTheSameId() {
        door.fault = (random, sofar) -> sofar == 2 ? FakeDoor.Fault.Kind.LOST_AFTER : FakeDoor.Fault.Kind.NONE;

        checkAllCommitted(submit(5));

        assertThat(door.decided).containsExactly("t-0", "t-1", "t-2", "t-2", "t-3", "t-4");
        assertThat(door.streams).hasValue(2);
    }

    @Test
    void garbledAnswer_endsTheStreamAndIsAskedForAgain() {
        door.fault = (random, sofar) -> sofar == 1 ? FakeDoor.Fault.Kind.GARBLED : FakeDoor.Fault.Kind.NONE;

        checkAllCommitted(submit(3));
    }

    @Test
    void anyMixOfLosses_decidesEachOnceAndInOrder() {
        door.fault = (random, sofar) -> switch (random.nextInt(10)) {
            case 0 -> FakeDoor.Fault.Kind.LOST_BEFORE;
            case 1 -> FakeDoor.Fault.Kind.LOST_AFTER;
            case 2 -> FakeDoor.Fault.Kind.GARBLED;
            default -> FakeDoor.Fault.Kind.NONE;
        };

        checkAllCommitted(submit(TestCell.TASKS));
    }

    @Test
    void refusalForGood_failsWhatIsUnanswered() {
        door.fault = (random, sofar) -> FakeDoor.Fault.Kind.REFUSED;

        CompletableFuture<Outcome> refused = stream.submit(cell.claim(0));

        assertThatThrownBy(refused::join).hasCauseInstanceOf(Problem.class).hasMessageContaining("test");
        door.fault = (random, sofar) -> FakeDoor.Fault.Kind.NONE;
        assertThat(stream.submit(cell.claim(1)).join().verdict()).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void close_failsWhatIsUnanswered() {
        door.fault = (random, sofar) -> FakeDoor.Fault.Kind.LOST_BEFORE;
        CompletableFuture<Outcome> waiting = stream.submit(cell.claim(0));

        stream.close();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(Problem.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> stream.submit(cell.claim(1)).join()).hasMessageContaining("closed");
    }
}
