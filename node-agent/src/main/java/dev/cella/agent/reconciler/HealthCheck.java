package dev.cella.agent.reconciler;

import java.util.List;

/**
 * The health check of a running task.
 *
 * @param what the path of an HTTP check; empty for TCP; the arguments of a command
 * @param port the name of one of the task's ports; empty for a command
 * @param failuresMax this many failures in a row make it unhealthy
 */
public record HealthCheck(
        Kind kind, List<String> what, String port, long everyMillis, long timeoutMillis, int failuresMax) {
    /** The kinds of checks. */
    public enum Kind {
        HTTP,
        TCP,
        COMMAND
    }

    public HealthCheck {
        what = List.copyOf(what);
    }
}
