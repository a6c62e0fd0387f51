package dev.cella.bench.cell;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of a load of jobs.
 *
 * @param placementsPerSecond claims accepted
 * @param transactionsPerSecond of all schedulers, the successful ones
 * @param claimsConflicted claims that lost to another scheduler
 * @param p50Millis from the submission of a job until all its tasks were placed
 * @param cpuMicrosByPart the processor time for each placement: of the leader, its followers, the schedulers, and of this
 *     process with the users
 * @param mibByPart the resident memory of the leader, and of the largest follower and scheduler, at the end
 * @param compilingFraction the part of the time of all processors that the JVMs' compilers took; small if the cell was warm
 * @param warmSeconds how long the load ran before it was measured
 */
public record PlaceResults(
        double placementsPerSecond,
        double transactionsPerSecond,
        long claimsConflicted,
        double p50Millis,
        double p99Millis,
        Map<String, Double> cpuMicrosByPart,
        Map<String, Double> mibByPart,
        double compilingFraction,
        double warmSeconds) {
    public PlaceResults {
        cpuMicrosByPart = Collections.unmodifiableMap(new LinkedHashMap<>(cpuMicrosByPart));
        mibByPart = Collections.unmodifiableMap(new LinkedHashMap<>(mibByPart));
    }

    /** The sum over all parts. */
    public double cpuMicros() {
        return cpuMicrosByPart.values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
