package dev.cella.agent.logs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** What one attempt prints: its two streams, in its folder. */
public final class AttemptOutput implements Closeable {
    private final Path folder;
    private final BoundedFile stdout;
    private final BoundedFile stderr;

    private AttemptOutput(Path folder, BoundedFile stdout, BoundedFile stderr) {
        this.folder = folder;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    static AttemptOutput create(Path folder, long streamBytesMax) throws IOException {
        return new AttemptOutput(
                folder,
                BoundedFile.create(folder, Stream.STDOUT.word(), streamBytesMax),
                BoundedFile.create(folder, Stream.STDERR.word(), streamBytesMax));
    }

    static AttemptOutput open(Path folder) throws IOException {
        return new AttemptOutput(
                folder, BoundedFile.open(folder, Stream.STDOUT.word()), BoundedFile.open(folder, Stream.STDERR.word()));
    }

    /** The attempt's own folder, which is removed with its output. */
    public Path folder() {
        return folder;
    }

    /** Appends the first bytes of the array. */
    public void append(Stream stream, byte[] bytes, int length) throws IOException {
        file(stream).append(bytes, length);
    }

    /** The attempt has ended: nothing will be appended any more. */
    @Override
    public void close() throws IOException {
        stdout.close();
        stderr.close();
    }

    BoundedFile file(Stream stream) {
        return switch (stream) {
            case STDOUT -> stdout;
            case STDERR -> stderr;
        };
    }
}
