package dev.cella.wholecell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A disk whose power a test cuts: ext4 in a file, mounted in its own mount namespace, which a sleeping process keeps open.
 * A cut drops everything that the kernel has not been told to write, and the disk answers nothing until it is mounted
 * again.
 *
 * <p>If this machine does not allow it, the test is skipped with a message.
 */
final class LoopDisk implements AutoCloseable {
    private static final String MOUNTED = "mounted";

    /** FS_IOC_SHUTDOWN without a flush of the journal. */
    private static final String CUT = """
            import fcntl, os, struct, sys
            fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
            """;

    private final Path path;
    private final Path image;
    private final Process holder;

    private LoopDisk(Path path, Path image, Process holder) {
        this.path = path;
        this.image = image;
        this.holder = holder;
    }

    static LoopDisk mount(Path path) {
        Path image = path.resolveSibling(path.getFileName() + ".img");
        String script =
                "truncate -s 4g '%2$s' && mkfs.ext4 -q -F '%2$s' && mount -o loop '%2$s' '%1$s' && echo %3$s && exec sleep 3600"
                        .formatted(path, image, MOUNTED);
        try {
            Files.createDirectories(path);
            Process holder = new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                    .redirectErrorStream(true)
                    .start();
            String said = String.valueOf(holder.inputReader().readLine());
            Assumptions.assumeTrue(said.equals(MOUNTED), "skipped: no disk can be made on this machine: " + said);
            return new LoopDisk(path, image, holder);
        } catch (IOException e) {
            return Assumptions.abort("skipped: no disk can be made on this machine: " + e.getMessage());
        }
    }

    /** Before a command, so that it sees the disk. */
    List<String> enter() {
        return List.of("nsenter", "--target", String.valueOf(holder.pid()), "--mount");
    }

    void cutPower() {
        run("python3", "-c", CUT, path.toString());
    }

    /** Nothing may use the disk any more. */
    void mountAgain() {
        run("sh", "-c", "umount '%1$s' && mount -o loop '%2$s' '%1$s'".formatted(path, image));
    }

    private void run(String... command) {
        List<String> inside = new ArrayList<>(enter());
        inside.addAll(List.of(command));
        try {
            Process process =
                    new ProcessBuilder(inside).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(inside + ": " + said);
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
