package dev.cella.cli.plugin;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.live.SpecifiedPlacements;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.simulator.replay.WindowReplayer;
import dev.cella.transactions.replay.WindowReplay;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The replay that this command plugs into the servers it starts: neither the server nor the simulator knows the other. */
public final class Replays {
    private Replays() {}

    /** Replays windows with Cella's types, and with these. */
    public static WindowReplay of(List<SchedulerProvider> others) {
        SortedMap<String, SchedulerProvider> types = new TreeMap<>();
        SchedulerTypes.installed().providers().forEach(type -> types.put(type.type(), type));
        others.forEach(type -> types.putIfAbsent(type.type(), type));
        return new WindowReplayer(List.copyOf(types.values()), SpecifiedPlacements::new);
    }
}
