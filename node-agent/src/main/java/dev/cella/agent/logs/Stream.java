package dev.cella.agent.logs;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The two output streams of a task. */
public enum Stream {
    STDOUT,
    STDERR;

    /** The name in URLs and of its file. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The streams for a URL's parameter; empty if it is invalid. */
    static Optional<List<Stream>> parse(String word) {
        return switch (word) {
            case "stdout" -> Optional.of(List.of(STDOUT));
            case "stderr" -> Optional.of(List.of(STDERR));
            case "both" -> Optional.of(List.of(STDOUT, STDERR));
            default -> Optional.empty();
        };
    }
}
