package dev.cella.cli.conflict;

import java.util.Locale;

/** Fractions as tables show them. */
final class Fractions {
    private Fractions() {}

    /** Formats a fraction with two decimals; an absent one is empty. */
    static String shown(boolean there, double fraction) {
        return there ? String.format(Locale.ROOT, "%.2f", fraction) : "";
    }
}
