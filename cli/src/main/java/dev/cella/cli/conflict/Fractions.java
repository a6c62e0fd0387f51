package dev.cella.cli.conflict;

import java.util.Locale;

/** Fractions as tables show them. */
final class Fractions {
    private Fractions() {}

    /** To two places; nothing where there is none. */
    static String shown(boolean there, double fraction) {
        return there ? String.format(Locale.ROOT, "%.2f", fraction) : "";
    }
}
