/**
 * Six schedulers that prove the seam: each needs something that a greedy job-at-a-time planner does not, and each is
 * written against the public interface alone. They pass the conformance kit and run in the seeded worlds.
 */
@NullMarked
package dev.cella.chaos.schedulers;

import org.jspecify.annotations.NullMarked;
