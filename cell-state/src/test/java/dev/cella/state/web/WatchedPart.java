package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.ChangedRow;
import dev.cella.client.proto.ChangedVersion;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceBlockingStub;
import dev.cella.client.proto.Rows;
import dev.cella.client.proto.WatchRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** A client's copy of the part of a cell that it watches over gRPC. It can continue at any server. */
public final class WatchedPart {
    private final WatchRequest part;
    private final Map<String, ChangedRow> rows = new TreeMap<>();
    private final List<Long> versionsHeard = new ArrayList<>();
    private long incarnation;
    private long version;
    private boolean whole;
    private int resyncs;

    /**
     * @param part the names to watch
     */
    public WatchedPart(WatchRequest part) {
        this.part = part;
    }

    /** Follows a server until it has seen enough. Fails when the server ends the stream. */
    public void follow(String address, BooleanSupplier enough) {
        FeedServiceBlockingStub feed = Stubs.of(address, FeedServiceBlockingStub.class);
        Iterator<FeedFrame> frames = feed.watch(request());
        while (!enough.getAsBoolean()) {
            take(frames.next());
        }
    }

    WatchRequest request() {
        return whole
                ? part.toBuilder()
                        .setIncarnation(incarnation)
                        .setFromVersion(version)
                        .build()
                : part;
    }

    void take(FeedFrame frame) {
        switch (frame.getFrameCase()) {
            case ROWS -> take(frame.getRows());
            case HEARTBEAT -> advance(frame.getHeartbeat().getVersion());
            case RESYNC -> {
                resyncs++;
                whole = false;
                rows.clear();
            }
            default -> throw new AssertionError("not for one who watches a part: " + frame);
        }
    }

    private void take(Rows told) {
        incarnation = told.getIncarnation();
        if (told.hasSnapshot()) {
            whole = told.getSnapshot().getLast();
            told.getSnapshot().getRowsList().forEach(this::put);
            version = told.getVersion();
        } else {
            told.getVersionsList().forEach(this::take);
            advance(told.getVersion());
        }
    }

    private void take(ChangedVersion changed) {
        assertThat(changed.getVersion()).as("each version once, in order").isGreaterThan(version);
        assertThat(changed.getRowsList()).isNotEmpty();
        versionsHeard.add(changed.getVersion());
        changed.getRowsList().forEach(this::put);
        version = changed.getVersion();
    }

    private void put(ChangedRow row) {
        if (row.getRowCase() == ChangedRow.RowCase.ROW_NOT_SET) {
            rows.remove(row.getName());
        } else {
            rows.put(row.getName(), row);
        }
    }

    private void advance(long told) {
        assertThat(told).isGreaterThanOrEqualTo(version);
        version = told;
    }

    /** By name. */
    Map<String, ChangedRow> rows() {
        return rows;
    }

    /** An existing row. */
    ChangedRow row(String name) {
        return Objects.requireNonNull(rows.get(name), name);
    }

    public List<Long> versionsHeard() {
        return versionsHeard;
    }

    public long version() {
        return version;
    }

    boolean isWhole() {
        return whole;
    }

    public int resyncs() {
        return resyncs;
    }

    /** The version was of another history, which no server knows. */
    void forgetHistory() {
        incarnation++;
    }
}
