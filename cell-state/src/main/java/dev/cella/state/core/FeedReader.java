package dev.cella.state.core;

import java.util.concurrent.CompletableFuture;

/**
 * One reader's place in the feed. The reader pulls: it asks for the next frame when it has dealt with the one before, so
 * a slow reader holds up nobody and, once the feed has gone on without it, is told to resync.
 *
 * <p>Used by one caller at a time. A frame's future is completed on the replica's answering threads.
 */
public interface FeedReader extends AutoCloseable {
    /** The next frame; within five seconds at the latest, if only a heartbeat. Asked for again only after it came. */
    CompletableFuture<FeedFrame> next();

    /** Leaves the feed; a frame still asked for never comes. */
    @Override
    void close();
}
