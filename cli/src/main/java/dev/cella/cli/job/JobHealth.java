package dev.cella.cli.job;

import dev.cella.client.job.HealthyTime;
import java.time.Duration;
import java.time.Instant;

/**
 * How long a service of which all tasks run must go on so until it is healthy. In an update, and for a task with a check, that
 * is its {@link HealthyTime}, as for its scheduler: until then the update may fail. Any other service is healthy at once.
 *
 * <p>A task that is started again makes one more attempt of the job, so the time begins again. It does not begin before the
 * checks that agents report have passed.
 */
final class JobHealth {
    private long attempts = -1;
    private Instant since = Instant.MIN;
    private boolean isUpdate;

    /** From now on all tasks must have run for their time, also those without a check. */
    void updated() {
        isUpdate = true;
    }

    /** Records an answer. */
    void saw(JobProgress progress, Instant now) {
        isUpdate |= progress.isUnderUpdate();
        if (!progress.isServing() || progress.awaitsChecks()) {
            attempts = -1;
        } else if (progress.job().getAttempts() != attempts) {
            attempts = progress.job().getAttempts();
            since = now;
        }
    }

    /** How long the job of the last answer must go on so; nothing if it is healthy, does not run as a whole, or awaits checks. */
    Duration left(JobProgress progress, Instant now) {
        Duration left = attempts < 0 ? Duration.ZERO : Duration.between(now, since.plus(healthyAfter(progress)));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Duration healthyAfter(JobProgress progress) {
        return progress.job().getSpecification().getGroupsList().stream()
                .filter(group -> isUpdate || group.hasCheck())
                .map(group -> progress.hasPassedChecks(group) ? HealthyTime.afterCheck(group) : HealthyTime.of(group))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
