package dev.cella.client.job;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Update;

/**
 * How long a task must run to count as healthy: {@code update.healthyAfter}. A task whose agent reports that its check has
 * passed must go on for that long only if the update says it ({@link #afterCheck}). Where no agent reports it, a task with a
 * check must run at least as long as the check may take to end a task that never passes it: the agent reports such an end.
 *
 * <p>A check makes it at most half of the update's deadline, which counts the time until the task runs, too.
 */
public final class HealthyTime {
    static final Duration DEFAULT = Durations.fromSeconds(10);
    static final Duration DEADLINE_DEFAULT = Durations.fromMinutes(10);

    /** From the end of a task at its agent until the cell knows it. */
    private static final long REPORT_MILLIS = 1_000;

    private HealthyTime() {}

    /** The time for a group that is complete, as the cell has it. */
    public static java.time.Duration of(Group group) {
        Update update = group.getUpdate();
        long said = Durations.toMillis(update.hasHealthyAfter() ? update.getHealthyAfter() : DEFAULT);
        long most = Durations.toMillis(update.hasDeadline() ? update.getDeadline() : DEADLINE_DEFAULT) / 2;
        long checked = group.hasCheck() ? checkedMillis(group.getCheck(), most) : 0;
        return java.time.Duration.ofMillis(Math.max(said, checked));
    }

    /** The time for a task of the group from the report that its check has passed. */
    public static java.time.Duration afterCheck(Group group) {
        return java.time.Duration.ofMillis(Durations.toMillis(group.getUpdate().getHealthyAfter()));
    }

    /** At most that much: neither the time between checks nor the number of failures has a bound. */
    private static long checkedMillis(Check check, long most) {
        long once = Durations.toMillis(check.getEvery()) + Durations.toMillis(check.getTimeout());
        double all = REPORT_MILLIS + (double) check.getFailuresMax() * once;
        return all < most ? (long) all : most;
    }
}
