package dev.cella.bench.plan;

/**
 * The cost of planning on a cell with this number of machines: placements per second of one thread's CPU time, the
 * best of the rounds.
 *
 * @param room of a job that asks for room alone
 * @param constrained of one with three constraints and a spread
 * @param relabelled the same while a machine is relabelled every 1,000 attempts
 * @param bare of first fit on bare arrays, which is the bound
 */
public record PlanFigures(int machines, double room, double constrained, double relabelled, double bare) {
    private static final double MICROS_PER_SECOND = 1e6;

    /** Microseconds of CPU that a placement takes with constraints and a spread. */
    public double constrainedMicros() {
        return MICROS_PER_SECOND / constrained;
    }
}
