/**
 * The durable store on RocksDB, and the only package that sees its types.
 *
 * <p>It may use {@code core}.
 */
@NullMarked
package dev.cella.state.rocksdb;

import org.jspecify.annotations.NullMarked;
