/**
 * The processes world: a cell of real servers, schedulers and agents, each a process, and the faults that signals, networks and
 * disks allow. {@code cella chaos inject} uses the same signals on a cell that somebody else started.
 *
 * <p>Start reading at {@link dev.cella.chaos.processes.ProcessesWorld}: it starts a {@code ProcessCell}, lets {@code
 * ProcessUsers} submit jobs and {@code ProcessFaults} break parts, and reads the evidence from the disks at the end.
 *
 * <p>It may use the scenario, the history and the client of a cell, and the log's reader of {@code cell-state}.
 */
@NullMarked
package dev.cella.chaos.processes;

import org.jspecify.annotations.NullMarked;
