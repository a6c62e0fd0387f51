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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader of the feed over HTTP. It requests the next frame only when the previous one has left for the network. Text is
 * made and written on the blocking executor.
 *
 * <p>A replica that is cut off from the others shows its readers an old cell. So it ends the answer instead of a heartbeat, as
 * it does over gRPC, and a new reader gets nothing after the snapshot.
 */
final class FeedStream {
    private final BooleanSupplier isCurrent;
    private final RowReader reader;
    private final Executor executor;
    private final HttpResponseWriter out;
    private boolean wasCurrent;

    private FeedStream(BooleanSupplier isCurrent, RowReader reader, Executor executor) {
        this.isCurrent = isCurrent;
        this.reader = reader;
        this.executor = executor;
        this.out = HttpResponse.streaming();
    }

    /**
     * The start of a reader, and what it sees.
     *
     * @param incarnation the history of the versions, if it is stated
     * @param from the last version that it knows, if any
     * @param at a version of which it wants a snapshot first
     * @param pace how often it gets changes, and figures besides them
     */
    record Asked(FeedFilter filter, Incarnation incarnation, OptionalLong from, OptionalLong at, RowReader.Pace pace) {}

    static HttpResponse open(FeedProjection projection, Asked asked, ServiceRequestContext context) {
        Executor executor = context.blockingTaskExecutor();
        RowReader reader =
                new RowReader(projection, asked.filter(), asked.incarnation(), asked.from(), asked.pace(), executor);
        if (asked.from().isEmpty()) {
            reader.mustHaveRoom(asked.at().isPresent() ? FeedFilter.EVERYTHING : asked.filter());
        }
        FeedStream stream = new FeedStream(projection::isCurrent, reader, executor);
        context.clearRequestTimeout();
        if (asked.at().isPresent()) {
            stream.startAt(projection, asked, asked.at().getAsLong());
        } else {
            stream.start();
        }
        return stream.out;
    }

    private void startAt(FeedProjection projection, Asked asked, long version) {
        var unused = projection
                .snapshotAt(asked.incarnation(), version, asked.filter())
                .whenCompleteAsync(
                        (snapshot, failure) -> {
                            if (failure != null) {
                                reader.close();
                                out.close(failure);
                                return;
                            }
                            snapshot.ifPresentOrElse(
                                    reader::beginWith,
                                    () -> reader.startOver("version " + version
                                            + " is not kept, the oldest that is kept is " + projection.keptFrom()));
                            start();
                        },
                        executor);
    }

    private void start() {
        var unused = out.whenComplete().whenComplete((done, broken) -> reader.close());
        out.write(ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_TYPE, MediaType.EVENT_STREAM));
        writeNext();
    }

    private void writeNext() {
        var unused = reader.next()
                .thenAcceptAsync(this::write, executor)
                .thenCompose(written -> out.whenConsumed())
                .whenComplete((consumed, failure) -> goOn(failure));
    }

    private void write(RowFrame frame) {
        if (standsStill(frame)) {
            out.close();
        } else {
            out.write(HttpData.ofUtf8(FeedText.of(frame)));
        }
    }

    /** A heartbeat, and whatever comes first after the snapshot, is true only while this replica can receive changes. */
    private boolean standsStill(RowFrame frame) {
        boolean isOld = frame instanceof RowFrame.Snapshot || frame instanceof RowFrame.Resync;
        if (isOld || (wasCurrent && !(frame instanceof RowFrame.Heartbeat))) {
            return false;
        }
        wasCurrent = isCurrent.getAsBoolean();
        return !wasCurrent;
    }

    private void goOn(@Nullable Throwable failure) {
        if (failure != null) {
            out.close(failure);
        } else if (out.isOpen()) {
            writeNext();
        }
    }
}
