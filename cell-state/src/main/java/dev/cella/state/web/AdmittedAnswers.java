package dev.cella.state.web;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpStatusException;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.core.Time;
import dev.cella.transactions.model.Token;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers that are under way to callers with a token. The gate checks a token once, when the request comes, but an answer
 * such as the feed lasts as long as its connection. So all answers are looked at once per second: those whose token was revoked
 * or has expired a look before end, whichever route they come from. A call that revokes its own token is answered in between.
 *
 * <p>Safe to share between threads.
 */
final class AdmittedAnswers implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final class Admitted {
        private final Token token;

        /** For the thread that looks. */
        private boolean wasRefused;

        Admitted(Token token) {
            this.token = token;
        }
    }

    private final Supplier<Map<String, Token>> tokensByHash;
    private final Time time;
    private final Map<HttpResponse, Admitted> underWay = new ConcurrentHashMap<>();
    private Time.@Nullable Cancellation nextLook;
    private boolean closed;

    AdmittedAnswers(Supplier<Map<String, Token>> tokensByHash, Time time) {
        this.tokensByHash = tokensByHash;
        this.time = time;
    }

    private void look() {
        scheduleNextLook();
        underWay.forEach((answer, admitted) -> refusal(admitted.token).ifPresent(refused -> {
            if (admitted.wasRefused) {
                end(answer, refused);
            }
            admitted.wasRefused = true;
        }));
    }

    /** None is scheduled while there is nothing to look at: each would wake a server that is at rest. */
    private synchronized void scheduleNextLook() {
        boolean goesOn = !closed && !underWay.isEmpty();
        nextLook = goesOn ? time.after(LOOK_EVERY, this::look) : null;
    }

    private synchronized void beginToLook() {
        if (nextLook == null) {
            scheduleNextLook();
        }
    }

    /** An answer that has not begun becomes the refusal. For one that has begun, Armeria would log any other exception. */
    private static void end(HttpResponse answer, Problem refused) {
        answer.abort(HttpStatusException.of(HttpStatus.UNAUTHORIZED, refused));
    }

    /** The same answer, which fails as soon as its token is refused. */
    HttpResponse admit(HttpResponse answer, Token token) {
        underWay.put(answer, new Admitted(token));
        var unused = answer.whenComplete().whenComplete((done, failure) -> underWay.remove(answer));
        beginToLook();
        return answer;
    }

    /** Why a token that the cell had is refused now, if it is. */
    Optional<Problem> refusal(Token token) {
        if (!tokensByHash.get().containsKey(token.hash())) {
            return Optional.of(unauthorized(token, "was revoked"));
        }
        boolean expired = token.expiresAtMillis() > 0 && token.expiresAtMillis() <= time.wallMillis();
        return expired ? Optional.of(unauthorized(token, "has expired")) : Optional.empty();
    }

    private static Problem unauthorized(Token token, String what) {
        return Problem.of(ProblemType.UNAUTHORIZED, "The token " + token.name() + " " + what)
                .withHint("an operator makes another with cella token create");
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (nextLook != null) {
            nextLook.cancel();
        }
    }
}
