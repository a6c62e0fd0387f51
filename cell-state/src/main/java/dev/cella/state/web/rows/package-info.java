/**
 * The rows of the cell as messages of the wire contract: the same for a single answer, a list and the feed.
 *
 * <p>It may use {@code transactions} and the generated messages.
 */
@NullMarked
package dev.cella.state.web.rows;

import org.jspecify.annotations.NullMarked;
