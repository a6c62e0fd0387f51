/**
 * Breaks a whole cell on purpose, and checks its promises: faults, workloads and history checkers, separate from each other.
 *
 * <p>Start reading at {@link dev.cella.chaos.ChaosRun}: a {@code scenario} goes in, the {@code simulated} world makes a {@code
 * history} of it, the checkers of {@code check} read it, and {@code report} prints it.
 *
 * <p>It may use every module but {@code cli} and {@code bench}. No main code of another module knows it.
 */
@NullMarked
package dev.cella.chaos;

import org.jspecify.annotations.NullMarked;
