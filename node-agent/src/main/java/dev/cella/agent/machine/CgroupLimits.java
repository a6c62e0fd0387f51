package dev.cella.agent.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The limits of this process's control groups, of version 1 or 2; the groups above limit it, too. The JDK also knows them, but
 * rounds one and a half cores up to two.
 */
record CgroupLimits(OptionalLong cpuMilli, OptionalLong memoryBytes) {
    private static final String VERSION_2 = "";
    private static final long MILLI = 1_000;

    /** Version 1 expresses "no limit" by the largest number of whole pages. */
    private static final long NO_LIMIT_BYTES = 1L << 60;

    /** Reads below that root, which is {@code /} on a real machine. */
    static CgroupLimits read(Path root) {
        OptionalLong cpuMilli = OptionalLong.empty();
        OptionalLong memoryBytes = OptionalLong.empty();
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3) {
                List<String> controllers = List.of(parts[1].split(",", -1));
                Path group = Path.of(parts[2].substring(1));
                if (controllers.contains(VERSION_2)) {
                    Path mount = root.resolve("sys/fs/cgroup");
                    cpuMilli = least(cpuMilli, mount, group, CgroupLimits::cpuOfVersion2);
                    memoryBytes = least(memoryBytes, mount, group, folder -> number(folder.resolve("memory.max")));
                } else if (controllers.contains("cpu")) {
                    Path mount = root.resolve("sys/fs/cgroup").resolve(parts[1]);
                    cpuMilli = least(cpuMilli, mount, group, CgroupLimits::cpuOfVersion1);
                } else if (controllers.contains("memory")) {
                    Path mount = root.resolve("sys/fs/cgroup/memory");
                    memoryBytes = least(memoryBytes, mount, group, CgroupLimits::memoryOfVersion1);
                }
            }
        }
        return new CgroupLimits(cpuMilli, memoryBytes);
    }

    /** The lowest limit from the group up to its mount. */
    private static OptionalLong least(
            OptionalLong before, Path mount, Path group, Function<Path, Optional<Long>> limit) {
        OptionalLong least = before;
        for (Path folder = mount.resolve(group).normalize();
                folder != null && folder.startsWith(mount);
                folder = folder.getParent()) {
            Optional<Long> here = limit.apply(folder);
            if (here.isPresent() && here.get() < least.orElse(Long.MAX_VALUE)) {
                least = OptionalLong.of(here.get());
            }
        }
        return least;
    }

    /** "QUOTA PERIOD", or "max PERIOD". */
    private static Optional<Long> cpuOfVersion2(Path folder) {
        return lines(folder.resolve("cpu.max")).stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words.length == 2 && !words[0].equals("max"))
                .map(words -> Long.parseLong(words[0]) * MILLI / Long.parseLong(words[1]))
                .findFirst();
    }

    private static Optional<Long> cpuOfVersion1(Path folder) {
        Optional<Long> quota = number(folder.resolve("cpu.cfs_quota_us"));
        Optional<Long> period = number(folder.resolve("cpu.cfs_period_us"));
        return quota.flatMap(micros -> period.map(per -> micros * MILLI / per));
    }

    private static Optional<Long> memoryOfVersion1(Path folder) {
        return number(folder.resolve("memory.limit_in_bytes")).filter(bytes -> bytes < NO_LIMIT_BYTES);
    }

    /** A number above zero; "max" and -1 mean no limit. */
    private static Optional<Long> number(Path file) {
        return lines(file).stream()
                .filter(line -> line.matches("[1-9][0-9]{0,18}"))
                .map(Long::parseLong)
                .findFirst();
    }

    /** The lines of the file; none if it does not exist or cannot be read. */
    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
