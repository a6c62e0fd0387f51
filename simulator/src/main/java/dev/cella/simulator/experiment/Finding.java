package dev.cella.simulator.experiment;

/** What was measured of a statement, and whether it agrees. */
record Finding(String measured, boolean agrees) {
    /** Below so many simulated days a mean still moves by more than what the statements tell apart. */
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

    /** A short run may agree; that it does not agree says nothing. */
    Verdict verdict(double days) {
        if (agrees) {
            return Verdict.YES;
        }
        return days < DAYS_TO_TELL ? Verdict.TOO_SHORT : Verdict.NO;
    }
}
