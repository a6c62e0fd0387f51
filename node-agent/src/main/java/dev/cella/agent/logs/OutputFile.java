package dev.cella.agent.logs;

import dev.cella.agent.keeper.Journal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One stream of an attempt's output, read while the keeper's process may still write it ({@link
 * dev.cella.agent.keeper.OutputWriter} describes the files). The offset in the whole stream identifies a byte, so a reader
 * keeps its place when older bytes are removed.
 *
 * <p>Holds only names: any thread may read.
 */
public final class OutputFile {
    private static final int LINE_SCAN_BYTES = 64 * 1024;

    private record Segment(Path path, long start, long end) {}

    private final Path folder;
    private final String name;

    public OutputFile(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /** Returns whether nothing will be appended from now on; call this before {@link #end}. */
    public boolean isComplete() {
        return Journal.isEnded(folder);
    }

    /** The offset of the oldest kept byte. */
    public long start() throws IOException {
        List<Segment> segments = segments();
        return segments.isEmpty() ? 0 : segments.get(0).start();
    }

    /** The offset of the first whole line. A partial line without its beginning is skipped. */
    long firstLine() throws IOException {
        long oldest = start();
        Chunk chunk = oldest == 0 ? new Chunk(0, ByteBuffer.allocate(0)) : read(oldest, LINE_SCAN_BYTES);
        while (!chunk.isEmpty()) {
            for (int place = 0; place < chunk.bytes().limit(); place++) {
                if (chunk.bytes().get(place) == '\n') {
                    return chunk.offset() + place + 1;
                }
            }
            chunk = read(chunk.end(), LINE_SCAN_BYTES);
        }
        return oldest;
    }

    public long end() throws IOException {
        List<Segment> segments = segments();
        return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).end();
    }

    private List<Segment> segments() throws IOException {
        List<Segment> segments = new ArrayList<>();
        String prefix = name + ".";
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String fileName = String.valueOf(file.getFileName());
                if (fileName.startsWith(prefix)) {
                    addSegment(file, Long.parseLong(fileName.substring(prefix.length())), segments);
                }
            }
        }
        segments.sort(Comparator.comparingLong(Segment::start));
        return segments;
    }

    private static void addSegment(Path file, long start, List<Segment> segments) throws IOException {
        try {
            segments.add(new Segment(file, start, start + Files.size(file)));
        } catch (NoSuchFileException removedMeanwhile) {
            // the writer has begun a newer one
        }
    }

    /** The bytes from this offset on, or from the oldest kept byte; at most {@code max}, none at the end. */
    public Chunk read(long offset, int max) throws IOException {
        while (true) {
            List<Segment> segments = segments();
            for (Segment segment : segments) {
                long from = Math.max(offset, segment.start());
                if (from < segment.end()) {
                    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(max, segment.end() - from));
                    if (readFully(segment.path(), from - segment.start(), bytes)) {
                        return new Chunk(from, bytes.flip());
                    }
                    break;
                }
            }
            if (segments.isEmpty()
                    || offset >= segments.get(segments.size() - 1).end()) {
                return new Chunk(offset, ByteBuffer.allocate(0));
            }
        }
    }

    /** Returns false if the file was removed in the meantime. */
    private static boolean readFully(Path path, long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, position + bytes.position()) < 0) {
                    throw new IOException(path + " is shorter than it was");
                }
            }
            return true;
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    /** The offset of the last {@code lines} lines, or of the first whole line if the file has fewer. */
    long offsetOfLastLines(long lines) throws IOException {
        long oldest = start();
        long from = end();
        long breaks = 0;
        boolean isLastByte = true;
        while (from > oldest) {
            long blockStart = Math.max(oldest, from - LINE_SCAN_BYTES);
            Chunk block = read(blockStart, (int) (from - blockStart));
            int length = (int) Math.min(block.bytes().limit(), from - block.offset());
            if (block.end() < from) {
                block = read(block.end(), (int) (from - block.end()));
                length = (int) Math.min(block.bytes().limit(), from - block.offset());
            }
            for (int place = length - 1; place >= 0; place--) {
                if (block.bytes().get(place) == '\n' && !isLastByte && ++breaks == lines) {
                    return block.offset() + place + 1;
                }
                isLastByte = false;
            }
            from = block.offset();
        }
        return firstLine();
    }

    /** Bytes and the offset of the first of them. */
    public record Chunk(long offset, ByteBuffer bytes) {
        boolean isEmpty() {
            return !bytes.hasRemaining();
        }

        public long end() {
            return offset + bytes.limit();
        }
    }
}
