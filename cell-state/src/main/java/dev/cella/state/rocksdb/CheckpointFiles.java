package dev.cella.state.rocksdb;

import dev.cella.state.core.Checkpoint;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedCheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The checkpoints of a replica that is stopped, for those who only read them. */
public final class CheckpointFiles {
    private CheckpointFiles() {}

    /** A checkpoint whose files are as its manifest says. */
    public record Read(Checkpoint checkpoint) {
        public CheckpointHead head() {
            return checkpoint.head();
        }
    }

    /** Their folders, newest first. */
    public static List<Path> list(Path checkpoints) throws IOException {
        return Files.isDirectory(checkpoints)
                ? CheckpointFolder.list(checkpoints).stream()
                        .map(folder -> checkpoints.resolve(folder.name()))
                        .toList()
                : List.of();
    }

    public static Read read(Path folder) throws IOException, DamagedCheckpointException {
        CheckpointFolder checkpoint = CheckpointFolder.of(folder);
        return new Read(checkpoint.read(checkpoint.check().head()));
    }
}
