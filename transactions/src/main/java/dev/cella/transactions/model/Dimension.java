package dev.cella.transactions.model;

import java.util.regex.Pattern;

/** One resource dimension of machines and tasks: its name, and whether amounts of it are counted or are sets. */
public record Dimension(String name, Kind kind) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9]{0,62}");

    /** How amounts of a dimension add up. */
    public enum Kind {
        /** Whole numbers that add up: milli-cpus, mebibytes. */
        COUNT,
        /** Members that only one task has at a time: ports, device indexes. */
        SET
    }

    public Dimension {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("dimension '" + name + "' does not match " + NAME);
        }
    }
}
