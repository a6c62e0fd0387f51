/**
 * {@code cella federation}: the cells that schedulers plan on together. Start reading at {@code FederationStatusCommand}.
 *
 * <p>It may use {@code dev.cella.cli.cell}, {@code dev.cella.cli.terminal} and {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.federation;

import org.jspecify.annotations.NullMarked;
