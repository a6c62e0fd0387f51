package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpStatus;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerProblemsTest {
    @ParameterizedTest
    @ValueSource(ints = {400, 405, 413, 414, 417, 431})
    void violationByTheRequest_isTheRequestsFault(int status) {
        Problem problem = ServerProblems.problemOfViolation(HttpStatus.valueOf(status), null);

        assertThat(problem.type().status()).isBetween(400, 499);
        assertThat(problem.detail()).contains("not a request that HTTP allows");
    }

    @Test
    void failureWhileARequestIsRead_isTheServersFault() {
        for (Throwable cause : new Throwable[] {new RejectedExecutionException("no thread"), null}) {
            Problem problem = ServerProblems.problemOfViolation(HttpStatus.INTERNAL_SERVER_ERROR, cause);

            assertThat(problem.type()).isEqualTo(ProblemType.INTERNAL);
            assertThat(problem.detail()).doesNotContain("HTTP").doesNotContain("no thread");
        }
    }
}
