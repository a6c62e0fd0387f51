package dev.cella.state.web.feed;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.transactions.model.Incarnation;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the feed over HTTP. The next frame is asked for only when the one before has left for the network. Text is made
 * and written on the blocking executor.
 */
final class FeedStream {
    private final RowReader reader;
    private final Executor executor;
    private final HttpResponseWriter out;

    private FeedStream(RowReader reader, Executor executor) {
        this.reader = reader;
        this.executor = executor;
        this.out = HttpResponse.streaming();
    }

    /** @param from the last version that the reader knows, if it knows any */
    static HttpResponse open(
            FeedProjection projection, FeedFilter filter, OptionalLong from, ServiceRequestContext context) {
        Executor executor = context.blockingTaskExecutor();
        RowReader reader = new RowReader(projection, filter, Incarnation.UNSAID, from, executor);
        FeedStream stream = new FeedStream(reader, executor);
        context.clearRequestTimeout();
        stream.start();
        return stream.out;
    }

    private void start() {
        var unused = out.whenComplete().whenComplete((done, broken) -> reader.close());
        out.write(ResponseHeaders.of(
                HttpStatus.OK,
                HttpHeaderNames.CONTENT_TYPE,
                MediaType.EVENT_STREAM,
                HttpHeaderNames.CACHE_CONTROL,
                "no-cache"));
        writeNext();
    }

    private void writeNext() {
        var unused = reader.next()
                .thenAcceptAsync(frame -> out.write(HttpData.ofUtf8(FeedText.of(frame))), executor)
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
}
