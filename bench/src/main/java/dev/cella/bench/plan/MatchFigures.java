package dev.cella.bench.plan;

/**
 * How long turns of type {@code apollo} took that matched tasks to machines' queues, in seconds of CPU time.
 *
 * @param matched how many different machines the tasks of the last turn got
 */
public record MatchFigures(int machines, int tasks, int matched, double medianSeconds, double maxSeconds) {}
