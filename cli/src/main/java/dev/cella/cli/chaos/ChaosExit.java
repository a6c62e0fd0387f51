package dev.cella.cli.chaos;

import dev.cella.chaos.ChaosRun.Checked;
import java.util.List;

/** The exit codes of {@code cella chaos}. */
enum ChaosExit {
    HOLDS(0),
    VIOLATED(1),
    COULD_NOT_RUN(2),
    NOTHING_BIT(3);

    private final int number;

    ChaosExit(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static ChaosExit of(List<Checked> runs) {
        if (runs.stream().anyMatch(run -> !run.holds() || !run.canarySeen())) {
            return VIOLATED;
        }
        return runs.stream().anyMatch(Checked::bit) ? HOLDS : NOTHING_BIT;
    }
}
