/**
 * The history of a run, as its clients, replicas and agents saw it, and the committed log replayed. It knows no faults and no
 * world: the checkers read the history of any world.
 */
@NullMarked
package dev.cella.chaos.history;

import org.jspecify.annotations.NullMarked;
