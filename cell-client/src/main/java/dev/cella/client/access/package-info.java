/**
 * Access to a cell: the token that identifies the caller, and the certificates of both sides. Start with {@link
 * dev.cella.client.access.CellAccess}.
 *
 * <p>It may use the JDK alone.
 */
@NullMarked
package dev.cella.client.access;

import org.jspecify.annotations.NullMarked;
