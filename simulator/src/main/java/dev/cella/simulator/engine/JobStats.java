package dev.cella.simulator.engine;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the jobs of a run met, over all schedulers.
 *
 * @param ended how many have ended
 * @param waits from submission until the last task of a job began to run
 * @param delay from submission until the end of a job, without its longest task
 * @param fairness Jain's index of the slowdowns of jobs (time in the system by the longest task): 1 if all are slowed down
 *     alike, 1/n if one of n bears all
 */
public record JobStats(long ended, Optional<Quantiles> waits, Optional<Quantiles> delay, OptionalDouble fairness) {}
