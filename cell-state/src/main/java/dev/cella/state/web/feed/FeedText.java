package dev.cella.state.web.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.cella.transactions.model.Origin;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The feed as server-sent events: each is a name, perhaps an id from which a reader may resume, and one line of JSON.
 */
final class FeedText {
    private static final JsonFactory JSON = new JsonFactory();

    private FeedText() {}

    @FunctionalInterface
    private interface Fields {
        void write(JsonGenerator out) throws IOException;
    }

    static String of(RowFrame frame) {
        if (frame instanceof RowFrame.Snapshot piece) {
            return snapshot(piece);
        }
        if (frame instanceof RowFrame.Changes changes) {
            return changes.events().stream().map(FeedText::change).collect(Collectors.joining());
        }
        if (frame instanceof RowFrame.Heartbeat heartbeat) {
            return heartbeat(heartbeat);
        }
        if (frame instanceof RowFrame.Figures figures) {
            return "event: figures\ndata: " + figures.json() + "\n\n";
        }
        return resync(((RowFrame.Resync) frame).reason());
    }

    private static String change(VersionChange event) {
        return "id: " + event.version() + "\nevent: change\ndata: " + object(out -> writeChange(out, event)) + "\n\n";
    }

    private static void writeChange(JsonGenerator out, VersionChange event) throws IOException {
        out.writeNumberField("version", event.version());
        if (event.transaction().isPresent()) {
            Origin origin = event.transaction().get();
            out.writeStringField("transaction", origin.transaction().text());
            out.writeStringField("scheduler", origin.scheduler());
        }
        writeRows(out, event.rows());
    }

    /**
     * A chunk of a snapshot. Only the last one has an id: a reader that loses the connection earlier has nothing to resume
     * from.
     */
    private static String snapshot(RowFrame.Snapshot piece) {
        String id = piece.last() ? "id: " + piece.version() + "\n" : "";
        return id + "event: snapshot\ndata: " + object(out -> writeSnapshot(out, piece)) + "\n\n";
    }

    private static void writeSnapshot(JsonGenerator out, RowFrame.Snapshot piece) throws IOException {
        out.writeNumberField("version", piece.version());
        out.writeStringField("incarnation", piece.incarnation().toString());
        out.writeBooleanField("last", piece.last());
        writeRows(out, piece.rows());
    }

    private static String resync(String reason) {
        return "event: resync\ndata: " + object(out -> out.writeStringField("reason", reason)) + "\n\n";
    }

    /**
     * The id is the version up to which everything was sent, so that a reader whose filter shows nothing also advances.
     */
    private static String heartbeat(RowFrame.Heartbeat beat) {
        return "id: " + beat.version() + "\nevent: heartbeat\ndata: " + object(out -> writeHeartbeat(out, beat))
                + "\n\n";
    }

    private static void writeHeartbeat(JsonGenerator out, RowFrame.Heartbeat beat) throws IOException {
        out.writeNumberField("version", beat.version());
        out.writeStringField("incarnation", beat.incarnation().toString());
    }

    private static void writeRows(JsonGenerator out, List<ChangedRow> rows) throws IOException {
        out.writeArrayFieldStart("changes");
        for (ChangedRow row : rows) {
            out.writeStartObject();
            out.writeStringField("kind", row.kind().name());
            out.writeStringField("name", row.name());
            if (row.row().isPresent()) {
                out.writeFieldName("row");
                out.writeRawValue(row.row().get().json());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static String object(Fields fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            fields.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return text.toString();
    }
}
