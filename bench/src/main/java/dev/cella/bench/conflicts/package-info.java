/**
 * Measures the conflicts of schedulers that plan in parallel: real ones, over a real server, on hollow machines. Start reading
 * at {@link dev.cella.bench.conflicts.ConflictsBench}.
 */
@NullMarked
package dev.cella.bench.conflicts;

import org.jspecify.annotations.NullMarked;
