package dev.cella.agent.keeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes one stream of output as files whose total size is bounded: the newest bytes are kept. Each file is named {@code
 * NAME.OFFSET}, with the offset of its first byte in the whole stream, and holds at most half the bound; there are at most
 * two. A reader in another process finds its place by the names. A stream without a byte has no file: many short tasks print
 * nothing, and ext4 without a journal looks at all files that were lately removed before it makes another.
 *
 * <p>One thread writes.
 */
public final class OutputWriter implements Closeable {
    private final Path folder;
    private final String name;
    private final long halfBytes;
    private long start;
    private long end;
    private @Nullable Path older;
    private Path newer;
    private @Nullable FileChannel channel;

    private OutputWriter(Path folder, String name, long bytesMax) {
        this.folder = folder;
        this.name = name;
        this.halfBytes = Math.max(1, bytesMax / 2);
        this.newer = folder.resolve(name + ".0");
    }

    /** Adds a line of the agent's own to output that is no longer written. */
    public static void addLine(Path folder, String name, String line) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path newest = files.filter(
                            file -> String.valueOf(file.getFileName()).startsWith(name + "."))
                    .max(Comparator.comparingLong(OutputWriter::offset))
                    .orElse(folder.resolve(name + ".0"));
            OwnFiles.createFile(newest);
            Files.writeString(newest, line + "\n", StandardOpenOption.APPEND);
        }
    }

    private static long offset(Path file) {
        String fileName = String.valueOf(file.getFileName());
        return Long.parseLong(fileName.substring(fileName.lastIndexOf('.') + 1));
    }

    /** A new, empty one. */
    public static OutputWriter create(Path folder, String name, long bytesMax) {
        return new OutputWriter(folder, name, bytesMax);
    }

    /** The agent may have added lines of its own, which stay. */
    private FileChannel opened() throws IOException {
        if (channel == null) {
            channel = OwnFiles.open(newer, StandardOpenOption.APPEND);
        }
        return channel;
    }

    /** Appends the first bytes of the array. */
    public void append(byte[] bytes, int length) throws IOException {
        for (int from = 0; from < length; ) {
            from += appendSome(ByteBuffer.wrap(bytes, from, length - from));
        }
    }

    private int appendSome(ByteBuffer bytes) throws IOException {
        if (end - start >= halfBytes) {
            rotate();
        }
        bytes.limit(bytes.position() + (int) Math.min(bytes.remaining(), halfBytes - (end - start)));
        FileChannel file = opened();
        int written = file.write(bytes);
        end = start + file.position();
        return written;
    }

    /** The next file begins after the lines that the agent has added to this one. */
    private void rotate() throws IOException {
        end = start + opened().size();
        close();
        channel = null;
        if (older != null) {
            Files.deleteIfExists(older);
        }
        older = newer;
        newer = folder.resolve(name + "." + end);
        start = end;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
