package dev.cella.state.web.service;

import com.google.protobuf.Message;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Lets a command answer "not found" only after the leader has confirmed that it leads.
 *
 * <p>Commands look up names in this replica's own copy. A leader that was cut off does not know yet that another one leads,
 * and lacks the other's commits. Asking a majority before each command would cost a round trip, so only the rare answer "not
 * found" waits for it. Reads show this replica's state and are not affected.
 */
final class Absence {
    private final Replica replica;

    Absence(Replica replica) {
        this.replica = replica;
    }

    <Q extends Message, A extends Message> UnaryMethod<Q, A> confirmed(UnaryMethod<Q, A> method) {
        return method.isRead() ? method : new UnaryMethod<>(method.grpc(), request -> call(method, request));
    }

    private <Q extends Message, A extends Message> CompletableFuture<Answer<A>> call(
            UnaryMethod<Q, A> method, Q request) {
        long leadership = replica.leadership();
        return method.call(request)
                .exceptionallyCompose(failure -> isAbsence(failure)
                        ? replica.confirmLeads(leadership).thenCompose(leads -> CompletableFuture.failedFuture(failure))
                        : CompletableFuture.failedFuture(failure));
    }

    private static boolean isAbsence(Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() != null) {
            return isAbsence(failure.getCause());
        }
        return failure instanceof Problem problem && problem.type() == ProblemType.NOT_FOUND;
    }
}
