package dev.cella.agent.reconciler;

import java.util.Map;
import java.util.Optional;

/**
 * A job's settings for running its tasks, besides the command.
 *
 * @param user the user of the task; if empty, the machine's task user
 * @param stopSignal without SIG
 * @param timeoutMillis how long an attempt may run; 0 means without limit
 * @param isolation the lowest acceptable level
 * @param image an OCI reference
 * @param resources the attempt's limits, by the names of dimensions
 * @param ports by name; 0 is any
 * @param isService whether its tasks do not end by themselves
 * @param endsWithAgent whether it must never run twice at once, so that it ends when the cell does not renew the lease
 * @param cpuQuota whether it never gets more processor time than it asked for
 * @param ownNetwork whether it has its own network, with a loopback and nothing else
 * @param hosts whether it has a file that lists where the tasks of its group run
 * @param home the task that it is to its command, if that is another one: the task of another cell whose twin it is, or the one
 *     that it copies
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
        boolean isService,
        boolean cpuQuota,
        boolean ownNetwork,
        boolean hosts,
        Optional<HomeTask> home) {
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
            false,
            false,
            false,
            false);

    /** A task of this cell alone. */
    public RunSettings(
            Optional<String> user,
            String stopSignal,
            long timeoutMillis,
            IsolationLevel isolation,
            Optional<String> image,
            Map<String, Long> resources,
            Map<String, Long> ports,
            Optional<HealthCheck> check,
            boolean endsWithAgent,
            boolean isService,
            boolean cpuQuota,
            boolean ownNetwork,
            boolean hosts) {
        this(
                user,
                stopSignal,
                timeoutMillis,
                isolation,
                image,
                resources,
                ports,
                check,
                endsWithAgent,
                isService,
                cpuQuota,
                ownNetwork,
                hosts,
                Optional.empty());
    }

    public RunSettings {
        resources = Map.copyOf(resources);
        ports = Map.copyOf(ports);
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("a time-out is not negative: " + timeoutMillis);
        }
    }

    /** The same for a task that must never run twice at once. */
    public RunSettings endingWithItsLease() {
        return changed(true, cpuQuota, ownNetwork, hosts, home);
    }

    /** The same for the twin of a task of another cell, or a copy. Its command sees that task's names instead of its own. */
    public RunSettings asAnother(Optional<HomeTask> task) {
        return changed(endsWithAgent, cpuQuota, ownNetwork, hosts, task);
    }

    /** The same with these. */
    public RunSettings with(boolean itsCpuQuota, boolean itsOwnNetwork, boolean itsHosts) {
        return changed(endsWithAgent, itsCpuQuota, itsOwnNetwork, itsHosts, home);
    }

    private RunSettings changed(
            boolean itsEnd, boolean itsCpuQuota, boolean itsOwnNetwork, boolean itsHosts, Optional<HomeTask> itsHome) {
        return new RunSettings(
                user,
                stopSignal,
                timeoutMillis,
                isolation,
                image,
                resources,
                ports,
                check,
                itsEnd,
                isService,
                itsCpuQuota,
                itsOwnNetwork,
                itsHosts,
                itsHome);
    }
}
