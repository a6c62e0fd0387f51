package dev.cella.agent.runner;

import dev.cella.agent.keeper.TaskGroup;
import dev.cella.agent.keeper.TaskGroup.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The control groups that this agent may make on this machine: below its own group, in one tree of version 2, or in a tree per
 * controller of version 1. A machine with both versions has its controllers in version 1.
 *
 * @param folders the parents of tasks' groups; with version 1 one per controller, memory first
 * @param trees the tops of the trees that these are in
 */
record ControlGroups(boolean isVersion2, List<Path> folders, List<Path> trees) {
    private static final List<String> CONTROLLERS = List.of("memory", "cpu", "pids");
    private static final String USED = "cpuacct";
    private static final String FOLDER = "cella-tasks";

    /** Where a program that makes groups by itself makes those of tasks in images. */
    private static final String IMAGES = "cella-images";

    /** Where the agent itself goes if its group may not have processes. */
    private static final String ASIDE = "cella-agent";

    private static final String MEMBERS = "cgroup.procs";
    private static final String SUBTREE = "cgroup.subtree_control";
    private static final String ENABLED = "+memory +cpu +pids";

    /** More than a normal task needs, and few enough that a fork bomb does not block the machine. */
    static final long PROCESSES_MAX = 1_024;

    private static final long MILLI = 1_000;
    private static final long SHARES_A_CORE = 1_024;
    private static final long SHARES_MIN = 2;
    private static final long WEIGHT_A_CORE = 100;
    private static final long WEIGHT_MAX = 10_000;

    /** So little that the kernel's smallest weight comes out. */
    private static final long SPARE_CPU_MILLI = 1;

    static final long QUOTA_PERIOD_MICROS = 100_000;
    private static final long QUOTA_MICROS_MIN = 1_000;

    /** The usable groups, or the reason why none can be used. */
    record Found(Optional<ControlGroups> groups, String why) {}

    /** Tries it: makes the folders, which stay for the tasks. */
    static Found find(Path root) {
        try {
            Path mount = root.resolve("sys/fs/cgroup");
            List<String> own = Files.readAllLines(root.resolve("proc/self/cgroup"));
            return Files.exists(mount.resolve("cgroup.controllers")) ? version2(mount, own) : version1(mount, own);
        } catch (IOException failure) {
            return new Found(Optional.empty(), "no control groups: " + failure.getMessage());
        }
    }

    private static Found version2(Path mount, List<String> own) {
        Path current = mount.resolve(ownGroup(own, "").orElse("/").substring(1));
        Path ownGroup = current.endsWith(ASIDE) ? current.resolveSibling("") : current;
        Path top = Files.isWritable(mount.resolve(SUBTREE)) ? mount : ownGroup;
        Path folder = top.resolve(FOLDER);
        try {
            Files.createDirectories(folder);
            enableBelow(top);
            Files.writeString(folder.resolve(SUBTREE), ENABLED);
            return new Found(Optional.of(new ControlGroups(true, List.of(folder), List.of(mount))), "");
        } catch (IOException refused) {
            return new Found(
                    Optional.empty(),
                    "control groups cannot be made in " + top + ": run the agent as root, or delegate them to it");
        }
    }

    /**
     * A group other than the machine's own cannot have both processes and controllers for its children. A group that was
     * delegated to this agent, or a container's, has this agent in it: it moves aside, with what runs beside it.
     */
    private static void enableBelow(Path top) throws IOException {
        try {
            Files.writeString(top.resolve(SUBTREE), ENABLED);
        } catch (IOException hasProcesses) {
            moveAside(top);
            Files.writeString(top.resolve(SUBTREE), ENABLED);
        }
    }

    private static void moveAside(Path top) throws IOException {
        Path aside = Files.createDirectories(top.resolve(ASIDE)).resolve(MEMBERS);
        for (String pid : Files.readAllLines(top.resolve(MEMBERS))) {
            try {
                Files.writeString(aside, pid);
            } catch (IOException ended) {
                // then it is in no group
            }
        }
    }

    private static Found version1(Path mount, List<String> own) {
        List<Path> folders = new ArrayList<>();
        List<Path> trees = new ArrayList<>();
        for (String controller : CONTROLLERS) {
            Optional<Path> folder = folderOfVersion1(mount, controller, own);
            if (folder.isEmpty()) {
                return new Found(
                        Optional.empty(),
                        "control groups cannot be made for " + controller + ": run the agent as root");
            }
            folders.add(folder.get());
            trees.add(mount.resolve(controller));
        }
        Optional<Path> used = folderOfVersion1(mount, USED, own).filter(folder -> !folders.contains(folder));
        if (used.isPresent()) {
            folders.add(used.get());
            trees.add(mount.resolve(USED));
        }
        return new Found(Optional.of(new ControlGroups(false, folders, trees)), "");
    }

