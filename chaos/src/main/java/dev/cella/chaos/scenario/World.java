package dev.cella.chaos.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where a scenario is run. */
public enum World {
    /** One event heap in virtual time: one seed is one run, bit for bit. */
    SIMULATED(Integer.MAX_VALUE, Integer.MAX_VALUE),
    /** Real servers, schedulers and agents, each a process. */
    PROCESSES(3, 3);

    private final int schedulersMax;
    private final int machinesMax;

    World(int schedulersMax, int machinesMax) {
        this.schedulersMax = schedulersMax;
        this.machinesMax = machinesMax;
    }

    /** How many of a scenario's schedulers run: each process needs a part of this machine. */
    public int schedulers(Scenario scenario) {
        return Math.min(schedulersMax, scenario.schedulers().size());
    }

    /** How many of a scenario's machines there are: this machine runs the tasks of all. */
    public int machines(Scenario scenario) {
        return Math.min(machinesMax, scenario.machines());
    }

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
