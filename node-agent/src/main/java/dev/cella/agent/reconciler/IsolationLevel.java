package dev.cella.agent.reconciler;

import java.util.Locale;

/** How far a task is kept from its machine, the weakest first. */
public enum IsolationLevel {
    /** A session and an environment of its own, no privileges. */
    NONE,
    /** It cannot use more than it asked for. */
    LIMITS,
    /** It does not see the machine's other processes and cannot write to its system, either. */
    FULL;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static IsolationLevel of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
