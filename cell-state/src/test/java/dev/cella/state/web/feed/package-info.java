/** Tests of the feed by rows. */
@NullMarked
package dev.cella.state.web.feed;

import org.jspecify.annotations.NullMarked;
