package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.FileWords;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.state.CellRestore;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.StartRefusedException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella cell backup}: the cell at one version, as a file. */
@Command(
        name = "backup",
        header = "Writes the running cell to a file, at one version.",
        description = {
            "",
            "The file is complete and readable when the command is done: it is written under another name, read and"
                    + " loaded once, and",
            "renamed. With --every a file named FILE-TIME is written again and again, until the command is stopped.",
            "JSON and YAML are {file, bytes, cell, incarnation, version}.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella cell backup cell.backup",
            "  cella cell backup /var/backups/cell --every 1h --keep 24"
        })
public final class CellBackupCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    /** Two backups of one second have one name. */
    private static final Duration EVERY_MIN = Duration.ofSeconds(1);

    private static final String TIME_PATTERN = "-\\d{8}T\\d{6}Z";

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "where to write it")
    private String file = "";

    @Option(
            names = "--every",
            paramLabel = "DURATION",
            description = "writes a backup at this interval, each with its time in its name")
    private @Nullable Duration every;

    @Option(names = "--keep", paramLabel = "N", description = "with --every: how many backups to keep (default: 24)")
    private int keep = 24;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellBackupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        output.refuseNames();
        if (keep < 1) {
            throw CommandFailure.usage("--keep is 1 or more, not " + keep, "see cella cell backup --help");
        }
        Path path = terminal.environment().path(file).toAbsolutePath();
        HttpCell cell = cellOption.open(terminal);
        Duration between = every;
        if (between != null && between.compareTo(EVERY_MIN) < 0) {
            throw CommandFailure.usage("--every is at least 1s", "see cella cell backup --help");
        }
        checkFolder(path);
        if (between == null) {
            checkPlace(path);
            backUp(cell, part(path), path);
            return ExitCode.DONE.number();
        }
        return repeat(cell, path, between);
    }

    private static void checkFolder(Path path) {
        if (!Files.isDirectory(path.resolveSibling(""))) {
            throw CommandFailure.failed(
                    "there is no directory " + path.getParent(), "make it, or name a file in another one");
        }
    }

    /** The new file takes the place of what is there: for root also that of a device, such as {@code /dev/stdout}. */
    private static void checkPlace(Path path) {
        if (Files.isDirectory(path)) {
            throw CommandFailure.failed(
                    path + " is a directory", "name a file in it, such as " + path.resolve("cell.backup"));
        }
        if (Files.isSymbolicLink(path) || (Files.exists(path) && !Files.isRegularFile(path))) {
            throw CommandFailure.failed(
                    path + " is a link or a device, and the backup would take its place", "name a file");
        }
    }

    /** A failed backup is reported, and the next one is made at its time. */
    private int repeat(HttpCell cell, Path path, Duration between) throws InterruptedException {
        while (true) {
            Instant now = terminal.environment().clock().instant();
            try {
                backUp(cell, part(path), path.resolveSibling(path.getFileName() + "-" + TIME.format(now)));
                removeOld(path);
            } catch (Problem | CellUnreachable | CommandFailure failed) {
                terminal.say("error: no backup was made: " + failed.getMessage());
            } catch (IOException failed) {
                terminal.say("error: no backup was made: " + FileWords.of(failed));
            }
            terminal.out().flush();
            Thread.sleep(between.toMillis());
        }
    }

    /** It has the same name each time, so that no more than one unfinished file is left behind. */
    private static Path part(Path path) {
        return path.resolveSibling(path.getFileName() + ".part");
    }

    private void backUp(HttpCell cell, Path part, Path path) throws IOException {
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // Files.copy would replace the file by one with the usual permissions.
        try (InputStream in = sent(cell);
                OutputStream out = Files.newOutputStream(part, StandardOpenOption.WRITE)) {
            in.transferTo(out);
        }
        CheckpointHead head = check(part);
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        long bytes = Files.size(path);
        output.print(
                terminal,
                () -> data(path, head, bytes),
                () -> terminal.print("wrote %s: cell %s at version %s, %d KiB"
                        .formatted(path, head.cell(), head.version(), (bytes + 1023) / 1024)));
    }

    private static Map<String, Object> data(Path path, CheckpointHead head, long bytes) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("file", path.toString());
        data.put("bytes", bytes);
        data.put("cell", head.cell().text());
        data.put("incarnation", head.incarnation().toString());
        data.put("version", head.version().number());
        return data;
    }

    /** The backup as the cell sends it. A connection that breaks is no failure of the file. */
    private static InputStream sent(HttpCell cell) {
        return new FilterInputStream(cell.backup()) {
            @Override
            public int read(byte[] buffer, int offset, int length) {
                try {
                    return super.read(buffer, offset, length);
                } catch (IOException broken) {
                    throw CellUnreachable.brokeOff(cell.address(), "the backup", broken);
                }
            }
        };
    }

    private static CheckpointHead check(Path part) throws IOException {
        try {
            return CellRestore.check(part);
        } catch (DamagedBackupException | DamagedCheckpointException damaged) {
            throw CommandFailure.failed(
                    part + " cannot be restored: " + damaged.getMessage(), "ask again; the connection may have broken");
        } catch (StartRefusedException newer) {
            throw CommandFailure.failed(part + " cannot be checked: " + newer.getMessage(), newer.hint());
        }
    }

    private void removeOld(Path path) throws IOException {
        String name = path.getFileName().toString();
        try (Stream<Path> files = Files.list(path.resolveSibling(""))) {
            List<Path> backups = files.filter(
                            other -> isBackup(name, other.getFileName().toString()))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (Path old : backups.subList(Math.min(keep, backups.size()), backups.size())) {
                Files.delete(old);
            }
        }
    }

    private static boolean isBackup(String name, String other) {
        return other.startsWith(name) && other.substring(name.length()).matches(TIME_PATTERN);
    }
}
