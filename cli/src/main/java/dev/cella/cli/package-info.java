/**
 * The command {@code cella}: reads what the user typed, wires the parts, prints the answer. Start reading at {@code
 * Main}.
 *
 * <p>It may use every module that ships, and holds no logic of its own. Only here is anything printed.
 */
@NullMarked
package dev.cella.cli;

import org.jspecify.annotations.NullMarked;
