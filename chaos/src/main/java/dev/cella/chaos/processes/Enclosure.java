package dev.cella.chaos.processes;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Namespaces of its own for one run: processes, mounts and network. Everything that is started inside ends with the first
 * process, also what is paused, and the first process ends with the command that made it. So a killed command leaves nothing.
 */
public final class Enclosure {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private Enclosure() {}

    /** Why this machine allows none, and what would help; empty if it does. */
    public static Optional<String> whyNot() {
        try {
            List<String> probe = new ArrayList<>(unshare());
            probe.addAll(List.of("sh", "-c", "ip link add probe type bridge && mount -t tmpfs none /run"));
            Tool.run(probe);
            return Optional.empty();
        } catch (Tool.Refusal | UncheckedIOException cannot) {
            return Optional.of("no namespaces ("
                    + String.valueOf(cannot.getMessage()).lines().reduce("", (a, b) -> b)
                    + "): run it as root, or allow them (sysctl kernel.unprivileged_userns_clone=1), and install"
                    + " util-linux and iproute2");
        }
    }

    /** The command that runs another one inside. */
    public static List<String> around(List<String> inner) {
        List<String> command = new ArrayList<>(unshare());
        // The first process of the namespaces collects the processes that lose their parents.
        command.addAll(List.of("sh", "-c", "\"$@\"; exit $?", "first"));
        command.addAll(inner);
        return command;
    }

    private static List<String> unshare() {
        List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "unshare"));
        if (!ROOT) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--mount", "--net", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"));
        return command;
    }
}
