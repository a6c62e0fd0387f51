package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.ConflictServiceGrpc;
import dev.cella.client.proto.HistoryServiceGrpc;
import dev.cella.client.proto.SchedulerServiceGrpc;
import dev.cella.state.core.ManualTime;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LiveFiguresTest {
    private static final RequestHeaders READER = RequestHeaders.of(HttpMethod.GET, "/v1/feed");
    private static final String OF_THE_LEADER = "\"the leader's\"";

    private final ManualTime time = new ManualTime();
    private Optional<String> answerOfLeader = Optional.of(OF_THE_LEADER);
    private boolean leads;

    private final LiveFigures figures = new LiveFigures(
            List.of(
                    silent(SchedulerServiceGrpc.getListSchedulersMethod()),
                    silent(ConflictServiceGrpc.getGetConflictsMethod()),
                    silent(ConflictServiceGrpc.getListConflictsMethod()),
                    silent(HistoryServiceGrpc.getGetSeriesMethod())),
            () -> leads,
            (reader, path) -> CompletableFuture.completedFuture(answerOfLeader),
            new JsonCodec(),
            time);

    private static <Q extends Message, A extends Message> UnaryMethod<Q, A> silent(MethodDescriptor<Q, A> grpc) {
        A empty = Objects.requireNonNull(((PrototypeMarshaller<A>) grpc.getResponseMarshaller()).getMessagePrototype());
        return new UnaryMethod<>(grpc, request -> CompletableFuture.completedFuture(Answer.ok(empty)));
    }

    private String afterASecond() {
        time.advance(Duration.ofSeconds(1));
        return figures.get(READER);
    }

    @Test
    void leaderFails_lastAnswerStaysForTenSeconds() {
        afterASecond();
        assertThat(afterASecond()).contains(OF_THE_LEADER);
        answerOfLeader = Optional.empty();
        for (int second = 0; second < 9; second++) {
            assertThat(afterASecond()).contains(OF_THE_LEADER);
        }
        afterASecond();
        assertThat(afterASecond()).doesNotContain(OF_THE_LEADER);
    }

    @Test
    void leaderAnswersAgain_itsAnswerIsShown() {
        afterASecond();
        answerOfLeader = Optional.empty();
        afterASecond();
        answerOfLeader = Optional.of("\"newer\"");
        afterASecond();
        assertThat(afterASecond()).contains("newer");
    }

    @Test
    void thisReplicaBeginsToLead_itsOwnAnswerIsShownAtOnce() {
        afterASecond();
        assertThat(afterASecond()).contains(OF_THE_LEADER);
        leads = true;
        assertThat(afterASecond()).doesNotContain(OF_THE_LEADER);
    }

    /** The answer to the last question before the pause is as old as the pause. */
    @Test
    void nobodyReadsForAWhile_anOldAnswerIsNotShown() {
        afterASecond();
        time.advance(Duration.ofMinutes(1));
        assertThat(figures.get(READER)).doesNotContain(OF_THE_LEADER);
        assertThat(afterASecond()).contains(OF_THE_LEADER);
    }
}
