package dev.cella.scheduling;

/**
 * Asks that a job becomes again what it was in an earlier generation. The cell refuses it if somebody has
 * updated the job meanwhile.
 *
 * @param from the generation whose update has failed
 * @param to the generation to go back to
 */
public record Revert(JobKey job, int from, int to) {
    public Revert {
        if (to < 1 || to >= from) {
            throw new IllegalArgumentException("a job goes back from generation " + from + ", not to " + to);
        }
    }
}
