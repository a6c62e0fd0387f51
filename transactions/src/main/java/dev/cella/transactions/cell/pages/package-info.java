/**
 * Rows in pages that a table shares with its copies, values that many rows share, and the digest of a table.
 *
 * <p>Start reading at {@code WordPages}. The room knows nothing of machines, jobs or tasks, and uses no other package.
 */
@NullMarked
package dev.cella.transactions.cell.pages;

import org.jspecify.annotations.NullMarked;
