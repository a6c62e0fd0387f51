package dev.cella.chaos.processes;

import dev.cella.state.rocksdb.CheckpointFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The faults of replicas' disks. A replica whose disk fails leaves, and starts again when the disk works. */
final class DiskFaults {
    private static final int SYNC_DELAY_MILLIS = 300;

    private static final long LARGE_JOB_EVERY_MILLIS = 400L;

    private final ProcessGear gear;
    private final ProcessUsers users;
    private final Holds<ReplicaDisk> full = new Holds<>();
    private final Holds<FileDisk> withoutPower = new Holds<>();
    private final Holds<FaultSwitches> failing = new Holds<>();
    private final Holds<FaultSwitches> slow = new Holds<>();

    DiskFaults(ProcessGear gear, ProcessUsers users) {
        this.gear = gear;
        this.users = users;
    }

    // ---- damage

    ProcessFault bitFlip(List<Part> servers) {
        if (servers.isEmpty()) {
            return ProcessFault.on(servers);
        }
        Part server = servers.get(0);
        Path checkpoints = server.data().resolve("checkpoints");
        boolean[] flipped = {false};
        ProcessFault fault = ProcessFault.on(List.of(server));
        return fault.lasts(millis -> {
                    if (!flipped[0] && hasCheckpoint(checkpoints)) {
                        server.keepDown(fault);
                        flipped[0] = flip(checkpoints);
                    }
                })
                .until(() -> flipped[0])
                .heals(() -> server.startAgain(fault))
                .isVoid(lasted -> flipped[0] ? "" : "it has no checkpoint yet")
                .shows(() -> isAnyPutAside(checkpoints) ? "" : "the replica did not notice it");
    }

    private static boolean hasCheckpoint(Path checkpoints) {
        try {
            return !CheckpointFiles.list(checkpoints).isEmpty();
        } catch (IOException | UncheckedIOException changing) {
            return false;
        }
    }

    /** Flips a bit in the middle of the newest checkpoint's largest file. */
    private static boolean flip(Path checkpoints) {
        try {
            List<Path> all = CheckpointFiles.list(checkpoints);
            if (all.isEmpty()) {
                return false;
            }
            Path largest = largestIn(all.get(0));
            byte[] content = Files.readAllBytes(largest);
            content[content.length / 2] ^= 1;
            Files.write(largest, content);
            return true;
        } catch (IOException failure) {
            throw new UncheckedIOException("flipping a bit in " + checkpoints, failure);
        }
    }

    private static Path largestIn(Path checkpoint) throws IOException {
        try (Stream<Path> files = Files.walk(checkpoint)) {
            return files.filter(Files::isRegularFile)
                    .max(Comparator.comparing(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    /** A replica puts a damaged checkpoint aside when it starts. */
    private static boolean isAnyPutAside(Path checkpoints) {
        String[] names = checkpoints.toFile().list((folder, name) -> name.startsWith("damaged-"));
        return names != null && names.length > 0;
    }

    // ---- disks of their own

    /** Users submit large jobs meanwhile, so that a checkpoint is due: a full disk that nobody writes to is no fault. */
    ProcessFault full(List<Part> servers) {
        Map<Part, ReplicaDisk> disks = servers.stream()
                .filter(server -> gear.disk(server).isPresent())
                .collect(Collectors.toMap(
                        server -> server, server -> gear.disk(server).orElseThrow()));
        if (disks.isEmpty()) {
            return ProcessFault.impossible(servers, "it needs mount namespaces");
        }
        boolean[] left = {false};
        int[] large = {0};
        ProcessFault fault = ProcessFault.on(servers);
        return fault.begins(() -> disks.values().stream()
                        .filter(disk -> full.take(disk, fault))
                        .forEach(ReplicaDisk::fill))
                .lasts(millis -> {
                    left[0] |= disks.keySet().stream().anyMatch(server -> !server.isAlive());
                    if (large[0] * LARGE_JOB_EVERY_MILLIS <= millis) {
                        large[0]++;
                        users.submitLarge();
                    }
                })
                .until(() -> left[0])
                .heals(() -> disks.forEach((server, disk) -> {
                    if (full.release(disk, fault)) {
                        disk.free();
                        server.startAgain(fault);
                    }
                }))
                .isVoid(lasted -> left[0] ? "" : "no replica left while its disk was full");
    }

    /** Bytes that no server synced are lost, and the servers are killed. */
    ProcessFault powerLoss(List<Part> servers) {
        Map<Part, FileDisk> disks = servers.stream()
                .filter(server -> gear.fileDisk(server).isPresent())
                .collect(Collectors.toMap(
                        server -> server, server -> gear.fileDisk(server).orElseThrow()));
        if (disks.isEmpty()) {
            return ProcessFault.impossible(servers, "it needs disks on loop devices");
        }
        boolean[] lived = {false};
        ProcessFault fault = ProcessFault.on(servers);
        return fault.begins(() -> {
                    lived[0] = disks.keySet().stream().anyMatch(Part::isAlive);
                    disks.values().stream()
                            .filter(disk -> withoutPower.take(disk, fault))
                            .forEach(FileDisk::cutPower);
                    disks.keySet().forEach(server -> server.keepDown(fault));
                })
                .heals(() -> disks.forEach((server, disk) -> {
                    if (withoutPower.release(disk, fault)) {
                        disk.restorePower();
                    }
                    server.startAgain(fault);
                }))
                .isVoid(lasted -> lived[0] ? "" : "it was not running");
    }

    // ---- a disk that answers wrongly or late

    /** A replica whose disk fails leaves. */
    ProcessFault error(List<Part> servers) {
        Map<Part, FaultSwitches> disks = switches(servers);
        ProcessFault fault = switched(servers, disks.values());
        return fault.begins(() -> disks.values().stream()
                        .filter(disk -> failing.take(disk, fault))
                        .forEach(FaultSwitches::failDisk))
                .heals(() -> disks.forEach((server, disk) -> {
                    if (failing.release(disk, fault)) {
                        disk.endFailures();
                        server.startAgain(fault);
                    }
                }));
    }

    ProcessFault slow(List<Part> servers) {
        Collection<FaultSwitches> disks = switches(servers).values();
        ProcessFault fault = switched(servers, disks);
        return fault.begins(() -> disks.stream()
                        .filter(disk -> slow.take(disk, fault))
                        .forEach(disk -> disk.slowDisk(SYNC_DELAY_MILLIS)))
                .heals(() ->
                        disks.stream().filter(disk -> slow.release(disk, fault)).forEach(disk -> disk.slowDisk(0)));
    }

    private Map<Part, FaultSwitches> switches(List<Part> servers) {
        Map<Part, FaultSwitches> switches = new LinkedHashMap<>();
        servers.forEach(server -> gear.switches(server).ifPresent(its -> switches.put(server, its)));
        return switches;
    }

    private static ProcessFault switched(List<Part> servers, Collection<FaultSwitches> disks) {
        if (disks.isEmpty()) {
            return ProcessFault.impossible(servers, "it needs a C compiler");
        }
        long before = hits(disks);
        return ProcessFault.on(servers)
                .until(() -> hits(disks) > before)
                .isVoid(lasted -> hits(disks) > before ? "" : "nothing was written");
    }

    private static long hits(Collection<FaultSwitches> disks) {
        return disks.stream().mapToLong(FaultSwitches::diskHits).sum();
    }
}
