package dev.cella.simulator.experiment;

/** The measurement for a statement, and whether it agrees. */
record Finding(String measured, boolean agrees) {
    /** Below this many simulated days, a mean varies by more than the differences in the statements. */
    private static final double DAYS_TO_TELL = 0.5;

    /** What a reader may conclude. */
    enum Verdict {
        YES("yes"),
        NO("no"),
        TOO_SHORT("too short to tell");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** A short run may agree. If it does not agree, that says nothing. */
    Verdict verdict(double days) {
        if (agrees) {
            return Verdict.YES;
        }
        return days < DAYS_TO_TELL ? Verdict.TOO_SHORT : Verdict.NO;
    }
}
