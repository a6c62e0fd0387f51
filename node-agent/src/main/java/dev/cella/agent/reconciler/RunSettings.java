package dev.cella.agent.reconciler;

import java.util.Map;
import java.util.Optional;

/**
 * What a job says about how its tasks run, beside the command.
 *
 * @param user whom the task runs as; nothing: the machine's task user
 * @param stopSignal without SIG
 * @param timeoutMillis how long an attempt may run; 0: as long as it likes
 * @param isolation the least that it asks for
 * @param image an OCI reference
 * @param resources what the attempt may use, by the names of dimensions
 * @param ports by name; 0 is any
 * @param isService its tasks do not end by themselves
 * @param endsWithAgent it may never run twice at once, so it ends when its agent is not heard of
 */
public record RunSettings(
        Optional<String> user,
        String stopSignal,
        long timeoutMillis,
        IsolationLevel isolation,
        Optional<String> image,
        Map<String, Long> resources,
        Map<String, Long> ports,
        Optional<HealthCheck> check,
        boolean endsWithAgent,
        boolean isService) {
    public static final RunSettings PLAIN = new RunSettings(
            Optional.empty(),
            "TERM",
            0,
            IsolationLevel.NONE,
            Optional.empty(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            false,
            false);

    public RunSettings {
        resources = Map.copyOf(resources);
        ports = Map.copyOf(ports);
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("a time-out is not negative: " + timeoutMillis);
        }
    }
}
