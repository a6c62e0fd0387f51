package dev.cella.chaos.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where a scenario is run. */
public enum World {
    /** One event heap in virtual time: one seed is one run, bit for bit. */
    SIMULATED,
    /** Real servers, schedulers and agents, each a process. */
    PROCESSES;

    /** Its name on the command line and in reports. */
    public String words() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<World> find(String words) {
        return Arrays.stream(values())
                .filter(world -> world.words().equals(words))
                .findFirst();
    }

    public static List<String> names() {
        return Arrays.stream(values()).map(World::words).toList();
    }
}
