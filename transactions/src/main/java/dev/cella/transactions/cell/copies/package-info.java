/**
 * The whole cell at one version, readable by any thread, and its bytes.
 *
 * <p>Start reading at {@link dev.cella.transactions.cell.copies.CellCopy}. {@code SnapshotWriter} makes a copy's bytes; {@code
 * SnapshotReader} fills empty tables from them and checks the digests. The room may use {@code tables} and {@code pages}.
 */
@NullMarked
package dev.cella.transactions.cell.copies;

import org.jspecify.annotations.NullMarked;
