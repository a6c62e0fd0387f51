package dev.cella.simulator.experiment;

/** The measurement for a statement, and whether it agrees. */
record Finding(String measured, boolean agrees) {
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
}
