package dev.cella.agent.reconciler;

import java.util.List;

/**
 * How a running task is asked whether it is healthy.
 *
 * @param what the path of an HTTP check; nothing for TCP
 * @param port the name of one of the task's ports
 * @param failuresMax so many failures in a row make it unhealthy
 */
public record HealthCheck(
        Kind kind, List<String> what, String port, long everyMillis, long timeoutMillis, int failuresMax) {
    /** What is asked. */
    public enum Kind {
        HTTP,
        TCP
    }

    public HealthCheck {
        what = List.copyOf(what);
    }
}
