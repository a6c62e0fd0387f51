package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.client.Problem;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceImplBase;
import dev.cella.client.proto.SchedulerSession;
import dev.cella.client.proto.SessionClosed;
import dev.cella.transactions.model.SessionId;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SessionKeeperTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private final FakeSessions sessions = new FakeSessions();
    private final FakeServer server = new FakeServer(sessions);
    private final CellConnection connection = CellConnection.open(server.address());
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final SessionKeeper keeper = new SessionKeeper(
            connection,
            owner,
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1)),
            new SessionOptions("batch", "i-1", "batch", Duration.ofMillis(15)),
            new SessionListener() {
                @Override
                public void opened(SessionId session) {
                    heard.add("opened " + session.version());
                }

                @Override
                public void fenced(String why) {
                    heard.add("fenced " + why);
                }
            });

    private static final class FakeSessions extends SchedulerServiceImplBase {
        private final List<OpenSessionRequest> asked = new CopyOnWriteArrayList<>();
        private final List<CloseSessionRequest> closed = new CopyOnWriteArrayList<>();
        private volatile long opens = 40;
        private volatile int silentAfter = Integer.MAX_VALUE;
        private volatile Function<OpenSessionRequest, Optional<Problem>> refusal = request -> Optional.empty();

        @Override
        public void openSession(OpenSessionRequest request, StreamObserver<SchedulerSession> out) {
            asked.add(request);
            if (asked.size() > silentAfter) {
                return;
            }
            Optional<Problem> problem = refusal.apply(request);
            if (problem.isPresent()) {
                out.onError(ProblemStatus.toException(problem.get()));
                return;
            }
            long session = request.hasSession() ? request.getSession() : opens;
            out.onNext(SchedulerSession.newBuilder().setSession(session).build());
            out.onCompleted();
        }

        @Override
        public void closeSession(CloseSessionRequest request, StreamObserver<SessionClosed> out) {
            closed.add(request);
            out.onNext(SessionClosed.getDefaultInstance());
            out.onCompleted();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        keeper.close();
        owner.shutdownNow();
        assertThat(owner.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        connection.close();
        server.close();
    }

    private void startAndAwaitRenewals(int count) {
        keeper.start();
        awaitAsked(count);
    }

    private void awaitAsked(int count) {
        await().atMost(SOON).untilAsserted(() -> assertThat(sessions.asked).hasSizeGreaterThan(count));
    }

    @Test
    void session_isOpenedOnceAndRenewed() {
        startAndAwaitRenewals(3);

        assertThat(heard).containsExactly("opened 40");
        assertThat(sessions.asked.get(0).hasSession()).isFalse();
        assertThat(List.copyOf(sessions.asked).subList(1, 3)).allMatch(request -> request.getSession() == 40);
    }

    @Test
    void renewalWithoutAnAnswer_doesNotStopTheNext() {
        sessions.silentAfter = 1;

        startAndAwaitRenewals(4);

        assertThat(heard).containsExactly("opened 40");
    }

    @Test
    void cellOutOfReach_isAskedAgain() {
        sessions.refusal =
                request -> sessions.asked.size() < 4 ? Optional.of(Problem.noLeader("test")) : Optional.empty();

        startAndAwaitRenewals(5);

        await().atMost(SOON).untilAsserted(() -> assertThat(heard).containsExactly("opened 40"));
    }

    @Test
    void forgottenSession_isOpenedAgain() {
        startAndAwaitRenewals(1);
        sessions.opens = 50;
        sessions.refusal = request ->
                request.getSession() == 40 ? Optional.of(Problem.notFound("no such session")) : Optional.empty();

        await().atMost(SOON).untilAsserted(() -> assertThat(heard).containsExactly("opened 40", "opened 50"));
    }

    @Test
    void takenOver_isToldOnceAndNotFought() {
        startAndAwaitRenewals(1);
        sessions.refusal = request -> Optional.of(Problem.conflict("FENCED: by session 41"));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(heard).containsExactly("opened 40", "fenced FENCED: by session 41"));
        int asked = sessions.asked.size();
        keeper.leave().join();
        assertThat(sessions.asked).hasSize(asked);
        assertThat(sessions.closed).isEmpty();
    }

    @Test
    void leave_endsTheSessionAtTheCell() {
        startAndAwaitRenewals(1);

        keeper.leave().join();

        assertThat(sessions.closed)
                .containsExactly(CloseSessionRequest.newBuilder()
                        .setName("batch")
                        .setInstance("i-1")
                        .setSession(40)
                        .build());
    }
}
