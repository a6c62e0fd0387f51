package dev.cella.scheduling;

/** A value that somebody observed and reported, and how old it is. */
public record Observed(long value, long ageMillis) {
    public Observed {
        if (ageMillis < 0) {
            throw new IllegalArgumentException("an observation is not of the future: " + ageMillis);
        }
    }
}
