package dev.cella.agent;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that an agent has opened. They close in the opposite order, and a part that fails to close does not keep the others
 * open. Not for use by several threads.
 */
final class OpenedParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedParts.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Remembers the part, and returns it. */
    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** The parts of that type, the newest first. */
    <T> Stream<T> of(Class<T> type) {
        return parts.stream().filter(type::isInstance).map(type::cast);
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            close(parts.pop());
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception failure) {
            LOG.warn("agent event=not-closed part={}", part, failure);
        }
    }
}
