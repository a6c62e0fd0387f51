package dev.cella.agent.logs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One stream of output as a file that never grows above a bound: the newest bytes are kept. It is two plain files, {@code
 * NAME} and {@code NAME.1}, each at most half the bound; when the first is full it takes the place of the second.
 *
 * <p>A byte is known by its offset in all that was ever written, so that a reader keeps its place over rotations. One
 * thread appends, any may read; a lock guards both. What waits for more is told outside the lock.
 */
final class BoundedFile implements Closeable {
    private static final int LINE_SCAN_BYTES = 64 * 1024;

    private final Path newer;
    private final Path older;
    private final long halfBytes;
    private long olderStart;
    private long newerStart;
    private long end;
    private @Nullable FileChannel appending;
    private boolean complete;
    private CompletableFuture<Void> more = new CompletableFuture<>();

    private BoundedFile(Path folder, String name, long bytesMax) {
        this.newer = folder.resolve(name);
        this.older = folder.resolve(name + ".1");
        this.halfBytes = Math.max(1, bytesMax / 2);
    }

    /** A new, empty one. */
    static BoundedFile create(Path folder, String name, long bytesMax) throws IOException {
        BoundedFile file = new BoundedFile(folder, name, bytesMax);
        file.appending = FileChannel.open(
                file.newer, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        return file;
    }

    /** One that was written before, by an agent that is gone. */
    static BoundedFile open(Path folder, String name) throws IOException {
        BoundedFile file = new BoundedFile(folder, name, Long.MAX_VALUE);
        file.newerStart = size(file.older);
        file.end = file.newerStart + size(file.newer);
        file.complete = true;
        return file;
    }

    private static long size(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    void append(byte[] bytes, int length) throws IOException {
        synchronized (this) {
            for (int from = 0; from < length; ) {
                from += appendSome(ByteBuffer.wrap(bytes, from, length - from));
            }
        }
        tellThoseWhoWait();
    }

    private int appendSome(ByteBuffer bytes) throws IOException {
        if (appending == null) {
            throw new IOException(newer + " is complete");
        }
        if (end - newerStart >= halfBytes) {
            appending = rotate(appending);
        }
        bytes.limit(bytes.position() + (int) Math.min(bytes.remaining(), halfBytes - (end - newerStart)));
        int written = appending.write(bytes);
        end += written;
        return written;
    }

    private FileChannel rotate(FileChannel full) throws IOException {
        full.close();
        Files.move(newer, older, StandardCopyOption.REPLACE_EXISTING);
        olderStart = newerStart;
        newerStart = end;
        return FileChannel.open(newer, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Nothing will be appended any more. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            complete = true;
            if (appending != null) {
                appending.close();
                appending = null;
            }
        }
        tellThoseWhoWait();
    }

    private void tellThoseWhoWait() {
        CompletableFuture<Void> told;
        synchronized (this) {
            told = more;
            more = new CompletableFuture<>();
        }
        told.complete(null);
    }

    synchronized boolean isComplete() {
        return complete;
    }

    /** The offset of the oldest byte that is kept. */
    synchronized long start() {
        return olderStart;
    }

    synchronized long end() {
        return end;
    }

    /** Done when there are bytes from this offset on, or never will be. */
    synchronized CompletableFuture<Void> from(long offset) {
        return end > offset || complete ? CompletableFuture.completedFuture(null) : more;
    }

    /** The bytes from this offset on, or from the oldest that is kept; up to {@code max}, none at the end. */
    synchronized Chunk read(long offset, int max) throws IOException {
        long from = Math.max(offset, olderStart);
        if (from >= end) {
            return new Chunk(from, ByteBuffer.allocate(0));
        }
        boolean inOlder = from < newerStart;
        long segmentStart = inOlder ? olderStart : newerStart;
        long segmentEnd = inOlder ? newerStart : end;
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(max, segmentEnd - from));
        readFully(inOlder ? older : newer, from - segmentStart, bytes);
        return new Chunk(from, bytes.flip());
    }

    private static void readFully(Path path, long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                int read = channel.read(bytes, position + bytes.position());
                if (read < 0) {
                    throw new IOException(path + " is shorter than it was");
                }
            }
        } catch (NoSuchFileException removed) {
            throw new IOException(path + " was removed while it was read", removed);
        }
    }

    /** Where the last so many lines begin. */
    synchronized long offsetOfLastLines(long lines) throws IOException {
        long from = end;
        long breaks = 0;
        boolean isLastByte = true;
        while (from > olderStart) {
            long segmentStart = from > newerStart ? newerStart : olderStart;
            long blockStart = Math.max(segmentStart, from - LINE_SCAN_BYTES);
            ByteBuffer block = read(blockStart, (int) (from - blockStart)).bytes();
            for (int place = block.limit() - 1; place >= 0; place--) {
                if (block.get(place) == '\n' && !isLastByte && ++breaks == lines) {
                    return blockStart + place + 1;
                }
                isLastByte = false;
            }
            from = blockStart;
        }
        return olderStart;
    }

    /** Bytes and the offset of the first of them. */
    record Chunk(long offset, ByteBuffer bytes) {
        boolean isEmpty() {
            return !bytes.hasRemaining();
        }

        long end() {
            return offset + bytes.remaining();
        }
    }
}
