package dev.cella.simulator.experiment;

import java.util.function.Function;

/**
 * A statement of the paper about a figure, in its words or in ours about its curves, and the check whether our runs agree.
 *
 * @param daysToTell how many days the runs of all seeds must simulate together: a mean of fewer varies by more than the
 *     statement allows
 */
record Statement(String text, String source, double daysToTell, Function<FigureData, Finding> check) {
    private static final double DAYS_TO_TELL = 0.5;

    Statement(String text, String source, Function<FigureData, Finding> check) {
        this(text, source, DAYS_TO_TELL, check);
    }

    /** A short run may agree. If it does not agree, that says nothing. */
    Finding.Verdict verdict(Finding finding, double days) {
        if (finding.agrees()) {
            return Finding.Verdict.YES;
        }
        return days < daysToTell ? Finding.Verdict.TOO_SHORT : Finding.Verdict.NO;
    }
}
