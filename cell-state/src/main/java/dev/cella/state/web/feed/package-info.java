/**
 * The feed by rows: over HTTP as server-sent events, and over gRPC for clients that watch a part of the cell. A reader comes
 * in through {@link dev.cella.state.web.feed.FeedRoute} or {@link dev.cella.state.web.feed.WatchedRows}. {@link
 * dev.cella.state.web.feed.RowReader} is its place, and {@link dev.cella.state.web.feed.FeedProjection} makes what it reads.
 *
 * <p>It may use {@code core}, {@code web.rows}, and {@code web.http} for requests of streams.
 */
@NullMarked
package dev.cella.state.web.feed;

import org.jspecify.annotations.NullMarked;
