package dev.cella.cli.part;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Logs the TLS handshakes that fail at this process's doors: one line a minute for each peer host and cause, with a count. The
 * library logs each of them, and one scheduler with a wrong certificate makes nine a second. Its lines are dropped.
 *
 * <p>Guarded by its own monitor.
 */
final class FailedHandshakes extends TurboFilter {
    /** What the library logs, with the connection and the cause. */
    private static final String LINE_OF_THE_LIBRARY = "{} TLS handshake failed: {}";

    /** The peer's host in the text of a connection: {@code [id: 0x1, L:/127.0.0.1:7070 - R:/127.0.0.1:4444]}. */
    private static final Pattern PEER = Pattern.compile("R:[^/\\]]*/(\\[[^\\]]+]|[^\\]\\s:]+):\\d+");

    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    /** More kinds than an operator reads of. The one that has not come for longest is forgotten first. */
    private static final int KINDS_MAX = 256;

    private final LongSupplier nanoTime;

    private final Map<Kind, Count> counts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Count> eldest) {
            return size() > KINDS_MAX;
        }
    };

    private record Kind(String peer, String cause) {}

    /**
     * @param failed how many have failed after those of the last line
     */
    private record Count(long loggedNanos, long failed) {}

    FailedHandshakes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        if (!LINE_OF_THE_LIBRARY.equals(format) || arguments == null || arguments.length < 2) {
            return FilterReply.NEUTRAL;
        }
        Kind kind = new Kind(peer(String.valueOf(arguments[0])), String.valueOf(arguments[1]));
        count(kind)
                .ifPresent(line -> logger.getLoggerContext()
                        .getLogger(FailedHandshakes.class)
                        .warn(line));
        return FilterReply.DENY;
    }

    private static String peer(String connection) {
        Matcher peer = PEER.matcher(connection);
        return peer.find() ? peer.group(1) : "unknown";
    }

    /** The line to log, if one is due. */
    private synchronized Optional<String> count(Kind kind) {
        long now = nanoTime.getAsLong();
        Count before = counts.get(kind);
        if (before != null && now - before.loggedNanos < PERIOD_NANOS) {
            counts.put(kind, new Count(before.loggedNanos, before.failed + 1));
            return Optional.empty();
        }
        counts.put(kind, new Count(now, 0));
        String what = before == null || before.failed == 0
                ? "a TLS handshake failed"
                : before.failed + 1 + " TLS handshakes failed since the last such line";
        return Optional.of("peer=" + kind.peer + ": " + what + ": " + kind.cause);
    }
}
