package dev.cella.client.live;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits transactions over one stream, many per frame, decided in the order of submission.
 *
 * <h2>When the stream is lost</h2> A transaction that was sent and not answered is ambiguous: it may or may not be in the log.
 * If the caller got an error, it would plan the same tasks again, and then both transactions could be in the log. Instead, the
 * same transactions are sent again with the same ids, in order and before newer ones. The cell recognises an id that it has
 * decided and returns its outcome without deciding again, on any server. So an outcome is exact whatever happened to the
 * connection, and the only cost is the wait. It retries while the cell is out of reach. Close the stream to stop waiting.
 *
 * <p>Owned by the executor, which must have one thread. Any thread may submit transactions; those of one thread keep their
 * order.
 */
public final class TransactionStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionStream.class);

    /** Large enough to carry hundreds of small transactions, small enough for the cell to answer the first soon. */
    private static final int FRAME_BYTES = 256 << 10;

    /**
     * The most frames of a stream that a server takes before it answers. Further ones would wait on their way, each with one
     * transaction. Here they gather in one frame, so that a stream that fell behind, as one does while the leader changes,
     * catches up at once.
     */
    public static final int FRAMES_UNANSWERED_MAX = 16;

    private final CellConnection connection;
    private final Owner owner;
    private final Owner.Alarm resuming;
    private final Backoff backoff;
    private final LongConsumer transactionsWaiting;
    private final Deque<Submitted> unsent = new ArrayDeque<>();
    private final Deque<Submitted> unanswered = new ArrayDeque<>();
    private @Nullable Call call;
    private boolean sendingSoon;
    private boolean pausing;
    private boolean closed;

    private record Submitted(TransactionId id, ByteString bytes, CompletableFuture<Outcome> outcome) {}

    public TransactionStream(CellConnection connection, ScheduledExecutorService owner, Backoff backoff) {
        this(connection, owner, backoff, waiting -> {});
    }

    /**
     * @param transactionsWaiting gets with each answer, on the owner's thread, how many transactions wait at the cell
     */
    public TransactionStream(
            CellConnection connection,
            ScheduledExecutorService owner,
            Backoff backoff,
            LongConsumer transactionsWaiting) {
        this.transactionsWaiting = transactionsWaiting;
        this.connection = connection;
        this.owner = new Owner(owner);
        this.resuming = this.owner.alarm();
        this.backoff = backoff;
    }

    /**
     * Submits a transaction. Its outcome completes the future on the owner's thread. The future fails with a {@link Problem}
     * only if the cell rejects this stream for good, or the stream is closed.
     */
    public CompletableFuture<Outcome> submit(Transaction transaction) {
        Submitted submitted = new Submitted(
                transaction.id(),
                UnsafeByteOperations.unsafeWrap(TransactionCodec.encode(transaction)),
                new CompletableFuture<>());
        owner.execute(() -> accept(submitted));
        return submitted.outcome();
    }

    private void accept(Submitted submitted) {
        if (closed) {
            submitted.outcome().completeExceptionally(Problem.gone("the transaction stream is closed"));
            return;
        }
        unsent.add(submitted);
        sendSoon();
    }

    /** Sends after the events that wait already, so that transactions submitted together go in one frame. */
    private void sendSoon() {
        if (!sendingSoon) {
            sendingSoon = true;
            owner.execute(() -> {
                sendingSoon = false;
                send();
            });
        }
    }

    /**
     * Sends waiting transactions while the server and the network accept them. The rest goes with the next frame, many at once.
     */
    private void send() {
        if (unsent.isEmpty() || pausing || closed) {
            return;
        }
        if (call == null) {
            call = new Call(connection.server());
            call.server.transactions().commitStream(call);
        }
        while (!unsent.isEmpty() && call.isReady()) {
            call.send(nextFrame(), unanswered.getLast().id());
        }
    }

    private CommitFrame nextFrame() {
        CommitFrame.Builder frame = CommitFrame.newBuilder();
        int bytes = 0;
        while (!unsent.isEmpty()
                && (bytes == 0 || bytes + unsent.getFirst().bytes().size() <= FRAME_BYTES)) {
            Submitted next = unsent.removeFirst();
            bytes += next.bytes().size();
            frame.addTransactions(next.bytes());
            unanswered.addLast(next);
        }
        return frame.build();
    }

    /** One stream. Its messages are handled on the owner's thread, and only while it is the current stream. */
    private final class Call implements ClientResponseObserver<CommitFrame, OutcomeFrame> {
        private final ServerStubs server;
        private @Nullable ClientCallStreamObserver<CommitFrame> requests;

        /** The last transaction of each frame that is not answered. */
        private final Deque<TransactionId> frameEnds = new ArrayDeque<>();

        @Override
        public void beforeStart(ClientCallStreamObserver<CommitFrame> started) {
            requests = started;
            started.setOnReadyHandler(() -> handOver(TransactionStream.this::send));
        }

        Call(ServerStubs server) {
            this.server = server;
        }

        boolean isReady() {
            return requests != null && requests.isReady() && frameEnds.size() < FRAMES_UNANSWERED_MAX;
        }

        void send(CommitFrame frame, TransactionId last) {
            if (requests != null) {
                frameEnds.addLast(last);
                requests.onNext(frame);
            }
        }

        void answered(TransactionId id) {
            if (id.equals(frameEnds.peekFirst())) {
                frameEnds.removeFirst();
            }
        }

        void cancel(String why) {
            if (requests != null) {
                requests.cancel(why, null);
            }
        }

        @Override
        public void onNext(OutcomeFrame frame) {
            handOver(() -> receive(this, frame));
        }

        @Override
        public void onError(Throwable failure) {
            handOver(() -> lost(ProblemStatus.fromException(failure)));
        }

        @Override
        public void onCompleted() {
            handOver(() -> lost(Problem.unavailable("the cell ended the stream")));
        }

        private void handOver(Runnable event) {
            owner.execute(() -> {
                if (call == this) {
                    event.run();
                }
            });
        }
    }

    private void receive(Call from, OutcomeFrame frame) {
        backoff.reset();
        transactionsWaiting.accept(frame.getTransactionsWaiting());
        for (ByteString bytes : frame.getOutcomesList()) {
            Outcome outcome = decode(bytes);
            if (outcome == null || !answersTheNext(outcome)) {
                lost(Problem.internal("the cell answered something else than it was asked"));
                return;
            }
            from.answered(outcome.id());
            unanswered.removeFirst().outcome().complete(outcome);
        }
        send();
    }

    private static @Nullable Outcome decode(ByteString bytes) {
        try {
            return OutcomeCodec.decode(bytes.toByteArray());
        } catch (DamagedBytesException damaged) {
            return null;
        }
    }

    private boolean answersTheNext(Outcome outcome) {
        return !unanswered.isEmpty() && unanswered.getFirst().id().equals(outcome.id());
    }

    /**
     * Begins again after a pause with everything that was not answered; fails it if the cell will never accept it.
     */
    private void lost(Problem problem) {
        URI server = leave(problem);
        if (isForGood(problem.type())) {
            LOG.error("transactions server={} unanswered={}: refused, {}", server, unanswered.size(), problem.detail());
            failUnanswered(problem);
        }
        while (!unanswered.isEmpty()) {
            unsent.addFirst(unanswered.removeLast());
        }
        long delay = backoff.nextDelayMillis(problem);
        LOG.info(
                "transactions server={} waiting={}: stream lost ({}), again in {} ms",
                server,
                unsent.size(),
                problem.detail(),
                delay);
        pausing = true;
        resuming.set(delay, this::resume);
    }

    /** Ends the call, lets the connection use another server if allowed, and returns the one that was left. */
    private URI leave(Problem why) {
        ServerStubs server = call == null ? connection.server() : call.server;
        Call left = call;
        call = null;
        if (left != null) {
            left.cancel(why.detail());
        }
        connection.turnFrom(server, why);
        return server.address();
    }

    private void resume() {
        pausing = false;
        send();
    }

    /** Returns whether asking again would get the same answer. */
    private static boolean isForGood(ProblemType type) {
        return switch (type) {
            case BAD_REQUEST,
                    UNAUTHORIZED,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    CONFLICT,
                    GONE,
                    TOO_LARGE,
                    UNSUPPORTED_MEDIA_TYPE -> true;
            case RATE_LIMITED, INTERNAL, NO_LEADER, OVERLOADED, UNAVAILABLE, VERSION_NOT_REACHED -> false;
        };
    }

    private void failUnanswered(Problem problem) {
        List<Submitted> failed = new ArrayList<>(unanswered);
        unanswered.clear();
        failed.forEach(submitted -> submitted.outcome().completeExceptionally(problem));
    }

    /** Ends the stream. Transactions without an answer fail; each may have been decided or not. */
    @Override
    public void close() {
        owner.execute(() -> {
            closed = true;
            Problem why = Problem.gone("the transaction stream is closed");
            leave(why);
            resuming.cancel();
            unanswered.addAll(unsent);
            unsent.clear();
            failUnanswered(why);
        });
    }
}
