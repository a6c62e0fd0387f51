package dev.cella.scheduling;

/** An observed value and its age. */
public record Observed(long value, long ageMillis) {
    public Observed {
        if (ageMillis < 0) {
            throw new IllegalArgumentException("an observation is not of the future: " + ageMillis);
        }
    }
}
