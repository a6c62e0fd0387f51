/**
 * Who asks, and what they may do: {@link dev.cella.state.web.access.Caller} is one who was let in, {@link
 * dev.cella.state.web.access.Permissions} says what each call takes.
 *
 * <p>May use {@code web.http}, the replica and the wire contract.
 */
@NullMarked
package dev.cella.state.web.access;

import org.jspecify.annotations.NullMarked;
