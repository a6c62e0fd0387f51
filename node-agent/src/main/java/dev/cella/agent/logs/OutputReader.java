package dev.cella.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * One reader's way through the output of an attempt: one stream after the other, or, when it follows, whichever has
 * something new. Owned by one request, which asks for one chunk at a time.
 */
final class OutputReader {
    private static final int CHUNK_BYTES = 64 * 1024;

    private static final class Cursor {
        final BoundedFile file;
        long offset;

        Cursor(BoundedFile file, long offset) {
            this.file = file;
            this.offset = offset;
        }
    }

    private final List<Cursor> cursors = new ArrayList<>();
    private final boolean follows;

    /** From the beginning, or from the last so many lines of each stream. */
    OutputReader(AttemptOutput output, List<Stream> streams, OptionalLong tail, boolean follows) throws IOException {
        this.follows = follows;
        for (Stream stream : streams) {
            BoundedFile file = output.file(stream);
            long from = tail.isEmpty() ? file.start() : tailOffset(file, tail.getAsLong());
            cursors.add(new Cursor(file, from));
        }
    }

    private static long tailOffset(BoundedFile file, long lines) throws IOException {
        return lines == 0 ? file.end() : file.offsetOfLastLines(lines);
    }

    /** The next bytes, if there are any by now. */
    Optional<ByteBuffer> next() throws IOException {
        for (Cursor cursor : cursors) {
            BoundedFile.Chunk chunk = cursor.file.read(cursor.offset, CHUNK_BYTES);
            if (!chunk.isEmpty()) {
                cursor.offset = chunk.end();
                return Optional.of(chunk.bytes());
            }
        }
        return Optional.empty();
    }

    /** Whether nothing more will come, asked after {@link #next} had nothing. */
    boolean isAtEnd() {
        return !follows
                || cursors.stream().allMatch(cursor -> cursor.file.isComplete() && cursor.offset >= cursor.file.end());
    }

    /** Done when {@link #next} may have something, or nothing more will come. */
    CompletableFuture<?> more() {
        List<CompletableFuture<Void>> open = cursors.stream()
                .filter(cursor -> !cursor.file.isComplete() || cursor.offset < cursor.file.end())
                .map(cursor -> cursor.file.from(cursor.offset))
                .toList();
        return open.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.anyOf(open.toArray(CompletableFuture<?>[]::new));
    }
}
