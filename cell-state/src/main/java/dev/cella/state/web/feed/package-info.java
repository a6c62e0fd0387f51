/**
 * The feed over HTTP, as server-sent events. {@link dev.cella.state.web.feed.FeedRoute} is where a reader comes in, {@link
 * dev.cella.state.web.feed.FeedProjection} where what it reads is made.
 *
 * <p>May use {@code core}, {@code web.rows}, and {@code web.http} for how a stream is asked for.
 */
@NullMarked
package dev.cella.state.web.feed;

import org.jspecify.annotations.NullMarked;
