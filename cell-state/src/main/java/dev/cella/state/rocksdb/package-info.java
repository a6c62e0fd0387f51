/**
 * The durable store on RocksDB, and the only package that sees its types.
 *
 * <p>May use {@code core}.
 */
@NullMarked
package dev.cella.state.rocksdb;

import org.jspecify.annotations.NullMarked;
