package dev.cella.agent;

import dev.cella.agent.keeper.OwnFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a data directory. Two agents on one directory would both adopt the same tasks, so the second one is refused.
 */
final class DataLock implements AutoCloseable {
    private final FileChannel channel;

    private DataLock(FileChannel channel) {
        this.channel = channel;
    }

    static DataLock take(Path dataDirectory) throws IOException {
        Path file = dataDirectory.resolve("agent.lock");
        OwnFiles.createFile(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new IOException(
                    "another agent uses " + dataDirectory + ": stop it, or give this one its own directory");
        }
        return new DataLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
