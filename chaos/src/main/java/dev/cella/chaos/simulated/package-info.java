/**
 * A whole cell in one thread and in virtual time: replicas under a simulated log, schedulers on private replicas, agents
 * with the production reconciler, submitters, and everything that can go wrong between them. One heap of events and one
 * seed decide the whole run, so a run can be repeated bit for bit.
 *
 * <p>Start reading at {@link dev.cella.chaos.simulated.SimulatedCell}.
 *
 * <ul>
 *   <li>Time and messages: {@link dev.cella.chaos.simulated.DueEvents}, {@link dev.cella.chaos.simulated.SimulatedProcess},
 *       {@link dev.cella.chaos.simulated.SimulatedNetwork}.
 *   <li>The replicated store: {@link dev.cella.chaos.simulated.SimulatedLog} (elections, replication, commit),
 *       {@link dev.cella.chaos.simulated.SimulatedDisk}, {@link dev.cella.chaos.simulated.SimulatedStore},
 *       {@link dev.cella.chaos.simulated.SimulatedReplica}.
 *   <li>Its clients: {@link dev.cella.chaos.simulated.CellCalls}, {@link dev.cella.chaos.simulated.FollowedFeed},
 *       {@link dev.cella.chaos.simulated.SimulatedScheduler}, {@link dev.cella.chaos.simulated.SimulatedAgent},
 *       {@link dev.cella.chaos.simulated.Submitter}.
 *   <li>Faults: {@link dev.cella.chaos.simulated.Injector}.
 * </ul>
 */
@NullMarked
package dev.cella.chaos.simulated;

import org.jspecify.annotations.NullMarked;
