package dev.cella.agent.keeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The journal of an attempt, in its folder: {@code work PATH}, {@code mark M}, {@code group PATH}, {@code led PID START BOOT
 * NAMESPACE}, {@code ended CAUSE CODE}, one per line. A keeper that starts after another one died reads from it which
 * processes and which work folder were left behind, and a reader of the output reads whether more will come. The lines up to
 * the start are one write, each later line is another.
 *
 * <p>After a reboot the journal is still there, no process of the attempt lives, and the number of its first process may be
 * that of any other. So the number counts only in the boot and in the process namespace that gave it.
 */
public final class Journal {
    private static final String FILE = "journal";
    private static final String WORK = "work ";
    private static final String MARK = "mark ";
    private static final String LED = "led ";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private final Path file;

    private Journal(Path file) {
        this.file = file;
    }

    /** Begins the journal of an attempt, with its work folder, its mark and the folders of its control groups. */
    static Journal create(Path folder, Path work, String mark, List<Path> groupFolders) throws IOException {
        Journal journal = new Journal(folder.resolve(FILE));
        StringBuilder lines = new StringBuilder(WORK + work + "\n" + MARK + mark);
        groupFolders.forEach(group -> lines.append("\ngroup ").append(group));
        journal.append(lines.toString());
        return journal;
    }

    /** The control groups of an attempt. */
    static List<Path> groupFolders(Path folder) {
        return lines(folder).orElse(List.of()).stream()
                .filter(line -> line.startsWith("group "))
                .map(line -> Path.of(line.substring("group ".length())))
                .toList();
    }

    /**
     * The work folder of an attempt. If the disk was full, the line may end too early and be the path of another folder. So it
     * counts only if the mark follows, which was written with it.
     */
    static Optional<Path> workFolder(Path folder) {
        List<String> lines = lines(folder).orElse(List.of());
        boolean isWhole = lines.size() > 1
                && lines.get(0).startsWith(WORK)
                && lines.get(1).startsWith(MARK);
        return isWhole ? Optional.of(Path.of(lines.get(0).substring(WORK.length()))) : Optional.empty();
    }

    void led(TaskProcesses.Leader leader) throws IOException {
        append(LED + leader.pid() + " " + leader.startTicks() + " " + numbering());
    }

    /** By what this process' numbers of processes are unique. */
    private static String numbering() throws IOException {
        return Files.readString(BOOT).trim() + " " + Files.readSymbolicLink(NAMESPACE);
    }

    void ended(KeptEnd end) throws IOException {
        append("ended " + end.cause() + " " + end.exitCode());
    }

    /** An attempt that never started has ended, too. */
    public static void endedUnstarted(Path folder) throws IOException {
        Journal journal = new Journal(folder.resolve(FILE));
        journal.append("ended UNSTARTED 0");
    }

    /** The keeper died, and its remaining processes were killed. */
    static void endedUnknown(Path folder) throws IOException {
        new Journal(folder.resolve(FILE)).ended(KeptEnd.unknown());
    }

    private void append(String line) throws IOException {
        try (FileChannel channel = OwnFiles.open(file, StandardOpenOption.APPEND)) {
            append(StandardCharsets.UTF_8.encode(line + "\n"), channel);
        }
    }

    /** A part of a line, as a full disk leaves it, would make the next line a part of it. So it is taken back. */
    private static void append(ByteBuffer bytes, FileChannel channel) throws IOException {
        long before = channel.size();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException diskIsFull) {
            channel.truncate(before);
            throw diskIsFull;
        }
    }

    /** Returns whether nothing more will be printed. A folder without a journal was closed by an old agent. */
    public static boolean isEnded(Path folder) {
        return lines(folder)
                .map(lines -> lines.stream().anyMatch(line -> line.startsWith("ended ")))
                .orElse(true);
    }

    /** A process of the running attempt that is in its namespaces. */
    public static OptionalLong inside(Path folder) {
        return leftBehind(folder).map(TaskProcesses::inside).orElse(OptionalLong.empty());
    }

    /** The processes that an attempt left behind when its keeper died; empty if it has ended. */
    static Optional<TaskProcesses> leftBehind(Path folder) {
        List<String> lines = lines(folder).orElse(List.of());
        Optional<TaskProcesses> task = Optional.empty();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("mark") && words.length == 2) {
                task = Optional.of(TaskProcesses.expected(words[1]));
            } else if (line.startsWith(LED) && isNumberedHere(line) && task.isPresent()) {
                task = Optional.of(
                        task.get().ledBy(new TaskProcesses.Leader(Long.parseLong(words[1]), Long.parseLong(words[2]))));
            } else if (words[0].equals("ended")) {
                return Optional.empty();
            }
        }
        return task;
    }

    /** An older keeper did not write where a number counts. */
    private static boolean isNumberedHere(String led) {
        try {
            return led.endsWith(" " + numbering());
        } catch (IOException unknown) {
            return false;
        }
    }

    private static Optional<List<String>> lines(Path folder) {
        try {
            Path file = folder.resolve(FILE);
            return Files.exists(file) ? Optional.of(Files.readAllLines(file)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
