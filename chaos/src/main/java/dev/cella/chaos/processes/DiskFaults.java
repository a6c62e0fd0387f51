package dev.cella.chaos.processes;

import dev.cella.state.rocksdb.CheckpointFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The faults of replicas' disks. A replica whose disk fails leaves, and starts again when the disk works. */
final class DiskFaults {
    private static final int SYNC_DELAY_MILLIS = 300;

    private static final long LARGE_JOB_EVERY_MILLIS = 400L;

    private final ProcessGear gear;
    private final ProcessUsers users;

    DiskFaults(ProcessGear gear, ProcessUsers users) {
        this.gear = gear;
        this.users = users;
    }

    // ---- damage

    ProcessFault bitFlip(List<Part> servers) {
        if (servers.isEmpty()) {
            return ProcessFault.impossible("any", "no replica is there");
        }
        Part server = servers.get(0);
        Path checkpoints = server.data().resolve("checkpoints");
        boolean[] flipped = {false};
        return ProcessFault.on(List.of(server))
                .lasts(millis -> {
                    if (!flipped[0] && hasCheckpoint(checkpoints)) {
                        server.kill();
                        flipped[0] = flip(checkpoints);
                    }
                })
                .until(() -> flipped[0])
                .heals(server::startAgain)
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
            return ProcessFault.impossible(Part.names(servers), "it needs mount namespaces");
        }
        boolean[] left = {false};
        int[] large = {0};
        return ProcessFault.on(servers)
                .begins(() -> disks.values().forEach(ReplicaDisk::fill))
                .lasts(millis -> {
                    left[0] |= disks.keySet().stream().anyMatch(server -> !server.isAlive());
                    if (large[0] * LARGE_JOB_EVERY_MILLIS <= millis) {
                        large[0]++;
                        users.submitLarge();
                    }
                })
                .until(() -> left[0])
                .heals(() -> disks.forEach((server, disk) -> {
                    disk.free();
                    server.startAgain();
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
            return ProcessFault.impossible(Part.names(servers), "it needs disks on loop devices");
        }
        boolean[] lived = {false};
        return ProcessFault.on(servers)
                .begins(() -> {
                    lived[0] = disks.keySet().stream().anyMatch(Part::isAlive);
                    disks.values().forEach(FileDisk::cutPower);
                    disks.keySet().forEach(Part::kill);
                })
                .heals(() -> disks.forEach((server, disk) -> {
                    disk.restorePower();
                    server.startAgain();
                }))
                .isVoid(lasted -> lived[0] ? "" : "it was not running");
    }

    // ---- a disk that answers wrongly or late

    ProcessFault error(List<Part> servers) {
        return switched(servers, FaultSwitches::failDisk);
    }

    ProcessFault slow(List<Part> servers) {
        return switched(servers, disk -> disk.slowDisk(SYNC_DELAY_MILLIS));
    }

    private ProcessFault switched(List<Part> servers, Consumer<FaultSwitches> broken) {
        List<FaultSwitches> disks = servers.stream()
                .flatMap(server -> gear.switches(server).stream())
                .toList();
        if (disks.isEmpty()) {
            return ProcessFault.impossible(Part.names(servers), "it needs a C compiler");
        }
        long before = hits(disks);
        return ProcessFault.on(servers)
                .begins(() -> disks.forEach(broken))
                .heals(() -> {
                    disks.forEach(FaultSwitches::healDisk);
                    servers.forEach(Part::startAgain);
                })
                .until(() -> hits(disks) > before)
                .isVoid(lasted -> hits(disks) > before ? "" : "nothing was written");
    }

    private static long hits(List<FaultSwitches> disks) {
        return disks.stream().mapToLong(FaultSwitches::diskHits).sum();
    }
}
