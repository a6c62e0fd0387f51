package dev.cella.state.web.feed;

import dev.cella.client.proto.ChangedVersion;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.Heartbeat;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.Resync;
import dev.cella.client.proto.RowKind;
import dev.cella.client.proto.Rows;
import dev.cella.client.proto.SessionRow;
import dev.cella.client.proto.SnapshotPiece;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.model.Incarnation;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The feed by rows over gRPC, for a client that watches a part of the cell. */
public final class WatchedRows implements AutoCloseable {
    private final RowReader reader;

    private WatchedRows(RowReader reader) {
        this.reader = reader;
    }

    /** Fails if the watcher needs a snapshot and there is no room for one. */
    public static WatchedRows open(FeedProjection projection, WatchRequest request, Executor executor) {
        OptionalLong from = request.hasFromVersion() ? OptionalLong.of(request.getFromVersion()) : OptionalLong.empty();
        FeedFilter filter = FeedFilter.of(request);
        RowReader reader = new RowReader(
                projection,
                filter,
                new Incarnation(request.getIncarnation()),
                from,
                RowReader.Pace.EVERY_VERSION,
                executor);
        if (from.isEmpty()) {
            reader.mustHaveRoom(filter);
        }
        return new WatchedRows(reader);
    }

    /** The next frame, as soon as there is one. Ask again only after it came. */
    public CompletableFuture<FeedFrame> next() {
        return reader.next().thenApply(WatchedRows::message);
    }

    private static FeedFrame message(RowFrame frame) {
        FeedFrame.Builder message = FeedFrame.newBuilder();
        if (frame instanceof RowFrame.Snapshot piece) {
            message.setRows(Rows.newBuilder()
                    .setIncarnation(piece.incarnation().number())
                    .setVersion(piece.version())
                    .setSnapshot(
                            SnapshotPiece.newBuilder().setLast(piece.last()).addAllRows(rows(piece.rows()))));
        } else if (frame instanceof RowFrame.Changes changes) {
            message.setRows(Rows.newBuilder()
                    .setIncarnation(changes.incarnation().number())
                    .setVersion(changes.last())
                    .addAllVersions(
                            changes.events().stream().map(WatchedRows::version).toList()));
        } else if (frame instanceof RowFrame.Heartbeat heartbeat) {
            message.setHeartbeat(Heartbeat.newBuilder().setVersion(heartbeat.version()));
        } else if (frame instanceof RowFrame.Resync resync) {
            message.setResync(Resync.newBuilder().setReason(resync.reason()));
        }
        return message.build();
    }

    private static ChangedVersion version(VersionChange event) {
        ChangedVersion.Builder version =
                ChangedVersion.newBuilder().setVersion(event.version()).addAllRows(rows(event.rows()));
        event.transaction()
                .ifPresent(origin ->
                        version.setTransaction(origin.transaction().text()).setScheduler(origin.scheduler()));
        return version.build();
    }

    private static List<dev.cella.client.proto.ChangedRow> rows(List<ChangedRow> rows) {
        return rows.stream().map(WatchedRows::row).toList();
    }

    private static dev.cella.client.proto.ChangedRow row(ChangedRow row) {
        dev.cella.client.proto.ChangedRow.Builder told = dev.cella.client.proto.ChangedRow.newBuilder()
                .setKind(kind(row.kind()))
                .setName(row.name());
        row.row().ifPresent(image -> {
            switch (row.kind()) {
                case MACHINE -> told.setMachine((Machine) image.message());
                case JOB -> told.setJob((JobStatus) image.message());
                case TASK -> told.setTask((Task) image.message());
                case SESSION -> told.setSession((SessionRow) image.message());
            }
        });
        return told.build();
    }

    private static RowKind kind(ChangedRow.Kind kind) {
        return switch (kind) {
            case MACHINE -> RowKind.ROW_KIND_MACHINE;
            case JOB -> RowKind.ROW_KIND_JOB;
            case TASK -> RowKind.ROW_KIND_TASK;
            case SESSION -> RowKind.ROW_KIND_SESSION;
        };
    }

    @Override
    public void close() {
        reader.close();
    }
}
