/**
 * What happened in a run, as its clients, replicas and agents saw it, and the committed log replayed. It knows no faults
 * and no world: the checkers read it, whichever world wrote it.
 */
@NullMarked
package dev.cella.chaos.history;

import org.jspecify.annotations.NullMarked;
