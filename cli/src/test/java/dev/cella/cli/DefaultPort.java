package dev.cella.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The port 7070 of this machine, for one test at a time: one takes it, and a command that knows of no cell asks there. Tests
 * run in several JVMs.
 */
final class DefaultPort implements AutoCloseable {
    private static final Path LOCK = Path.of("target", "default-port.lock");

    private final FileChannel channel;

    private DefaultPort(FileChannel channel) {
        this.channel = channel;
    }

    /** Waits until no other test holds it. */
    static DefaultPort hold() throws IOException {
        FileChannel channel = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.lock();
        return new DefaultPort(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
