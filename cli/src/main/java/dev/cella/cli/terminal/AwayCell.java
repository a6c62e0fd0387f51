package dev.cella.cli.terminal;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.CellUnreachable;

/** Tells a cell that is away, as while its servers restart, or has too much to do from one that refuses what it is asked. */
public final class AwayCell {
    private static final int SERVICE_UNAVAILABLE = 503;

    private AwayCell() {}

    /** Returns whether the same question may be answered a little later. */
    public static boolean isIn(RuntimeException failure) {
        return failure instanceof CellUnreachable
                || (failure instanceof Problem problem
                        && (problem.type().status() == SERVICE_UNAVAILABLE
                                || problem.type() == ProblemType.RATE_LIMITED));
    }
}
