package dev.cella.client.json;

import java.util.Objects;
import java.util.Optional;

/**
 * One fault of an input, at its place.
 *
 * @param path the place in the contract's notation, {@code groups[0].resources.cpuMili}; empty for the whole
 * @param message the fault, without the path
 * @param hint what to write instead, if known
 * @param line the line of a file, counted from 1; 0 without lines
 * @param column the column of a file, counted from 1; 0 without columns
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

    /** The path and the fault, as one line. */
    public String sentence() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
