package dev.cella.cli.terminal;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration: {@code 250ms}, {@code 10s}, {@code 1h30m}, {@code 30d}. */
public final class DurationOption {
    /** Small units have more digits: a command that cella starts or prints writes a whole duration in one unit. */
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,8})m)?(?:(\\d{1,9})s)?(?:(\\d{1,12})ms)?");

    private DurationOption() {}

    public static Duration parse(String typed) {
        Matcher parts = FORM.matcher(typed);
        if (typed.isEmpty() || !parts.matches()) {
            throw new TypeConversionException("'" + typed + "' is no duration such as 250ms, 10s or 1h30m");
        }
        return Duration.ofDays(amount(parts, 1))
                .plusHours(amount(parts, 2))
                .plusMinutes(amount(parts, 3))
                .plusSeconds(amount(parts, 4))
                .plusMillis(amount(parts, 5));
    }

    private static long amount(Matcher parts, int unit) {
        return parts.group(unit) == null ? 0 : Long.parseLong(parts.group(unit));
    }
}
