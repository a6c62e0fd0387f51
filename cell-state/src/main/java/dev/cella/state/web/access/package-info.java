/**
 * Access control: {@link dev.cella.state.web.access.Caller} is an admitted caller, and {@link
 * dev.cella.state.web.access.Permissions} lists what each call needs.
 *
 * <p>It may use {@code web.http}, the replica and the wire contract.
 */
@NullMarked
package dev.cella.state.web.access;

import org.jspecify.annotations.NullMarked;
