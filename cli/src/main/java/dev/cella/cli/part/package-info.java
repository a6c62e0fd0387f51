/**
 * The parts of a cell as separate processes: a server, a scheduler, an agent. Start reading at {@code ServerCommand}.
 *
 * <p>It may use {@code dev.cella.cli.terminal}, {@code dev.cella.cli.cell} and every module that a part is made of.
 */
@NullMarked
package dev.cella.cli.part;

import org.jspecify.annotations.NullMarked;
