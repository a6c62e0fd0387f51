package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultKind;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the faults of one run need at the servers before they start: disks of their own, and a library that breaks disks and
 * clocks. A run without such faults has none of it. Owned by the thread of the run.
 */
final class ProcessGear implements AutoCloseable {
    private static final Set<FaultKind> BY_LIBRARY =
            Set.of(FaultKind.DISK_ERROR, FaultKind.SLOW_DISK, FaultKind.CLOCK_JUMP);

    /** The disks that a run can have. */
    private enum Disks {
        NONE,
        IN_MEMORY,
        IN_FILES
    }

    private final Path folder;
    private final Disks kind;
    private final Optional<FaultLibrary> library;
    private final Map<String, ReplicaDisk> disks = new LinkedHashMap<>();
    private final Map<String, FaultSwitches> switches = new LinkedHashMap<>();

    private ProcessGear(Path folder, Disks kind, Optional<FaultLibrary> library) {
        this.folder = folder;
        this.kind = kind;
        this.library = library;
    }

    /** As much as this machine allows; a fault that lacks something is VOID later. */
    static ProcessGear forFaults(Collection<FaultKind> faults, Path folder, boolean enclosed) {
        boolean breaks = faults.stream().anyMatch(BY_LIBRARY::contains)
                && FaultLibrary.whyNot().isEmpty();
        Optional<FaultLibrary> library = breaks ? Optional.of(FaultLibrary.compile(folder)) : Optional.empty();
        return new ProcessGear(folder, enclosed ? disks(faults) : Disks.NONE, library);
    }

    private static Disks disks(Collection<FaultKind> faults) {
        if (faults.contains(FaultKind.POWER_LOSS) && FileDisk.whyNot().isEmpty()) {
            return Disks.IN_FILES;
        }
        return faults.contains(FaultKind.DISK_FULL) ? Disks.IN_MEMORY : Disks.NONE;
    }

    /** Before that server starts for the first time. */
    void addDisk(String server) {
        Path path = folder.resolve(server);
        if (kind == Disks.IN_FILES) {
            disks.put(server, new FileDisk(path));
        } else if (kind == Disks.IN_MEMORY) {
            disks.put(server, new MemoryDisk(path));
        }
    }

    /** The environment of a server with the library. */
    Map<String, String> environment(String server) {
        if (library.isEmpty()) {
            return Map.of();
        }
        FaultSwitches its = FaultSwitches.create(folder.resolve(server + ".switches"));
        switches.put(server, its);
        return library.get().environment(its, folder.resolve(server));
    }

    /**
     * Put before a command, it runs the command where the disks are not. A task has a copy of its agent's mounts, and a disk
     * with such a copy could not be unmounted.
     */
    List<String> withoutDisks() {
        if (kind != Disks.IN_FILES) {
            return List.of();
        }
        return List.of("unshare", "--mount", "sh", "-c", "umount " + paths() + " && exec \"$@\"", "sh");
    }

    private String paths() {
        return String.join(
                " ",
                disks.keySet().stream()
                        .map(server -> folder.resolve(server).toString())
                        .toList());
    }

    Optional<ReplicaDisk> disk(Part server) {
        return Optional.ofNullable(disks.get(server.name()));
    }

    /** The disk of a server, if its power can be cut. */
    Optional<FileDisk> fileDisk(Part server) {
        return disk(server).filter(FileDisk.class::isInstance).map(FileDisk.class::cast);
    }

    Optional<FaultSwitches> switches(Part server) {
        return Optional.ofNullable(switches.get(server.name()));
    }

    @Override
    public void close() {
        disks.values().forEach(ReplicaDisk::unmount);
    }
}
