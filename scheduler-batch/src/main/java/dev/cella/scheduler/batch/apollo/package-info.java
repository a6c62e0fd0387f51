/**
 * Apollo (Boutin et al., OSDI 2014): tasks wait in the queues of machines, and a scheduler sends each task to the machine on
 * which it is expected to complete first.
 *
 * <p>The policy is in pure classes, which the live and the simulated scheduler share. Start reading at {@link
 * dev.cella.scheduler.batch.apollo.StableMatching}. Its input comes from the wait-time matrices of the machines ({@code
 * dev.cella.transactions.waits}), {@code MatrixConfidence}, {@code ReadSpeeds}, {@code CompletionEstimate} and {@code
 * CandidateMachines}. {@code DeferredCorrection} and {@code Stragglers} say when to send a copy elsewhere, {@code
 * SpareAllowance} and {@code SpareDraw} which opportunistic work runs.
 *
 * <p>The live scheduler is {@code ApolloScheduler}. {@code GroupSending} plans a group's tasks, {@code CorrectionRound} looks at
 * what waits, both by {@code MachineForecasts}.
 */
@NullMarked
package dev.cella.scheduler.batch.apollo;

import org.jspecify.annotations.NullMarked;
