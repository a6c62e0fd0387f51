package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.json.Fault;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemStatusTest {
    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void problem_ofEveryType_comesBackWhole(ProblemType type) {
        Problem sent = Problem.of(type, "it did not w\u00f6rk\nat all")
                .withHint("try something else")
                .withRetryAfter(Duration.ofMillis(1500));

        Problem received = ProblemStatus.fromException(ProblemStatus.toException(sent));

        assertThat(received.toMessage()).isEqualTo(sent.toMessage());
        assertThat(received.retryAfter()).contains(Duration.ofSeconds(2));
    }

    @Test
    void toTrailer_linesOfAnAnswer_areReadAsTheProblem() {
        Problem sent = Problem.noLeader("it did not w\u00f6rk\nat all").withHint("ask again");
        Map<String, String> lines = ProblemStatus.toTrailer(sent);

        Metadata trailers = new Metadata();
        trailers.put(
                Metadata.Key.of("cella-problem-bin", Metadata.BINARY_BYTE_MARSHALLER),
                Base64.getDecoder().decode(lines.get("cella-problem-bin")));
        trailers.put(Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER), lines.get("retry-after"));
        Status status = Status.fromCodeValue(Integer.parseInt(lines.get("grpc-status")));
        Problem received = ProblemStatus.fromException(status.asRuntimeException(trailers));

        assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(lines).containsEntry("grpc-message", "it%20did%20not%20w%C3%B6rk%0Aat%20all");
        assertThat(received.toMessage()).isEqualTo(sent.toMessage());
        assertThat(received.retryAfter()).contains(Duration.ofSeconds(1));
    }

    @Test
    void problem_keepsItsErrors() {
        Problem sent = Problem.badRequest(List.of(Fault.of("name", "is required"), Fault.of("a[0].b", "must be text")));

        assertThat(ProblemStatus.fromException(ProblemStatus.toException(sent)).errors())
                .containsExactly(Fault.of("name", "is required"), Fault.of("a[0].b", "must be text"));
    }

    @ParameterizedTest
    @CsvSource({
        "BAD_REQUEST, INVALID_ARGUMENT",
        "UNAUTHORIZED, UNAUTHENTICATED",
        "NOT_FOUND, NOT_FOUND",
        "CONFLICT, FAILED_PRECONDITION",
        "TOO_LARGE, RESOURCE_EXHAUSTED",
        "NO_LEADER, UNAVAILABLE",
    })
    void toException_otherClients_seeAStatus(ProblemType type, Status.Code code) {
        assertThat(ProblemStatus.toException(Problem.of(type, "x")).getStatus().getCode())
                .isEqualTo(code);
    }

    /** As when the server is killed: an INTERNAL problem would be a fault of the server that it told. */
    @Test
    void fromException_ofALostConnection_isUnavailable() {
        Status lost = Status.UNKNOWN.withCause(new IOException("closed"));

        Problem received = ProblemStatus.fromException(lost.asRuntimeException());

        assertThat(received.type()).isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(received.detail()).isEqualTo("the connection was lost");
    }

    /** The operator of a scheduler whose certificates have ended reads that in its log. */
    @Test
    void fromException_ofAFailedHandshake_saysWhy() {
        Throwable handshake = new SSLHandshakeException("General OpenSslEngine problem")
                .initCause(new CertPathValidatorException(
                        "validity check failed", new CertificateExpiredException("NotAfter")));
        Status failed = Status.UNAVAILABLE.withCause(new IOException(handshake));

        assertThat(ProblemStatus.fromException(failed.asRuntimeException()).detail())
                .isEqualTo("its certificate has expired");
        assertThat(ProblemStatus.fromException(Status.UNAVAILABLE
                                .withCause(new SSLHandshakeException("?"))
                                .asRuntimeException())
                        .detail())
                .startsWith("it does not speak TLS");
    }

    /** An agent's own certificate has ended: only the server can tell. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "error:10000416:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_UNKNOWN",
                "error:10000415:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_EXPIRED",
                "Received fatal alert: bad_certificate",
                "(certificate_unknown) Received fatal alert: certificate_unknown",
                "Received fatal alert: unknown_ca",
            })
    void fromException_ofAnAlertAboutOurCertificate_saysSo(String alert) {
        Status failed = Status.UNAVAILABLE.withCause(new IOException(new SSLException(alert)));

        assertThat(ProblemStatus.fromException(failed.asRuntimeException()).detail())
                .startsWith("it refuses the certificate of this side");
    }

    @Test
    void fromException_ofAFaultOfThisSide_isInternal() {
        assertThat(ProblemStatus.fromException(new IllegalStateException("x")).type())
                .isEqualTo(ProblemType.INTERNAL);
        assertThat(ProblemStatus.fromException(Status.UNKNOWN.asRuntimeException())
                        .type())
                .isEqualTo(ProblemType.INTERNAL);
    }

    @ParameterizedTest
    @EnumSource(Status.Code.class)
    void fromException_withoutADocument_takesTheNearestType(Status.Code code) {
        Problem problem =
                ProblemStatus.fromException(code.toStatus().withDescription("x").asRuntimeException());

        assertThat(problem.detail()).isEqualTo("x");
        assertThat(problem.retryAfter()).isEmpty();
    }
}
