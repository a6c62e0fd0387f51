package dev.cella.client.live;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.access.TlsFailure;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.ProblemDetails;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Problems in gRPC: a status for every client, and for ours the same document as over HTTP, in the trailer {@code
 * cella-problem-bin}, with the seconds to wait in {@code retry-after}.
 */
public final class ProblemStatus {
    private static final Metadata.Key<byte[]> DOCUMENT =
            Metadata.Key.of("cella-problem-bin", Metadata.BINARY_BYTE_MARSHALLER);
    private static final Metadata.Key<String> RETRY_AFTER =
            Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

    private static final JsonCodec JSON = new JsonCodec();

    private ProblemStatus() {}

    public static StatusRuntimeException toException(Problem problem) {
        Metadata trailers = new Metadata();
        trailers.put(DOCUMENT, document(problem));
        problem.retryAfter().ifPresent(time -> trailers.put(RETRY_AFTER, String.valueOf(seconds(time))));
        return code(problem.type()).toStatus().withDescription(problem.detail()).asRuntimeException(trailers);
    }

    /** The same as the headers of an answer that ends at once, for a proxy that answers instead of a server. */
    public static Map<String, String> toTrailer(Problem problem) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("grpc-status", String.valueOf(code(problem.type()).value()));
        lines.put(
                "grpc-message",
                URLEncoder.encode(problem.detail(), StandardCharsets.UTF_8).replace("+", "%20"));
        lines.put(DOCUMENT.name(), Base64.getEncoder().withoutPadding().encodeToString(document(problem)));
        problem.retryAfter().ifPresent(time -> lines.put(RETRY_AFTER.name(), String.valueOf(seconds(time))));
        return lines;
    }

    /** Returns whether a call ends with a problem of ours. */
    public static boolean isIn(Metadata trailers) {
        return trailers.containsKey(DOCUMENT);
    }

    private static byte[] document(Problem problem) {
        return JSON.write(problem.toMessage()).getBytes(StandardCharsets.UTF_8);
    }

    /** Whole seconds, rounded up, so that nobody returns too early. */
    private static long seconds(Duration time) {
        return time.plusNanos(999_999_999).toSeconds();
    }

    private static Status.Code code(ProblemType type) {
        return switch (type) {
            case BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE -> Status.Code.INVALID_ARGUMENT;
            case UNAUTHORIZED -> Status.Code.UNAUTHENTICATED;
            case FORBIDDEN -> Status.Code.PERMISSION_DENIED;
            case NOT_FOUND -> Status.Code.NOT_FOUND;
            case METHOD_NOT_ALLOWED -> Status.Code.UNIMPLEMENTED;
            case CONFLICT -> Status.Code.FAILED_PRECONDITION;
            case GONE -> Status.Code.OUT_OF_RANGE;
            case TOO_LARGE, RATE_LIMITED -> Status.Code.RESOURCE_EXHAUSTED;
            case INTERNAL -> Status.Code.INTERNAL;
            case NO_LEADER, OVERLOADED, UNAVAILABLE, VERSION_NOT_REACHED -> Status.Code.UNAVAILABLE;
        };
    }

    /** The problem of a failed call. Without a document it is the one nearest to the status. */
    public static Problem fromException(Throwable failure) {
        Metadata trailers = trailers(failure);
        Problem problem = document(trailers);
        if (problem == null) {
            problem = nearest(statusOf(failure));
        }
        String retryAfter = trailers.get(RETRY_AFTER);
        return retryAfter == null || !retryAfter.matches("[0-9]{1,6}")
                ? problem
                : problem.withRetryAfter(Duration.ofSeconds(Long.parseLong(retryAfter)));
    }

    private static Metadata trailers(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        return trailers == null ? new Metadata() : trailers;
    }

    private static @Nullable Problem document(Metadata trailers) {
        byte[] document = trailers.get(DOCUMENT);
        if (document == null) {
            return null;
        }
        try {
            return Problem.fromMessage(JSON.readAnswer(ProblemDetails.getDefaultInstance(), Source.json(document)));
        } catch (BadInput notOurs) {
            return null;
        }
    }

    /**
     * A server ends a call with a status that has no cause here. UNKNOWN with a cause is a call that this side ended: most
     * often the connection was closed because the server was killed. Another server may answer then.
     */
    private static Status statusOf(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        boolean endedHere = status.getCause() != null && !failure.equals(status.getCause());
        return status.getCode() == Status.Code.UNKNOWN && endedHere
                ? Status.UNAVAILABLE.withDescription("the connection was lost").withCause(status.getCause())
                : status;
    }

    private static Problem nearest(Status status) {
        String detail = status.getDescription() == null ? words(status) : status.getDescription();
        return Problem.of(type(status.getCode()), detail);
    }

    /** If a call reached no server, the status says nothing, but its cause does. */
    private static String words(Status status) {
        for (Throwable each = status.getCause(); each != null; each = each.getCause()) {
            if (each instanceof ConnectException) {
                return "nothing listens there";
            }
            if (each instanceof UnknownHostException) {
                return "there is no such host";
            }
            if (each instanceof SSLException || each instanceof CertificateException) {
                return TlsFailure.of(each).why();
            }
        }
        return status.getCode().name();
    }

    private static ProblemType type(Status.Code code) {
        return switch (code) {
            case INVALID_ARGUMENT -> ProblemType.BAD_REQUEST;
            case UNAUTHENTICATED -> ProblemType.UNAUTHORIZED;
            case PERMISSION_DENIED -> ProblemType.FORBIDDEN;
            case NOT_FOUND -> ProblemType.NOT_FOUND;
            case UNIMPLEMENTED -> ProblemType.METHOD_NOT_ALLOWED;
            case FAILED_PRECONDITION, ALREADY_EXISTS, ABORTED -> ProblemType.CONFLICT;
            case OUT_OF_RANGE -> ProblemType.GONE;
            case RESOURCE_EXHAUSTED -> ProblemType.RATE_LIMITED;
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> ProblemType.UNAVAILABLE;
            case OK, UNKNOWN, INTERNAL, DATA_LOSS -> ProblemType.INTERNAL;
        };
    }
}
