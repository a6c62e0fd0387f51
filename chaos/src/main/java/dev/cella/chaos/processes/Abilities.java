package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What this machine lets the processes world do. */
public final class Abilities {
    private final Optional<String> noNamespaces;

    private Abilities(Optional<String> noNamespaces) {
        this.noNamespaces = noNamespaces;
    }

    /** Tries it out; nothing of it remains. */
    public static Abilities ofThisMachine() {
        return new Abilities(Enclosure.whyNot());
    }

    /** Why there are no namespaces, and how to get them; empty if there are. */
    public Optional<String> noNamespaces() {
        return noNamespaces;
    }

    /** The faults that cannot be injected here, each with what is missing and how to get it. */
    public Map<FaultKind, String> missing(List<PlannedFault> faults) {
        Map<FaultKind, String> missing = new LinkedHashMap<>();
        faults.stream()
                .map(PlannedFault::kind)
                .distinct()
                .forEach(kind -> missingFor(kind).ifPresent(why -> missing.put(kind, why)));
        return missing;
    }

    private Optional<String> missingFor(FaultKind kind) {
        if (!kind.isIn(World.PROCESSES)) {
            return kind.whyNotIn(World.PROCESSES);
        }
        return switch (kind) {
            case CUT, ONE_WAY_CUT, RING_CUT, FLAPPING_CUT, NODE_LOSS, DISK_FULL -> noNamespaces;
            case LOSSY_NETWORK -> noNamespaces.isPresent() ? noNamespaces : noLosses();
            case POWER_LOSS -> noNamespaces.isPresent() ? noNamespaces : FileDisk.whyNot();
            case DISK_ERROR, SLOW_DISK, CLOCK_JUMP -> FaultLibrary.whyNot();
            default -> Optional.empty();
        };
    }

    private static Optional<String> noLosses() {
        List<String> probe = Enclosure.around(List.of("sh", "-c", HostNetwork.disturbProbe()));
        return Tool.works(probe.toArray(String[]::new))
                ? Optional.empty()
                : Optional.of(
                        "this machine can lose no messages: load netem (modprobe sch_netem) and install iproute2, or"
                                + " install iptables");
    }
}
