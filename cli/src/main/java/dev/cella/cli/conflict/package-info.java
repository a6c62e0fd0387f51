/**
 * Conflicts between schedulers, and the activity of each scheduler. Start reading at {@code ConflictsCommand}.
 *
 * <p>It may use {@code dev.cella.cli.terminal}, {@code dev.cella.cli.cell} and {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.conflict;

import org.jspecify.annotations.NullMarked;
