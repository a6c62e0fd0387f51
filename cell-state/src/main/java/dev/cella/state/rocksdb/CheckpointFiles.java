package dev.cella.state.rocksdb;

import dev.cella.state.core.Checkpoint;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedCheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Reads the checkpoints of a stopped replica. */
public final class CheckpointFiles {
    private CheckpointFiles() {}

    /** A checkpoint whose files match its manifest. */
    public record Read(Checkpoint checkpoint) {
        public CheckpointHead head() {
            return checkpoint.head();
        }
    }

    /** The folders of the checkpoints, newest first. */
    public static List<Path> list(Path checkpoints) throws IOException {
        return Files.isDirectory(checkpoints)
                ? CheckpointFolder.list(checkpoints).stream()
                        .map(folder -> checkpoints.resolve(folder.name()))
                        .toList()
                : List.of();
    }

    /** Reads one of a replica whose log has that id. */
    public static Read read(Path folder, UUID cellId) throws IOException, DamagedCheckpointException {
        CheckpointFolder checkpoint = CheckpointFolder.of(folder);
        return new Read(checkpoint.read(checkpoint.check(cellId).head()));
    }
}
