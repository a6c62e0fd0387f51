package dev.cella.state.web;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.json.BadInput;
import dev.cella.state.core.StoreUnavailableException;
import dev.cella.state.core.SubmitException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.channel.unix.Errors.NativeIoException;
import java.net.SocketException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns failures into answers. Unexpected failures are logged here, and the answer reveals nothing internal. */
final class FailureAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(FailureAnswers.class);

    private FailureAnswers() {}

    static Problem problemOf(Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() != null) {
            return problemOf(failure.getCause());
        }
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (failure instanceof BadInput input) {
            return Problem.badRequest(input);
        }
        if (failure instanceof SubmitException submit) {
            return problemOfSubmit(submit);
        }
        if (failure instanceof StoreUnavailableException) {
            return Problem.unavailable("This replica takes the cell from another one, or is stopping")
                    .withHint("repeat the same request, here or at another server");
        }
        if (failure instanceof HttpStatusException status) {
            return problemOfStatus(status);
        }
        if (failure instanceof ContentTooLargeException) {
            return Problem.tooLarge("The body is too large: it has at most 1 MiB");
        }
        return unforeseen(failure);
    }

    private static Problem problemOfStatus(HttpStatusException failure) {
        HttpStatus status = failure.httpStatus();
        return failure.getCause() instanceof Problem problem
                ? problem
                : Problem.of(ProblemType.ofStatus(status.code()), status.reasonPhrase());
    }

    private static Problem problemOfSubmit(SubmitException submit) {
        return switch (submit.why()) {
            case LANE_FULL ->
                Problem.overloaded("Too much is waiting to be decided").withRetryAfter(submit.retryAfter());
            case NO_LEADER -> noLeader(submit);
            case TOO_LARGE -> Problem.tooLarge("The command is larger than any entry of the log");
            case CLOSED -> Problem.noLeader("This server is stopping");
            case OUTCOME_UNKNOWN ->
                Problem.noLeader("It was proposed, and the answer is lost: it may be decided or not")
                        .withHint("repeat the same request: a command is never applied twice");
        };
    }

    /** Nothing was done, so a client may ask the leader at once. */
    private static Problem noLeader(SubmitException submit) {
        Problem problem =
                Problem.noLeader("This replica does not lead the cell").withRetryAfter(submit.retryAfter());
        return submit.leader().map(problem::withLeader).orElse(problem);
    }

    private static Problem unforeseen(Throwable failure) {
        if (failure instanceof ShuttingDownException) {
            return Problem.unavailable("This server is stopping: the call may be done or not")
                    .withHint("repeat the same request at another server: a command is never applied twice");
        }
        if (isGone(failure)) {
            return Problem.unavailable("The call was cut off: it may be done or not")
                    .withHint("repeat the same request: a command is never applied twice");
        }
        LOG.error("A call failed unexpectedly", failure);
        return Problem.internal("The server could not answer; its log says why");
    }

    /**
     * The caller has left or was answered already. Hardly anybody reads this, except a client of a replica whose leader has
     * gone.
     */
    static boolean isGone(Throwable failure) {
        return isCancelled(failure)
                || failure instanceof SocketException
                || failure instanceof NativeIoException
                || failure instanceof ClosedSessionException
                || failure instanceof ClosedStreamException
                || failure instanceof ResponseCompleteException
                || failure instanceof AbortedStreamException
                || failure instanceof CancelledSubscriptionException
                || failure instanceof RequestTimeoutException;
    }

    /** The form in which gRPC reports that the client closed a stream. */
    private static boolean isCancelled(Throwable failure) {
        return failure instanceof StatusRuntimeException status
                && status.getStatus().getCode() == Status.Code.CANCELLED;
    }
}
