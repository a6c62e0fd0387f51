/**
 * The cost of sharing a cell: rounds of the types {@code offers} and {@code fair}. Start reading at
 * {@link dev.cella.bench.share.SharingBench}.
 */
@NullMarked
package dev.cella.bench.share;

import org.jspecify.annotations.NullMarked;
