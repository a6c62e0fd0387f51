package dev.cella.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One reader of an attempt's output: one stream after the other, or, if it follows, whichever has new bytes. Owned by one
 * request, which asks for one chunk at a time.
 */
final class OutputReader {
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final long POLL_MILLIS = 50;

    private static final class Cursor {
        final OutputFile file;
        long offset;

        Cursor(OutputFile file, long offset) {
            this.file = file;
            this.offset = offset;
        }
    }

    private final List<Cursor> cursors = new ArrayList<>();
    private final boolean follows;
    private long droppedBytes;

    /** Reads from the first whole line, or from the last {@code tail} lines of each stream. */
    OutputReader(Path folder, List<Stream> streams, OptionalLong tail, boolean follows) throws IOException {
        this.follows = follows;
        for (Stream stream : streams) {
            OutputFile file = new OutputFile(folder, stream.word());
            long firstLine = file.firstLine();
            long from = tail.isEmpty() ? firstLine : tailOffset(file, tail.getAsLong());
            droppedBytes += from == firstLine ? from : 0;
            cursors.add(new Cursor(file, from));
        }
    }

    /** How much of what was asked for is not kept any more. */
    long droppedBytes() {
        return droppedBytes;
    }

    private static long tailOffset(OutputFile file, long lines) throws IOException {
        return lines == 0 ? file.end() : file.offsetOfLastLines(lines);
    }

    /** Where in its stream it begins, before {@link #next} is called; empty for two streams. */
    OptionalLong offset() {
        return cursors.size() == 1 ? OptionalLong.of(cursors.get(0).offset) : OptionalLong.empty();
    }

    /** The next bytes, if there are any now. */
    Optional<ByteBuffer> next() throws IOException {
        for (Cursor cursor : cursors) {
            OutputFile.Chunk chunk = cursor.file.read(cursor.offset, CHUNK_BYTES);
            if (!chunk.isEmpty()) {
                cursor.offset = chunk.end();
                return Optional.of(chunk.bytes());
            }
        }
        return Optional.empty();
    }

    /** Returns whether nothing more will come; call this after {@link #next} was empty. */
    boolean isAtEnd() throws IOException {
        if (!follows) {
            return true;
        }
        for (Cursor cursor : cursors) {
            if (!cursor.file.isComplete() || cursor.offset < cursor.file.end()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Completes when {@link #next} should be called again. It polls, because another process writes without notification.
     */
    static CompletableFuture<?> more() {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(POLL_MILLIS, TimeUnit.MILLISECONDS));
    }
}
