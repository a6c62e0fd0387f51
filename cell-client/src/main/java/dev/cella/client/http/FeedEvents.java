package dev.cella.client.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The feed of a cell over HTTP: server-sent events, read one after another by one thread. Closing it ends the stream;
 * after a break, ask again from the last id seen.
 */
public final class FeedEvents implements AutoCloseable {
    private final BufferedReader lines;

    FeedEvents(InputStream stream) {
        this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** Waits for the next event; empty when the cell has ended the stream. */
    public Optional<FeedEvent> next() {
        FeedEvent.Builder event = new FeedEvent.Builder();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty()) {
                    event.add(line);
                } else if (event.isStarted()) {
                    return Optional.of(event.build());
                }
            }
            return Optional.empty();
        } catch (IOException broken) {
            throw new UncheckedIOException("reading the feed", broken);
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException broken) {
            throw new UncheckedIOException("closing the feed", broken);
        }
    }
}
