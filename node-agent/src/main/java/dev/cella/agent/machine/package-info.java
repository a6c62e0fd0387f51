/**
 * The machine and the part of it that is offered to the cell. Start reading at {@link
 * dev.cella.agent.machine.MachineCapacity}.
 */
@NullMarked
package dev.cella.agent.machine;

import org.jspecify.annotations.NullMarked;