    private static Optional<Path> folderOfVersion1(Path mount, String controller, List<String> own) {
        Path tree = mount.resolve(controller);
        Path ownGroup = tree.resolve(ownGroup(own, controller).orElse("/").substring(1));
        Path folder = (Files.isDirectory(ownGroup) ? ownGroup : tree).resolve(FOLDER);
        try {
            Files.createDirectories(folder);
            return Files.isWritable(folder.resolve(MEMBERS)) ? Optional.of(folder.toRealPath()) : Optional.empty();
        } catch (IOException refused) {
            return Optional.empty();
        }
    }

    private static Optional<String> ownGroup(List<String> own, String controller) {
        return own.stream()
                .map(line -> line.split(":", 3))
                .filter(parts ->
                        parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller))
                .map(parts -> parts[2])
                .findFirst();
    }

    /** The groups of one attempt, with its requests as limits. Spare work gets the lowest share of the processor. */
    TaskGroup of(String mark, Map<String, Long> resources, boolean cpuQuota, boolean spare) {
        List<Path> own = folders.stream().map(folder -> folder.resolve(mark)).toList();
        List<Setting> settings = new ArrayList<>();
        long memoryMib = resources.getOrDefault("memoryMib", 0L);
        long cpuMilli = resources.getOrDefault("cpuMilli", 0L);
        if (isVersion2) {
            settingsOfVersion2(own.get(0), memoryMib, spare ? SPARE_CPU_MILLI : cpuMilli, settings);
            if (cpuQuota) {
                settings.add(new Setting(
                        own.get(0).resolve("cpu.max"), quotaMicros(cpuMilli) + " " + QUOTA_PERIOD_MICROS, false));
            }
        } else {
            settingsOfVersion1(own, memoryMib, spare ? SPARE_CPU_MILLI : cpuMilli, settings);
            if (cpuQuota) {
                Path cpu = own.get(1);
                settings.add(new Setting(cpu.resolve("cpu.cfs_period_us"), Long.toString(QUOTA_PERIOD_MICROS), false));
                settings.add(new Setting(cpu.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros(cpuMilli)), false));
            }
        }
        return new TaskGroup(isVersion2, own, settings, own);
    }

    /** The same for an attempt that is run by a program with groups of its own. */
    TaskGroup ofImage(String mark, TaskGroup group) {
        List<Path> counted =
                trees.stream().map(tree -> tree.resolve(IMAGES).resolve(mark)).toList();
        return new TaskGroup(group.isVersion2(), group.folders(), group.settings(), counted);
    }

    /** The path of such groups in each tree. */
    static String pathOfImage(String mark) {
        return "/" + IMAGES + "/" + mark;
    }

    /** The weight of an attempt's processor time, in the kernel's unit with version 1. */
    static long shares(long cpuMilli, boolean spare) {
        return shares(spare ? SPARE_CPU_MILLI : cpuMilli);
    }

    private static long shares(long cpuMilli) {
        return Math.max(SHARES_MIN, cpuMilli * SHARES_A_CORE / MILLI);
    }

    /** The kernel takes a millisecond a period at least. */
    static long quotaMicros(long cpuMilli) {
        return Math.max(QUOTA_MICROS_MIN, cpuMilli * QUOTA_PERIOD_MICROS / MILLI);
    }

    private static void settingsOfVersion2(Path own, long memoryMib, long cpuMilli, List<Setting> settings) {
        if (memoryMib > 0) {
            settings.add(new Setting(own.resolve("memory.max"), Long.toString(memoryMib << 20), false));
            settings.add(new Setting(own.resolve("memory.swap.max"), "0", true));
            settings.add(new Setting(own.resolve("memory.oom.group"), "1", true));
        }
        if (cpuMilli > 0) {
            long weight = Math.max(1, Math.min(WEIGHT_MAX, cpuMilli * WEIGHT_A_CORE / MILLI));
            settings.add(new Setting(own.resolve("cpu.weight"), Long.toString(weight), true));
        }
        settings.add(new Setting(own.resolve("pids.max"), Long.toString(PROCESSES_MAX), false));
    }

    private static void settingsOfVersion1(List<Path> own, long memoryMib, long cpuMilli, List<Setting> settings) {
        if (memoryMib > 0) {
            String bytes = Long.toString(memoryMib << 20);
            settings.add(new Setting(own.get(0).resolve("memory.limit_in_bytes"), bytes, false));
            settings.add(new Setting(own.get(0).resolve("memory.memsw.limit_in_bytes"), bytes, true));
        }
        if (cpuMilli > 0) {
            settings.add(new Setting(own.get(1).resolve("cpu.shares"), Long.toString(shares(cpuMilli)), true));
        }
        settings.add(new Setting(own.get(2).resolve("pids.max"), Long.toString(PROCESSES_MAX), false));
    }
}
