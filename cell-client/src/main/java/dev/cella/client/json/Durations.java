package dev.cella.client.json;

import com.google.protobuf.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 10s}, {@code 1h30m}; the largest unit first. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile(
            "(?:([0-9]{1,9})h)?(?:([0-9]{1,12})m)?(?:([0-9]{1,12})s)?(?:([0-9]{1,12})ms)?(?:([0-9]{1,12})us)?(?:([0-9]{1,12})ns)?");

    private static final String[] UNITS = {"h", "m", "s", "ms", "us", "ns"};
    private static final long[] UNIT_SECONDS = {3600, 60, 1, 0, 0, 0};
    private static final long[] UNIT_NANOS = {0, 0, 0, 1_000_000, 1_000, 1};
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** 292 years: the parts of a cell count nanoseconds. A Duration message may be longer. */
    private static final long SECONDS_MAX = Long.MAX_VALUE / NANOS_PER_SECOND - 1;

    private Durations() {}

    static Duration read(Scalar scalar) throws Misfit {
        Matcher parts = FORM.matcher(scalar.text());
        if (scalar.text().isEmpty() || !parts.matches()) {
            throw new Misfit("must be a duration such as 250ms, 10s or 1h30m, is " + scalar.shown());
        }
        long seconds = 0;
        long nanos = 0;
        for (int unit = 0; unit < UNITS.length; unit++) {
            long amount = parts.group(unit + 1) == null ? 0 : Long.parseLong(parts.group(unit + 1));
            seconds += amount * UNIT_SECONDS[unit];
            nanos += amount * UNIT_NANOS[unit];
        }
        seconds += nanos / NANOS_PER_SECOND;
        if (seconds > SECONDS_MAX) {
            throw new Misfit("must be at most 292 years, is " + scalar.shown());
        }
        return Duration.newBuilder()
                .setSeconds(seconds)
                .setNanos((int) (nanos % NANOS_PER_SECOND))
                .build();
    }

    /** The shortest way to write a duration that is read back as the same one. */
    public static String write(Duration duration) {
        long seconds = duration.getSeconds();
        long nanos = duration.getNanos();
        long[] amounts = {
            seconds / 3600, seconds / 60 % 60, seconds % 60, nanos / 1_000_000, nanos / 1_000 % 1_000, nanos % 1_000
        };
        StringBuilder text = new StringBuilder();
        for (int unit = 0; unit < UNITS.length; unit++) {
            if (amounts[unit] != 0) {
                text.append(amounts[unit]).append(UNITS[unit]);
            }
        }
        return text.length() == 0 ? "0s" : text.toString();
    }
}
