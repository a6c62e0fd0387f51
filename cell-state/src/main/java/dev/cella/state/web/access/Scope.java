package dev.cella.state.web.access;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One permission of a token.
 *
 * @param kind the kind of permission
 * @param name the scheduler or machine that it is for; a {@code *} at its end stands for the rest of any name
 */
public record Scope(Kind kind, String name) {
    /** The kinds of scopes. */
    public enum Kind {
        /** Reads everything that the cell shows. */
        READ("read"),
        /** Submits, changes and stops jobs of the token's pools. */
        SUBMIT("submit"),
        /** Opens sessions of a scheduler and commits its transactions. */
        SCHEDULE("schedule"),
        /** Registers a machine and reports about its tasks. */
        MACHINE("machine"),
        /** Allows everything. */
        OPERATE("operate");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        private boolean isNamed() {
            return this == SCHEDULE || this == MACHINE;
        }
    }

    static final Scope ALL = new Scope(Kind.OPERATE, "");

    private static final Pattern NAME = Pattern.compile("[a-z0-9.-]{0,253}\\*?");

    /** Parses {@code read}, {@code schedule:batch} or {@code machine:rack1-*}; empty if the text is none of these. */
    public static Optional<Scope> parse(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        for (Kind kind : Kind.values()) {
            boolean named = colon >= 0 && !name.isEmpty() && NAME.matcher(name).matches();
            if (kind.word.equals(word) && (kind.isNamed() ? named : colon < 0)) {
                return Optional.of(new Scope(kind, name));
            }
        }
        return Optional.empty();
    }

    boolean isFor(Kind asked, String other) {
        return kind == asked
                && (name.endsWith("*") ? other.startsWith(name.substring(0, name.length() - 1)) : name.equals(other));
    }
}
