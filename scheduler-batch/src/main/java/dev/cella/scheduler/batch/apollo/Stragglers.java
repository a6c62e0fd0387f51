package dev.cella.scheduler.batch.apollo;

/**
 * Finds running tasks that are better run a second time (3.4, "Straggler Detection").
 *
 * @param significant a copy must take less than this fraction of what is left of the task
 */
public record Stragglers(double significant) {
    public Stragglers {
        if (!(significant > 0 && significant <= 1)) {
            throw new IllegalArgumentException("a fraction is above 0 and at most 1, not " + significant);
        }
    }

    /**
     * Returns whether a copy is expected to be done much earlier.
     *
     * @param progress the processed fraction of the task's input
     * @param rerunSeconds what tasks of the same stage take, with the copy's wait
     */
    public boolean needsCopy(double elapsedSeconds, double progress, double rerunSeconds) {
        if (!(progress >= 0 && progress <= 1)) {
            throw new IllegalArgumentException("progress is from 0 to 1, not " + progress);
        }
        double left = progress == 0 ? Double.POSITIVE_INFINITY : elapsedSeconds * (1 - progress) / progress;
        return elapsedSeconds > rerunSeconds && rerunSeconds < significant * left;
    }
}
