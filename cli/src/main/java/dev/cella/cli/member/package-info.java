/**
 * {@code cella cell}: the replicas of a cell, and commands for their data. Start reading at {@code CellCommand}.
 *
 * <p>It may use {@code dev.cella.cli.cell}, {@code dev.cella.cli.terminal}, {@code dev.cella.client} and {@code dev.cella.state}.
 */
@NullMarked
package dev.cella.cli.member;

import org.jspecify.annotations.NullMarked;
