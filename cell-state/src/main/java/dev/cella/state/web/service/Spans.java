package dev.cella.state.web.service;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.cella.state.history.Span;
import java.time.DateTimeException;
import java.time.Instant;

/** Reads {@code from} and {@code to}, which are versions of the cell or times. */
final class Spans {
    private Spans() {}

    /** The stretch between the two; an empty text leaves its end open. */
    static Span of(String from, String to) {
        Bound begin = bound("from", from, Span.EVER.fromMillis(), Span.EVER.fromVersion());
        Bound end = bound("to", to, Span.EVER.toMillis(), Span.EVER.toVersion());
        if (begin.millis() > end.millis() || begin.version() > end.version()) {
            throw Requests.bad("to", "is before from");
        }
        return new Span(begin.millis(), end.millis(), begin.version(), end.version());
    }

    private record Bound(long millis, long version) {}

    private static Bound bound(String path, String text, long openMillis, long openVersion) {
        if (text.isEmpty()) {
            return new Bound(openMillis, openVersion);
        }
        return text.matches("\\d{1,16}")
                ? new Bound(openMillis, Long.parseLong(text))
                : new Bound(millis(path, text), openVersion);
    }

    private static long millis(String path, String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException notATime) {
            throw Requests.bad(path, "must be a version (812) or a time (2026-11-20T12:00:00Z), is " + text);
        }
    }

    /** The part of the stretch that lies in the past, with times at both ends. */
    static Span until(Span span, long keptMillis, long nowMillis) {
        return new Span(
                Math.max(span.fromMillis(), nowMillis - keptMillis),
                Math.min(span.toMillis(), nowMillis),
                span.fromVersion(),
                span.toVersion());
    }

    static Timestamp time(long millis) {
        return Timestamps.fromMillis(millis);
    }
}
