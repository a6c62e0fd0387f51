package dev.cella.client;

import dev.cella.client.json.BadInput;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.ProblemDetails;
import dev.cella.client.proto.ProblemError;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a call failed. A server throws it, it travels as RFC 9457 over HTTP and in a trailer over gRPC, and a client throws it
 * again.
 *
 * <p>Its text is for people and says what they can do; it never names a class or shows a stack.
 */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final String detail;
    private final @Nullable String hint;
    private final transient List<Fault> errors;
    private final @Nullable Duration retryAfter;
    private final @Nullable URI leader;

    private Problem(
            ProblemType type,
            String detail,
            @Nullable String hint,
            List<Fault> errors,
            @Nullable Duration retryAfter,
            @Nullable URI leader) {
        super(detail, null, false, false);
        this.type = Objects.requireNonNull(type);
        this.detail = Objects.requireNonNull(detail);
        this.hint = hint;
        this.errors = List.copyOf(errors);
        this.retryAfter = retryAfter;
        this.leader = leader;
    }

    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, detail, null, List.of(), null, null);
    }

    /** An input with faults. The problem has all of them; its detail is the first one. */
    public static Problem badRequest(List<Fault> faults) {
        Fault first = faults.get(0);
        String more = faults.size() == 1 ? "" : " (and " + (faults.size() - 1) + " more)";
        return new Problem(
                ProblemType.BAD_REQUEST, first.sentence() + more, first.hint().orElse(null), faults, null, null);
    }

    public static Problem badRequest(BadInput input) {
        return badRequest(input.faults());
    }

    public static Problem badRequest(String detail) {
        return of(ProblemType.BAD_REQUEST, detail);
    }

    public static Problem forbidden(String detail) {
        return of(ProblemType.FORBIDDEN, detail);
    }

    public static Problem notFound(String detail) {
        return of(ProblemType.NOT_FOUND, detail);
    }

    public static Problem methodNotAllowed(String detail) {
        return of(ProblemType.METHOD_NOT_ALLOWED, detail);
    }

    public static Problem conflict(String detail) {
        return of(ProblemType.CONFLICT, detail);
    }

    public static Problem gone(String detail) {
        return of(ProblemType.GONE, detail);
    }

    public static Problem tooLarge(String detail) {
        return of(ProblemType.TOO_LARGE, detail);
    }

    public static Problem unsupportedMediaType(String detail) {
        return of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
    }

    public static Problem internal(String detail) {
        return of(ProblemType.INTERNAL, detail);
    }

    public static Problem noLeader(String detail) {
        return of(ProblemType.NO_LEADER, detail).withRetryAfter(Duration.ofSeconds(1));
    }

    public static Problem overloaded(String detail) {
        return of(ProblemType.OVERLOADED, detail).withRetryAfter(Duration.ofSeconds(1));
    }

    public static Problem unavailable(String detail) {
        return of(ProblemType.UNAVAILABLE, detail).withRetryAfter(Duration.ofSeconds(1));
    }

    public static Problem versionNotReached(String detail) {
        return of(ProblemType.VERSION_NOT_REACHED, detail).withRetryAfter(Duration.ofSeconds(1));
    }

    /** The same problem with a hint. */
    public Problem withHint(String newHint) {
        return new Problem(type, detail, newHint, errors, retryAfter, leader);
    }

    /** The same problem with the time after which to try again. */
    public Problem withRetryAfter(Duration newRetryAfter) {
        return new Problem(type, detail, hint, errors, newRetryAfter, leader);
    }

    /** The same problem with the address of the leader, {@code http://host:port}, which can answer the request. */
    public Problem withLeader(URI newLeader) {
        return new Problem(type, detail, hint, errors, retryAfter, newLeader);
    }

    public ProblemType type() {
        return type;
    }

    /** What happened this time. */
    public String detail() {
        return detail;
    }

    /** What to do about it, if known. */
    public Optional<String> hint() {
        return Optional.ofNullable(hint);
    }

    /** The faults of the input; over the wire they lose line and column. */
    public List<Fault> errors() {
        return errors;
    }

    /** When to try again; over HTTP the header Retry-After, in whole seconds. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The address of the leader, in a {@link ProblemType#NO_LEADER} problem of a replica that knows it. */
    public Optional<URI> leader() {
        return Optional.ofNullable(leader);
    }

    /** The problem as a message, without the time after which to try again. */
    public ProblemDetails toMessage() {
        ProblemDetails.Builder message = ProblemDetails.newBuilder()
                .setType(type.address())
                .setTitle(type.title())
                .setStatus(type.status())
                .setDetail(detail);
        hint().ifPresent(message::setHint);
        leader().ifPresent(address -> message.setLeader(address.toString()));
        for (Fault error : errors) {
            message.addErrors(ProblemError.newBuilder().setPath(error.path()).setMessage(error.message()));
        }
        return message.build();
    }

    /** The problem of a message. If the type is unknown here, because a newer cell sent it, the status decides. */
    public static Problem fromMessage(ProblemDetails message) {
        ProblemType type =
                ProblemType.find(message.getType()).orElseGet(() -> ProblemType.ofStatus(message.getStatus()));
        List<Fault> errors = message.getErrorsList().stream()
                .map(error -> Fault.of(error.getPath(), error.getMessage()))
                .toList();
        String hint = message.hasHint() ? message.getHint() : null;
        return new Problem(type, message.getDetail(), hint, errors, null, leader(message));
    }

    /** A malformed address is left out: it is only a hint, and there are other ways to find the leader. */
    private static @Nullable URI leader(ProblemDetails message) {
        try {
            return message.hasLeader() ? new URI(message.getLeader()) : null;
        } catch (URISyntaxException noAddress) {
            return null;
        }
    }
}
