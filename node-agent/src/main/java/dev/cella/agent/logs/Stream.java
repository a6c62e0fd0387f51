package dev.cella.agent.logs;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which of a task's two streams of output. */
public enum Stream {
    STDOUT,
    STDERR;

    /** Its word in URLs, and its file's name. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The streams that a URL's word asks for; nothing if it is no such word. */
    static Optional<List<Stream>> parse(String word) {
        return switch (word) {
            case "stdout" -> Optional.of(List.of(STDOUT));
            case "stderr" -> Optional.of(List.of(STDERR));
            case "both" -> Optional.of(List.of(STDOUT, STDERR));
            default -> Optional.empty();
        };
    }
}
