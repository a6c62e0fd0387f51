package dev.cella.wholecell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A disk whose size a test sets while it is used: a tmpfs in its own mount namespace, which a sleeping process keeps open and
 * others enter. Nothing outside sees it, and nothing of it remains.
 *
 * <p>If this machine does not allow it, the test is skipped with a message.
 */
final class SmallDisk implements AutoCloseable {
    /** More than the free space that a server needs to start; unwritten space takes no memory. */
    private static final String ROOMY = "4g";

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final String MOUNTED = "mounted";

    private final Path path;
    private final Process holder;

    private SmallDisk(Path path, Process holder) {
        this.path = path;
        this.holder = holder;
    }

    static SmallDisk mount(Path path) {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
        if (!ROOT) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        String script =
                "mount -t tmpfs -o size=%s none '%s' && echo %s && exec sleep 3600".formatted(ROOMY, path, MOUNTED);
        command.addAll(List.of("sh", "-c", script));
        try {
            Files.createDirectories(path);
            Process holder =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = String.valueOf(holder.inputReader().readLine());
            Assumptions.assumeTrue(said.equals(MOUNTED), "skipped: no disk can be made on this machine: " + said);
            return new SmallDisk(path, holder);
        } catch (IOException e) {
            return Assumptions.abort("skipped: no disk can be made on this machine: " + e.getMessage());
        }
    }

    /** Before a command, so that it sees the disk. */
    List<String> enter() {
        List<String> command = new ArrayList<>(List.of("nsenter", "--target", String.valueOf(holder.pid()), "--mount"));
        if (!ROOT) {
            command.addAll(List.of("--user", "--preserve-credentials"));
        }
        return command;
    }

    /** Leaves that much room beyond the present content. */
    void leaveRoomFor(int kib) {
        run("size=$(( $(df -k --output=used '%s' | tail -1) + %d ))k".formatted(path, kib));
    }

    void makeRoom() {
        run("size=" + ROOMY);
    }

    /** Nobody may have a file of it open for writing. */
    void makeReadOnly() {
        run("ro");
    }

    /** The text of a file on it; empty if it does not exist. */
    String read(Path file) {
        List<String> command = enter();
        command.addAll(List.of("sh", "-c", "cat '%s' 2>/dev/null".formatted(file)));
        try {
            Process cat = new ProcessBuilder(command).start();
            return new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(String option) {
        List<String> command = enter();
        command.addAll(List.of("sh", "-c", "mount -o remount,%s none '%s'".formatted(option, path)));
        try {
            Process remount =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(remount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!remount.waitFor(1, TimeUnit.MINUTES) || remount.exitValue() != 0) {
                throw new AssertionError(command + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while changing a disk", e);
        }
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
