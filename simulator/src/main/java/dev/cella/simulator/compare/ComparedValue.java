package dev.cella.simulator.compare;

import java.util.Locale;
import java.util.Optional;

/** A figure of one architecture: its mean over the seeds, and the least and the most of them. */
public record ComparedValue(double mean, double least, double most) {
    private static final double SMALL = 0.01;
    private static final double LARGE = 100;

    /** The mean, with the spread if the seeds differ. */
    public String text() {
        return number(mean) + spread().map(said -> " (" + said + ")").orElse("");
    }

    /** From the least to the most, if the seeds differ. */
    Optional<String> spread() {
        return number(least).equals(number(most)) ? Optional.empty() : Optional.of(number(least) + "-" + number(most));
    }

    /** With as many digits as the size deserves. */
    static String number(double value) {
        double size = Math.abs(value);
        if (value == 0) {
            return "0";
        }
        return String.format(
                Locale.ROOT, size >= LARGE ? "%,.0f" : size >= 1 ? "%.2f" : size >= SMALL ? "%.3f" : "%.5f", value);
    }
}
