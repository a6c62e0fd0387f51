package dev.cella.state.core;

import java.util.concurrent.CompletableFuture;

/**
 * One reader's place in the feed. The reader pulls: it asks for the next frame when it has processed the previous one. So a
 * slow reader holds up nobody. If the feed drops what the reader lacks, the reader is told to resync.
 *
 * <p>Used by one caller at a time. The replica's answering threads complete the future of a frame.
 */
public interface FeedReader extends AutoCloseable {
    /**
     * The next frame. It comes within five seconds; if nothing changed, it is a heartbeat. Ask again only after it came.
     */
    CompletableFuture<FeedFrame> next();

    /** Leaves the feed. The future of a requested frame never completes. */
    @Override
    void close();
}
