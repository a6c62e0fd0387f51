/**
 * The client side of a cell. The wire contract is {@code src/main/proto}: start reading there.
 *
 * <p>It may use {@code transactions}.
 */
@NullMarked
package dev.cella.client;

import org.jspecify.annotations.NullMarked;
