package dev.cella.scheduling.loop;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a scheduler thinks about a job: a time for the job, and a time for each of its tasks (dissertation 3.2). The driver
 * of a loop may add it to the planner's real time, so that schedulers collide like slower ones.
 */
public record DecisionTime(long perJobNanos, long perTaskNanos) {
    /** No added time. */
    public static final DecisionTime NONE = new DecisionTime(0, 0);

    private static final String DURATION = "(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)";
    private static final Pattern FORM =
            Pattern.compile("\\s*" + DURATION + "(?:\\s*\\+\\s*" + DURATION + "\\s*\\*\\s*tasks)?\\s*");
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    public DecisionTime {
        if (perJobNanos < 0 || perTaskNanos < 0) {
            throw new IllegalArgumentException("a decision takes no negative time");
        }
    }

    public static DecisionTime ofSeconds(double perJob, double perTask) {
        return new DecisionTime(nanos(perJob), nanos(perTask));
    }

    /** Parses {@code 0.1s+5ms*tasks}, or {@code 0.1s} if tasks add nothing. */
    public static DecisionTime parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no decision time such as 0.1s+5ms*tasks, with ns, us, ms, s, m or h");
        }
        return new DecisionTime(
                nanos(form.group(1), form.group(2)), form.group(3) == null ? 0 : nanos(form.group(3), form.group(4)));
    }

    private static long nanos(String number, String unit) {
        double seconds = switch (unit) {
            case "ns" -> 1e-9;
            case "us" -> 1e-6;
            case "ms" -> 1e-3;
            case "m" -> 60;
            case "h" -> 3600;
            default -> 1;
        };
        return nanos(Double.parseDouble(number) * seconds);
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * NANOS_PER_SECOND);
    }

    public long nanos(int tasks) {
        return perJobNanos + perTaskNanos * tasks;
    }

    /** Returns whether no time is added. */
    public boolean isZero() {
        return perJobNanos == 0 && perTaskNanos == 0;
    }

    @Override
    public String toString() {
        return duration(perJobNanos) + "+" + duration(perTaskNanos) + "*tasks";
    }

    private static String duration(long nanos) {
        if (nanos % NANOS_PER_SECOND == 0) {
            return nanos / NANOS_PER_SECOND + "s";
        }
        if (nanos % NANOS_PER_MILLI == 0) {
            return nanos / NANOS_PER_MILLI + "ms";
        }
        return nanos + "ns";
    }
}
