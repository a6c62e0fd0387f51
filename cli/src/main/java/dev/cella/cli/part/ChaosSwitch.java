package dev.cella.cli.part;

import dev.cella.chaos.processes.LiveTarget;
import dev.cella.chaos.processes.LiveTargets;
import dev.cella.cli.terminal.Environment;
import dev.cella.cli.terminal.Terminal;
import java.net.URI;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** {@code --chaos}: the operator of a part allows {@code cella chaos inject} on it. */
public final class ChaosSwitch {
    @Option(names = "--chaos", description = "allows cella chaos inject on this process (default: no)")
    private boolean chaos;

    public boolean isOn() {
        return chaos;
    }

    /** Allows faults on this process until its parts are closed, if the switch is on. */
    public void allow(
            Terminal terminal, Parts parts, Set<LiveTarget.Role> does, String name, List<URI> servers, boolean owned)
            throws Exception {
        if (chaos) {
            LiveTarget self = LiveTarget.ofThisProcess(does, name, servers, owned);
            parts.start(() -> targets(terminal.environment()).allow(self));
        }
    }

    /** Those of this user that allow faults. */
    public static LiveTargets targets(Environment environment) {
        return new LiveTargets(environment.dataFolder().resolve("chaos"));
    }
}
