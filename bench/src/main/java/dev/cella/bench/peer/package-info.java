/**
 * The same placements as transactions of other stores: three servers of each on this machine, if installed, with their default
 * durability. Start reading at {@link dev.cella.bench.peer.PeerBench}.
 */
@NullMarked
package dev.cella.bench.peer;

import org.jspecify.annotations.NullMarked;
