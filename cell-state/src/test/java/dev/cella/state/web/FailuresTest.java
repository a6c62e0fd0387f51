package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.ClosedSessionException;
import dev.cella.client.ProblemType;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void isGone_clientThatClosedItsStreamOrItsConnection_isGone() {
        assertThat(Failures.isGone(Status.CANCELLED.asRuntimeException())).isTrue();
        assertThat(Failures.isGone(ClosedSessionException.get())).isTrue();
    }

    @Test
    void problemOf_connectionThatBroke_saysToAskAgainAndNotThatTheServerFailed() {
        assertThat(Failures.problemOf(ClosedSessionException.get()).type()).isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(Failures.problemOf(new IllegalStateException("ours")).type()).isEqualTo(ProblemType.INTERNAL);
    }

    @Test
    void isGone_failureOfOurs_isNot() {
        assertThat(Failures.isGone(Status.INTERNAL.asRuntimeException())).isFalse();
        assertThat(Failures.isGone(new IllegalStateException("ours"))).isFalse();
    }
}
