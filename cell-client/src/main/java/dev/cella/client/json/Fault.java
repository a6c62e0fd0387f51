package dev.cella.client.json;

import java.util.Objects;
import java.util.Optional;

/**
 * One thing that is wrong with an input, at its place.
 *
 * @param path the place as a reader of the contract names it, {@code groups[0].resources.cpuMili}; empty for the whole
 * @param message what is wrong there, without the path
 * @param hint what to write instead, where that is known
 * @param line the line of a file, counted from 1; 0 where there are no lines
 * @param column the column of a file, counted from 1; 0 where there are none
 */
public record Fault(String path, String message, Optional<String> hint, int line, int column) {
    public Fault {
        Objects.requireNonNull(path);
        Objects.requireNonNull(message);
        Objects.requireNonNull(hint);
    }

    public static Fault of(String path, String message) {
        return new Fault(path, message, Optional.empty(), 0, 0);
    }

    public Fault at(Location location) {
        return new Fault(path, message, hint, location.line(), location.column());
    }

    /** The path and what is wrong there, as one line. */
    public String sentence() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
