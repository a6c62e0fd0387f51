package dev.cella.cli.part;

import dev.cella.agent.machine.MachineFacts;
import java.util.Locale;

/** The name of this process's machine in a cell: its host name, if that is a valid name. */
public final class MachineName {
    private static final String FALLBACK = "localhost";

    private MachineName() {}

    public static String ofThisMachine() {
        return of(MachineFacts.read().hostname());
    }

    static String of(String hostname) {
        String name =
                hostname.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-").replaceAll("^[.-]+|[.-]+$", "");
        return name.isEmpty() ? FALLBACK : name;
    }
}
