/**
 * The same placements as transactions of stores that others use: three servers of each on this machine, where they are installed, with
 * what they do for durability by default. Start reading at {@link dev.cella.bench.peer.PeerBench}.
 */
@NullMarked
package dev.cella.bench.peer;

import org.jspecify.annotations.NullMarked;
