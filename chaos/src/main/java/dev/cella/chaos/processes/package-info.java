/**
 * The processes world: a cell of real servers, schedulers and agents, each a process, and the faults that signals, networks and
 * disks allow. {@code cella chaos inject} uses the same signals on a cell that somebody else started.
 *
 * <p>Start reading at {@link dev.cella.chaos.processes.ProcessesWorld}: it starts a {@code ProcessCell}, lets {@code
 * ProcessUsers} submit jobs and {@code ProcessFaults} break parts, and reads the evidence from the disks at the end.
 *
 * <p>It may use the scenario, the history and the client of a cell, and the log's reader of {@code cell-state}.
 *
 * <h2>A run</h2>
 *
 * <pre>
 * ProcessesWorld           one run: starts the cell, lets users and faults at it, reads the evidence
 * RunFolder                the folder of a run's files, removed after it
 * RunClock                 the time of a run
 * ProcessCell              the servers, schedulers and agents of a run
 * CouldNotRunException     this machine does not let the run be made
 * Part                     one of them
 * Reviver                  lets a paused part continue when this process has ended
 * ProcessUsers             submit jobs and stop them
 * ProcessOperator          removes and takes members
 * ClientCalls              the calls of one client, one after another
 * CellSampler              asks who leads and what waits
 * FeedWatchers             read the feed of each server
 * Patience                 how long a healed cell may take for what is left
 * </pre>
 *
 * <h2>Its evidence</h2>
 *
 * <pre>
 * RunEvidence              joins what everybody wrote into one history
 * ReplicaLog               the log of a replica, from its disk
 * AgentJournal             the attempts in the journal of an agent
 * </pre>
 *
 * <h2>Its faults</h2>
 *
 * <pre>
 * ProcessFaults            what each of them does, and to which parts
 * FaultSchedule            begins, keeps up and ends them
 * ProcessFault             one fault: how it begins, lasts and heals, and why it was VOID
 * Holds                    which faults are in force on a thing
 * SignalFaults             kills, pauses and squeezes
 * Breakable                a process that they are on
 * DiskFaults               faults of disks
 * NetworkFaults            faults of connections and hosts
 * MemberFaults             a replica is away and comes back empty
 * HostileClients           clients that misuse the cell
 * ProcessIntruder          a client that plans badly, hoards and evicts
 * ProcessLiar              an agent that reports ends that did not happen
 * Strangers                clients without a right to what they ask
 * </pre>
 *
 * <h2>Gear of faults</h2>
 *
 * <pre>
 * Abilities                what this machine can do
 * Enclosure                namespaces for one run
 * ProcessGear              disks and libraries that servers need before they start
 * ReplicaDisk              a disk of its own for one replica
 * FileDisk                 a disk in a file, whose power can be cut
 * MemoryDisk               a disk in memory, whose size changes
 * FaultLibrary             breaks the disk and the clock of a process that loads it
 * FaultSwitches            the switches of that library
 * HostNetwork              hosts on a switch, which can be cut off
 * Signals                  stop, continue, kill
 * Tool                     runs a program of the machine
 * </pre>
 *
 * <h2>Faults of a running cell</h2>
 *
 * <pre>
 * LiveFaults               the faults that it can be given
 * LiveTarget               a process that allows them
 * LiveTargets              the files that say which do
 * LiveProcess              that process, for a fault
 * FaultGuard               executes one fault while its lease is renewed
 * AbortCondition           when a fault ends at once
 * ProcessImage             how a process was started
 * </pre>
 */
@NullMarked
package dev.cella.chaos.processes;

import org.jspecify.annotations.NullMarked;
