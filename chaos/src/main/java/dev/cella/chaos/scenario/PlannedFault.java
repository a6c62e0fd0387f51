package dev.cella.chaos.scenario;

/**
 * A fault of a scenario.
 *
 * @param on what it hits: {@code leader}, {@code follower}, {@code any}, {@code all}, or a name such as {@code r2}
 * @param fromMillis when it begins, from the beginning of the run
 * @param forMillis how long it lasts
 */
public record PlannedFault(FaultKind kind, String on, long fromMillis, long forMillis) {
    public PlannedFault {
        if (fromMillis < 0 || forMillis <= 0) {
            throw new IllegalArgumentException("a fault begins at 0 ms or later and lasts for more than 0 ms");
        }
    }

    public long untilMillis() {
        return fromMillis + forMillis;
    }
}
