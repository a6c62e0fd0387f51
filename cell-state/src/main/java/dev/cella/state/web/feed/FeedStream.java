package dev.cella.state.web.feed;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the feed over HTTP. The next piece of text is made only when the one before has left for the network, so a slow
 * reader costs nothing but its place; if the projection goes on without it, it is told to resync and gets a snapshot.
 *
 * <p>Guarded by its own monitor; text is made and written on the blocking executor.
 */
final class FeedStream {
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final int EVENTS_AT_ONCE = 256;

    private final FeedProjection projection;
    private final FeedFilter filter;
    private final Executor executor;
    private final HttpResponseWriter out;
    private final Deque<String> prepared = new ArrayDeque<>();
    private OptionalLong sent;
    private boolean heartbeatDue;
    private @Nullable CompletableFuture<String> asked;

    private FeedStream(FeedProjection projection, FeedFilter filter, OptionalLong from, ServiceRequestContext context) {
        this.projection = projection;
        this.filter = filter;
        this.sent = from;
        this.executor = context.blockingTaskExecutor();
        this.out = HttpResponse.streaming();
    }

    /** @param from the last version that the reader knows, if it knows any */
    static HttpResponse open(
            FeedProjection projection, FeedFilter filter, OptionalLong from, ServiceRequestContext context) {
        FeedStream stream = new FeedStream(projection, filter, from, context);
        context.clearRequestTimeout();
        stream.start(context);
        return stream.out;
    }

    private void start(ServiceRequestContext context) {
        ScheduledFuture<?> heartbeat = context.eventLoop()
                .withoutContext()
                .scheduleAtFixedRate(this::beat, HEARTBEAT.toMillis(), HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
        Runnable leave = projection.join(this::wakeSoon);
        var unused = out.whenComplete().whenComplete((done, broken) -> {
            heartbeat.cancel(false);
            leave.run();
        });
        out.write(ResponseHeaders.of(
                HttpStatus.OK,
                HttpHeaderNames.CONTENT_TYPE,
                MediaType.EVENT_STREAM,
                HttpHeaderNames.CACHE_CONTROL,
                "no-cache"));
        writeNext();
    }

    private void writeNext() {
        var unused = next().thenAcceptAsync(text -> out.write(HttpData.ofUtf8(text)), executor)
                .thenCompose(written -> out.whenConsumed())
                .whenComplete((consumed, failure) -> goOn(failure));
    }

    private void goOn(@Nullable Throwable failure) {
        if (failure != null) {
            out.close(failure);
        } else if (out.isOpen()) {
            writeNext();
        }
    }

    /** The next piece of text, as soon as there is one. */
    private synchronized CompletableFuture<String> next() {
        CompletableFuture<String> next = new CompletableFuture<>();
        asked = next;
        wakeSoon();
        return next;
    }

    private void wakeSoon() {
        executor.execute(this::wake);
    }

    private void beat() {
        synchronized (this) {
            heartbeatDue = true;
        }
        wakeSoon();
    }

    private void wake() {
        CompletableFuture<String> answered;
        String text;
        synchronized (this) {
            text = asked == null ? null : piece();
            answered = text == null ? null : asked;
            asked = text == null ? asked : null;
        }
        if (answered != null) {
            answered.complete(text);
        }
    }

    private @Nullable String piece() {
        if (!prepared.isEmpty()) {
            return prepared.poll();
        }
        if (heartbeatDue && sent.isPresent()) {
            heartbeatDue = false;
            return FeedText.heartbeat(sent.getAsLong());
        }
        return sent.isPresent() ? changesAfter(sent.getAsLong()) : beginSnapshot();
    }

    private @Nullable String beginSnapshot() {
        projection.snapshot(filter).ifPresent(snapshot -> {
            sent = OptionalLong.of(snapshot.version());
            prepared.addAll(snapshot.pieces());
        });
        return prepared.poll();
    }

    private @Nullable String changesAfter(long version) {
        FeedProjection.Changes changes = projection.changesAfter(version, EVENTS_AT_ONCE);
        if (changes.lost()) {
            sent = OptionalLong.empty();
            return FeedText.resync("version " + version + " is not kept");
        }
        StringBuilder text = new StringBuilder();
        for (FeedEvent event : changes.events()) {
            sent = OptionalLong.of(event.version());
            FeedEvent shown = event.only(filter);
            if (filter.isEverything() || !shown.rows().isEmpty()) {
                text.append(FeedText.change(shown));
            }
        }
        if (!changes.events().isEmpty() && text.length() == 0) {
            return changesAfter(sent.getAsLong());
        }
        return text.length() == 0 ? null : text.toString();
    }
}
