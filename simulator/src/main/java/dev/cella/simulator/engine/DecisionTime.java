package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a scheduler thinks about a job: so much for the job, and so much for each of its tasks (3.2). */
public record DecisionTime(long perJobNanos, long perTaskNanos) {
    private static final String DURATION = "(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)";
    private static final Pattern FORM =
            Pattern.compile("\\s*" + DURATION + "(?:\\s*\\+\\s*" + DURATION + "\\s*\\*\\s*tasks)?\\s*");

    public DecisionTime {
        if (perJobNanos < 0 || perTaskNanos < 0) {
            throw new IllegalArgumentException("a decision takes no negative time");
        }
    }

    public static DecisionTime ofSeconds(double perJob, double perTask) {
        return new DecisionTime(VirtualTime.nanos(perJob), VirtualTime.nanos(perTask));
    }

    /** Reads {@code 0.1s+5ms*tasks}, or {@code 0.1s} where tasks cost nothing. */
    public static DecisionTime parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new ImpossibleParameterException(
                    "\"" + text + "\" is no decision time", "write it like 0.1s+5ms*tasks, with ns, us, ms, s, m or h");
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
        return VirtualTime.nanos(Double.parseDouble(number) * seconds);
    }

    public long nanos(int tasks) {
        return perJobNanos + perTaskNanos * tasks;
    }

    /** Whether deciding takes no time at all. */
    public boolean isZero() {
        return perJobNanos == 0 && perTaskNanos == 0;
    }

    public DecisionTime withPerJobSeconds(double seconds) {
        return new DecisionTime(VirtualTime.nanos(seconds), perTaskNanos);
    }

    @Override
    public String toString() {
        return duration(perJobNanos) + "+" + duration(perTaskNanos) + "*tasks";
    }

    private static String duration(long nanos) {
        if (nanos % VirtualTime.NANOS_PER_SECOND == 0) {
            return nanos / VirtualTime.NANOS_PER_SECOND + "s";
        }
        if (nanos % VirtualTime.NANOS_PER_MILLI == 0) {
            return nanos / VirtualTime.NANOS_PER_MILLI + "ms";
        }
        return nanos + "ns";
    }
}
