package dev.cella.cli.job;

import java.time.Duration;
import java.time.Instant;

/**
 * How long to wait for a job that makes no progress.
 *
 * <p>A batch job makes progress while one of its tasks is on a machine, and when it looks different. A service makes progress
 * only when more of its tasks run than ever before, or have passed their check: a task that crashes and is started again looks different each time, and
 * may do so forever.
 */
final class JobPatience {
    private final Duration max;
    private Instant progressed;
    private String seen = "";
    private long servingMax = -1;

    JobPatience(Duration max, Instant start) {
        this.max = max;
        this.progressed = start;
    }

    /** Records an answer. */
    void saw(JobProgress progress, Instant now) {
        if (hasProgressed(progress)) {
            progressed = now;
        }
        seen = progress.describe();
        servingMax = Math.max(servingMax, serving(progress));
    }

    private boolean hasProgressed(JobProgress progress) {
        return progress.isService()
                ? serving(progress) > servingMax
                : !progress.isUnplaced() || !progress.describe().equals(seen);
    }

    private static long serving(JobProgress progress) {
        return progress.serving() + progress.checked();
    }

    boolean isOver(Instant now) {
        return !now.isBefore(progressed.plus(max));
    }

    /** Negative when it is over. */
    Duration left(Instant now) {
        return Duration.between(now, progressed.plus(max));
    }
}
