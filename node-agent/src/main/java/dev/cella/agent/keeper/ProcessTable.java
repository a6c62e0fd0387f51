package dev.cella.agent.keeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of this machine at one moment, from {@code /proc}. Processes that end during the reading are left out, and so
 * are zombies, which run nothing any longer.
 *
 * <p>While too many files are open, nothing can be read. A table that left out what it cannot read would take a task's processes
 * for ended, so reading then fails with an {@link UncheckedIOException}: try again later.
 */
final class ProcessTable {
    /**
     * One process. The start time, in clock ticks since boot, distinguishes it from a later one with the same number.
     */
    record Entry(long pid, long session, long startTicks) {}

    private static final Path PROC = Path.of("/proc");

    private static final Path OWN = PROC.resolve("self/stat");

    /** The places of fields in {@code /proc/PID/stat} after the command's closing parenthesis. */
    private static final int STATE = 0;

    private static final int SESSION = 3;
    private static final int START_TICKS = 19;

    private static final String MARK = TaskProcesses.MARK_VARIABLE + "=";

    private final List<Entry> entries;
    private final Map<Long, Optional<String>> marks = new HashMap<>();

    ProcessTable(List<Entry> entries) {
        this.entries = entries;
    }

    static ProcessTable now() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path folder : folders) {
                find(Long.parseLong(folder.getFileName().toString())).ifPresent(entries::add);
            }
        } catch (IOException | DirectoryIteratorException failure) {
            throw unreadable(PROC, failure);
        }
        return new ProcessTable(entries);
    }

    /** The living process with this number, if any. */
    static Optional<Entry> find(long pid) {
        return read(folder(pid).resolve("stat")).flatMap(stat -> parse(pid, stat));
    }

    private static Optional<String> read(Path file) {
        return read(file, OWN);
    }

    /**
     * Empty if the process has ended, if only root may read that of another user's process, or if it is a thread of the kernel, some
     * of whose files cannot be opened.
     *
     * @param own can be opened, unless no file can
     */
    static Optional<String> read(Path file, Path own) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException | AccessDeniedException goneOrForbidden) {
            return Optional.empty();
        } catch (FileSystemException notOpened) {
            checkOpens(own);
            return readAgain(file);
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
    }

    private static void checkOpens(Path own) {
        try {
            Files.newInputStream(own).close();
        } catch (IOException failure) {
            throw unreadable(own, failure);
        }
    }

    /** Another file may just have been closed. */
    private static Optional<String> readAgain(Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException cannotBeOpened) {
            return Optional.empty();
        }
    }

    private static UncheckedIOException unreadable(Path path, Exception failure) {
        return new UncheckedIOException(new IOException("cannot read " + path, failure));
    }

    /** The command is in parentheses and may contain blanks and parentheses itself: the last one closes it. */
    static Optional<Entry> parse(long pid, String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
        if (fields[STATE].equals("Z") || fields[STATE].equals("X")) {
            return Optional.empty();
        }
        return Optional.of(new Entry(pid, Long.parseLong(fields[SESSION]), Long.parseLong(fields[START_TICKS])));
    }

    List<Entry> entries() {
        return entries;
    }

    /**
     * The task's mark in the environment that the process was started with. Empty for a process of another user, whose
     * environment only root may read.
     */
    Optional<String> mark(Entry process) {
        return marks.computeIfAbsent(process.pid(), ProcessTable::readMark);
    }

    private static Optional<String> readMark(long pid) {
        return read(folder(pid).resolve("environ"))
                .flatMap(environment -> Arrays.stream(environment.split("\0", -1))
                        .filter(line -> line.startsWith(MARK))
                        .map(line -> line.substring(MARK.length()))
                        .findFirst());
    }

    /** Returns whether it lives in a process namespace below ours: then it has a number in each. */
    static boolean isInNamespace(long pid) {
        return read(folder(pid).resolve("status")).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("NSpid:"))
                .anyMatch(line -> line.trim().split("\\s+", -1).length > 2);
    }

    private static Path folder(long pid) {
        return PROC.resolve(Long.toString(pid));
    }
}
