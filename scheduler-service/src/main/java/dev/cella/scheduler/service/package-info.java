/**
 * Schedulers for work that stays: spread, constraints, reconciling, updates, preemption. Nothing is built yet.
 *
 * <p>May use {@code scheduling} without its {@code live}, and {@code transactions}; neither clock, threads nor I/O.
 */
@NullMarked
package dev.cella.scheduler.service;

import org.jspecify.annotations.NullMarked;
