package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The control groups of one attempt: one folder with version 2, one per controller with version 1 or both. The agent chooses
 * them; the keeper makes, reads and removes them.
 *
 * @param settings the limits, written when the folders are made
 * @param counted the folders whose counters are the attempt's, memory first: the same ones, or those that the program makes
 *     which runs its image
 */
public record TaskGroup(boolean isVersion2, List<Path> folders, List<Setting> settings, List<Path> counted) {
    /** One file of a control group and its value; {@code optional} if the kernel may not have the file. */
    public record Setting(Path file, String value, boolean optional) {}

    private static final Duration REMOVAL_PATIENCE = Duration.ofMillis(500);
    private static final long REMOVAL_ROUND_NANOS = 2_000_000;

    public TaskGroup {
        folders = List.copyOf(folders);
        settings = List.copyOf(settings);
        counted = List.copyOf(counted);
    }

    private List<Path> all() {
        return Stream.concat(folders.stream(), counted.stream()).distinct().toList();
    }

    private long number(String version2, String version1) {
        return number(counted.get(0).resolve(isVersion2 ? version2 : version1));
    }

    /** The files into which a process writes its number to join. */
    public List<Path> joins() {
        return folders.stream().map(folder -> folder.resolve("cgroup.procs")).toList();
    }

    void create() throws IOException {
        for (Path folder : folders) {
            Files.createDirectories(folder);
        }
        for (Setting setting : settings) {
            if (setting.optional() && !Files.exists(setting.file())) {
                continue;
            }
            try {
                Files.writeString(setting.file(), setting.value());
            } catch (IOException failure) {
                if (!setting.optional()) {
                    throw new IOException("cannot write " + setting.value() + " to " + setting.file(), failure);
                }
            }
        }
    }

    /**
     * Writes its settings again, which are other ones than at its start: its attempt was spare work and is so no more. From now
     * on the kernel does not choose it first when memory runs out. Does nothing where the group is gone.
     */
    public void standUp() {
        settings.stream()
                .filter(setting -> Files.exists(setting.file()))
                .forEach(setting -> tryWrite(setting.file(), setting.value()));
        processes().forEach(pid -> tryWrite(Path.of("/proc", Long.toString(pid), "oom_score_adj"), "0"));
    }

    private static void tryWrite(Path file, String value) {
        try {
            Files.writeString(file, value, StandardOpenOption.WRITE);
        } catch (IOException ending) {
            // it ends, or this agent may not
        }
    }

    /** How often the kernel has killed a process of the attempt at the limit. */
    long memoryKills() {
        String file = isVersion2 ? "memory.events" : "memory.oom_control";
        return field(counted.get(0).resolve(file), "oom_kill");
    }

    long memoryPeakBytes() {
        return number("memory.peak", "memory.max_usage_in_bytes");
    }

    /** The memory in use now. */
    public long memoryBytes() {
        return number("memory.current", "memory.usage_in_bytes");
    }

    /** Processor time since its start. */
    public OptionalLong cpuNanos() {
        for (Path folder : counted) {
            if (isVersion2) {
                return OptionalLong.of(field(folder.resolve("cpu.stat"), "usage_usec") * 1_000);
            }
            Path usage = folder.resolve("cpuacct.usage");
            if (Files.exists(usage)) {
                return OptionalLong.of(number(usage));
            }
        }
        return OptionalLong.empty();
    }

    /** The processes in it, including those that left their session and emptied their environment. */
    List<Long> processes() {
        return Stream.of(folders.get(0), counted.get(0))
                .distinct()
                .flatMap(folder -> members(folder).stream())
                .toList();
    }

    /** One of them that lives in process namespaces of the attempt's own. */
    public OptionalLong inside() {
        return processes().stream()
                .mapToLong(Long::longValue)
                .filter(ProcessTable::isInNamespace)
                .findFirst();
    }

    private static List<Long> members(Path folder) {
        try {
            return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
                    .map(Long::valueOf)
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    /**
     * Kills its processes, and then those that were begun meanwhile. It prevents new forks before that second round, because a
     * fork bomb would otherwise go on forever; not before the first, because a shell that cannot fork ends by itself, with another
     * exit code. An empty group stays empty.
     */
    void killAll() {
        List<Long> found = processes();
        if (!found.isEmpty()) {
            kill(found);
            all().forEach(TaskGroup::forbidForks);
            kill(processes());
        }
    }

    private static void kill(List<Long> processes) {
        processes.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private static void forbidForks(Path folder) {
        Path most = folder.resolve("pids.max");
        try {
            if (Files.exists(most)) {
                Files.writeString(most, "0");
            }
        } catch (IOException alreadyGone) {
            // then nothing forks there
        }
    }

    /** Removes it, and kills what is left in it until it is empty. Returns whether it is gone. */
    boolean remove() {
        if (folders.isEmpty()) {
            return true;
        }
        long deadline = System.nanoTime() + REMOVAL_PATIENCE.toNanos();
        while (true) {
            if (removeFolders()) {
                return true;
            }
            killAll();
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(REMOVAL_ROUND_NANOS);
        }
    }

    /** Kills what is in it, and removes it if nothing is left. Does not wait, because a process that the kernel holds may stay. */
    boolean tryRemove() {
        if (folders.isEmpty()) {
            return true;
        }
        killAll();
        return removeFolders();
    }

    /** Removes the folders of a group whose keeper died. Processes still in them are dying. */
    static void removeLeft(List<Path> folders) {
        new TaskGroup(false, folders, List.of(), folders).remove();
    }

    /** Removes its folders, unless a process is in them. Returns whether they are gone. */
    boolean removeFolders() {
        boolean gone = true;
        for (Path folder : all()) {
            try {
                Files.deleteIfExists(folder);
            } catch (IOException stillUsed) {
                gone = false;
            }
        }
        return gone;
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).trim());
        } catch (NoSuchFileException absent) {
            return 0;
        } catch (IOException | NumberFormatException unreadable) {
            return 0;
        }
    }

    private static long field(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name + " ")) {
                    return Long.parseLong(line.substring(name.length() + 1).trim());
                }
            }
        } catch (IOException | NumberFormatException unreadable) {
            return 0;
        }
        return 0;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeBoolean(isVersion2);
        write(out, folders);
        out.writeInt(settings.size());
        for (Setting setting : settings) {
            out.writeUTF(setting.file().toString());
            out.writeUTF(setting.value());
            out.writeBoolean(setting.optional());
        }
        write(out, counted);
    }

    private static void write(DataOutputStream out, List<Path> paths) throws IOException {
        out.writeInt(paths.size());
        for (Path path : paths) {
            out.writeUTF(path.toString());
        }
    }

    static TaskGroup read(DataInputStream in) throws IOException {
        boolean isVersion2 = in.readBoolean();
        List<Path> folders = readPaths(in);
        List<Setting> settings = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            settings.add(new Setting(Path.of(in.readUTF()), in.readUTF(), in.readBoolean()));
        }
        return new TaskGroup(isVersion2, folders, settings, readPaths(in));
    }

    private static List<Path> readPaths(DataInputStream in) throws IOException {
        List<Path> paths = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            paths.add(Path.of(in.readUTF()));
        }
        return paths;
    }
}
