package dev.cella.cli.simulate;

import dev.cella.cli.terminal.Terminal;
import dev.cella.simulator.sweep.Estimate;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Shows the progress of a long simulation now and then; prints nothing for a short one. */
public final class ProgressLines {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Terminal terminal;
    private Instant said;

    public ProgressLines(Terminal terminal) {
        this.terminal = terminal;
        this.said = terminal.environment().clock().instant();
    }

    public void reached(Estimate estimate) {
        Instant now = terminal.environment().clock().instant();
        if (estimate.fraction() < 1 && Duration.between(said, now).compareTo(PAUSE) >= 0) {
            said = now;
            terminal.say(String.format(
                    Locale.ROOT,
                    "%3.0f %% done, about %.0f s left",
                    estimate.fraction() * 100,
                    estimate.secondsLeft()));
        }
    }
}
