package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ShuttingDownException;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.core.StoreUnavailableException;
import io.grpc.Status;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class FailureAnswersTest {
    @Test
    void isGone_clientThatClosedItsStreamOrItsConnection_isGone() {
        assertThat(FailureAnswers.isGone(Status.CANCELLED.asRuntimeException())).isTrue();
        assertThat(FailureAnswers.isGone(ClosedSessionException.get())).isTrue();
    }

    @Test
    void problemOf_connectionThatBroke_saysToAskAgainAndNotThatTheServerFailed() {
        assertThat(FailureAnswers.problemOf(ClosedSessionException.get()).type())
                .isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(FailureAnswers.problemOf(new SocketException("Connection reset"))
                        .type())
                .isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(FailureAnswers.problemOf(new IllegalStateException("ours")).type())
                .isEqualTo(ProblemType.INTERNAL);
    }

    @Test
    void problemOf_rowsThatCannotBeReadNow_saysToAskAgain() {
        assertThat(FailureAnswers.problemOf(new StoreUnavailableException("closed"))
                        .type())
                .isEqualTo(ProblemType.UNAVAILABLE);
    }

    @Test
    void problemOf_callThatAStopCutsOff_saysThatTheServerIsStopping() {
        Problem answer = FailureAnswers.problemOf(ShuttingDownException.get());
        assertThat(answer.type()).isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(answer.getMessage()).contains("stopping");
    }

    @Test
    void isGone_failureOfOurs_isNot() {
        assertThat(FailureAnswers.isGone(Status.INTERNAL.asRuntimeException())).isFalse();
        assertThat(FailureAnswers.isGone(new IllegalStateException("ours"))).isFalse();
    }
}
