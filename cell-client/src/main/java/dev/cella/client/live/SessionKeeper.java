package dev.cella.client.live;

import com.google.protobuf.Duration;
import dev.cella.client.Problem;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.SchedulerSession;
import dev.cella.client.proto.SessionClosed;
import dev.cella.transactions.model.SessionId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the session of one instance of a scheduler and renews it three times per lease, until it is closed or fenced. The next
 * renewal does not wait for the answer to the last one, for which a busy owner may have no time.
 *
 * <p>A session that the cell no longer knows, because nobody could renew it in time, is opened again. A session that another
 * instance has taken over is not: two instances that open sessions in turn would fence each other forever.
 *
 * <p>Owned by the executor, which must have one thread.
 */
public final class SessionKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);

    private static final int RENEWALS_A_LEASE = 3;

    private final CellConnection connection;
    private final Owner owner;
    private final Owner.Alarm renewing;
    private final Backoff backoff;
    private final SessionOptions options;
    private final SessionListener listener;
    private @Nullable SessionId session;
    private boolean ended;
    private String said = "";

    public SessionKeeper(
            CellConnection connection,
            ScheduledExecutorService owner,
            Backoff backoff,
            SessionOptions options,
            SessionListener listener) {
        this.connection = connection;
        this.owner = new Owner(owner);
        this.renewing = this.owner.alarm();
        this.backoff = backoff;
        this.options = options;
        this.listener = listener;
    }

    /** Begins. The listener is called when the session is open. */
    public void start() {
        owner.execute(this::renew);
    }

    private void renew() {
        if (ended) {
            return;
        }
        CompletableFuture<SchedulerSession> unused = connection
                .<OpenSessionRequest, SchedulerSession>call(server -> server.schedulers()::openSession, request())
                .whenCompleteAsync(this::answered, owner);
        if (session != null) {
            renewAfter(options.lease().toMillis() / RENEWALS_A_LEASE);
        }
    }

    private OpenSessionRequest request() {
        OpenSessionRequest.Builder request = OpenSessionRequest.newBuilder()
                .setName(options.scheduler())
                .setInstance(options.instance())
                .setType(options.type())
                .setLease(Duration.newBuilder()
                        .setSeconds(options.lease().toSeconds())
                        .setNanos(options.lease().toNanosPart()));
        if (session != null) {
            request.setSession(session.version());
        }
        options.offers().ifPresent(offers -> {
            request.setOffers(true).setWeight(offers.weight()).putAllMinimumOffer(offers.minimumOffer());
            offers.role().ifPresent(request::setRole);
        });
        return request.build();
    }

    private void answered(@Nullable SchedulerSession answer, @Nullable Throwable failure) {
        if (ended) {
            return;
        }
        if (answer != null) {
            keep(new SessionId(answer.getSession()));
        } else if (failure != null) {
            refused(problem(failure));
        }
    }

    private static Problem problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof Problem problem ? problem : Problem.internal(cause.toString());
    }

    private void keep(SessionId kept) {
        backoff.reset();
        said = "";
        boolean opened = !kept.equals(session);
        session = kept;
        if (opened) {
            LOG.info("session={} scheduler={} instance={}: open", kept, options.scheduler(), options.instance());
            listener.opened(kept);
            renewAfter(options.lease().toMillis() / RENEWALS_A_LEASE);
        }
    }

    private void refused(Problem problem) {
        switch (problem.type()) {
            case CONFLICT -> {
                if (session != null) {
                    fenced(problem.detail());
                } else {
                    again(problem);
                }
            }
            case NOT_FOUND, GONE -> {
                session = null;
                again(problem);
            }
            default -> again(problem);
        }
    }

    private void fenced(String why) {
        LOG.warn(
                "session={} scheduler={} instance={}: fenced, {}",
                session,
                options.scheduler(),
                options.instance(),
                why);
        end();
        listener.fenced(why);
    }

    private void again(Problem problem) {
        long delay = Math.min(backoff.nextDelayMillis(problem), options.lease().toMillis() / RENEWALS_A_LEASE);
        sayOnce(problem.detail());
        renewAfter(delay);
    }

    /** Logs a change only, not each try while the cell gives the same answer or none. */
    private void sayOnce(String why) {
        if (!why.equals(said)) {
            LOG.info(
                    "session={} scheduler={} instance={}: not renewed ({}), still trying",
                    session,
                    options.scheduler(),
                    options.instance(),
                    why);
        }
        said = why;
    }

    private void renewAfter(long millis) {
        renewing.set(millis, this::renew);
    }

    /**
     * Ends the session at the cell, too, so that other instances get its jobs at once. Completes when the cell has answered.
     */
    public CompletableFuture<Void> leave() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        owner.execute(() -> {
            SessionId last = session;
            boolean open = !ended && last != null;
            end();
            if (!open || last == null) {
                left.complete(null);
                return;
            }
            CompletableFuture<SessionClosed> unused = connection
                    .<CloseSessionRequest, SessionClosed>call(
                            server -> server.schedulers()::closeSession,
                            CloseSessionRequest.newBuilder()
                                    .setName(options.scheduler())
                                    .setInstance(options.instance())
                                    .setSession(last.version())
                                    .build())
                    .whenComplete((answer, failure) -> left.complete(null));
        });
        return left;
    }

    /** Stops renewing. The cell ends the session when its lease is over. */
    @Override
    public void close() {
        owner.execute(this::end);
    }

    private void end() {
        ended = true;
        renewing.cancel();
    }
}
