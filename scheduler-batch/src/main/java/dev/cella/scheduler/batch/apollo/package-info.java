/**
 * The policy of Apollo (Boutin et al., OSDI 2014): tasks wait in the queues of machines, and a scheduler sends each task to the
 * machine on which it is expected to complete first. Pure classes, used by the simulated scheduler.
 *
 * <p>Start reading at {@link dev.cella.scheduler.batch.apollo.StableMatching}. Its input comes from the wait-time
 * matrices of the machines ({@code dev.cella.transactions.waits}), {@code MatrixConfidence}, {@code ReadSpeeds}, {@code
 * CompletionEstimate} and {@code CandidateMachines}. {@code DeferredCorrection} and {@code Stragglers} say when to send a copy
 * elsewhere, {@code SpareAllowance} and {@code SpareDraw} which opportunistic work runs.
 */
@NullMarked
package dev.cella.scheduler.batch.apollo;

import org.jspecify.annotations.NullMarked;
