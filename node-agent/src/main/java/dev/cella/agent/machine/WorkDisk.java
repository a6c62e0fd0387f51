package dev.cella.agent.machine;

import dev.cella.agent.keeper.Folders;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The disk that tasks work on, when their agent starts. The files of tasks of an earlier agent count as free: these
 * tasks hold that room in the cell already, and give it back when they end. So does kept output, up to what is reserved for it.
 *
 * @param workBytes written by attempts that an earlier agent left
 * @param outputBytes of the output that is kept on the same disk
 */
public record WorkDisk(long usableBytes, long totalBytes, long workBytes, long outputBytes) {
    private static final int MEBI_SHIFT = 20;

    /** Half of what a machine does not offer; servers may need the other half. */
    private static final long OUTPUT_BYTES_MAX = 1L << 30;

    /** The agent starts within the lease of its tasks. Files that it does not come to count as used. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * Looks at it.
     *
     * @param work the folder of all work folders, which need not exist yet
     */
    public static WorkDisk read(Path work, Path outputs) throws IOException {
        return read(work, outputs, PATIENCE);
    }

    /** The same, for which each of the two folders may take that time. */
    static WorkDisk read(Path work, Path outputs, Duration patience) throws IOException {
        FileStore disk = store(work);
        boolean hasOutputs = store(outputs).equals(disk);
        return new WorkDisk(
                disk.getUsableSpace(),
                disk.getTotalSpace(),
                Folders.bytesBelow(work, patience),
                hasOutputs ? Folders.bytesBelow(outputs, patience) : 0);
    }

    private static FileStore store(Path path) throws IOException {
        Path existing = path.toAbsolutePath();
        while (Files.notExists(existing)) {
            existing = Objects.requireNonNull(existing.getParent(), "the root exists");
        }
        return Files.getFileStore(existing);
    }

    long freeMib() {
        return Math.min(totalBytes, usableBytes + workBytes + Math.min(outputBytes, OUTPUT_BYTES_MAX)) >> MEBI_SHIFT;
    }
}
