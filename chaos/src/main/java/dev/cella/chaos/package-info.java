/**
 * Torments whole cells, and checks what they say they did: faults, workloads and history checkers, separate from each
 * other. So far its tests hold the architecture and the documents to what is there, and kill each part of a whole cell.
 *
 * <p>May use every module that ships. Nothing in them knows it.
 */
@NullMarked
package dev.cella.chaos;

import org.jspecify.annotations.NullMarked;
