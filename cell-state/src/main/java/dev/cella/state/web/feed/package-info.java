/**
 * The feed by rows: over HTTP as server-sent events, and over gRPC for those who watch a part of the cell. {@link
 * dev.cella.state.web.feed.FeedRoute} and {@link dev.cella.state.web.feed.WatchedRows} are where a reader comes in, {@link
 * dev.cella.state.web.feed.RowReader} its place, {@link dev.cella.state.web.feed.FeedProjection} where what it reads is made.
 *
 * <p>May use {@code core}, {@code web.rows}, and {@code web.http} for how a stream is asked for.
 */
@NullMarked
package dev.cella.state.web.feed;

import org.jspecify.annotations.NullMarked;
