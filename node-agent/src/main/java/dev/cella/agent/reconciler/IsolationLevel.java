package dev.cella.agent.reconciler;

import java.util.Locale;

/** How strictly a task is isolated from its machine, the weakest level first. */
public enum IsolationLevel {
    /** Its own session and environment, no privileges. */
    NONE,
    /** Also, it cannot use more than it asked for. */
    LIMITS,
    /** Also, it does not see the machine's other processes and cannot write to its system. */
    FULL;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static IsolationLevel of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
