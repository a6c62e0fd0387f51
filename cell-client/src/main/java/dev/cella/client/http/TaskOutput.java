package dev.cella.client.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * The part of a task's output that its agent still keeps.
 *
 * @param bytes the text from its first whole line on
 * @param droppedBytes how much was written before, and is not kept any more; 0 also if the agent does not say
 * @param limitBytes how much the agent keeps of each stream; 0 if it does not say
 * @param offset where in the whole stream {@code bytes} begins; after what was dropped, if the agent does not say
 */
public record TaskOutput(InputStream bytes, long droppedBytes, long limitBytes, long offset) implements AutoCloseable {
    /** How much was dropped, in the answer. */
    public static final String DROPPED_HEADER = "cella-log-dropped-bytes";

    /** How much is kept of each stream, in the answer. */
    public static final String LIMIT_HEADER = "cella-log-limit-bytes";

    /** Where in its stream the answer begins; absent if it is of two streams. */
    public static final String OFFSET_HEADER = "cella-log-offset";

    static TaskOutput of(HttpCall answered) {
        long dropped = number(answered, DROPPED_HEADER, 0);
        return new TaskOutput(
                answered.body(), dropped, number(answered, LIMIT_HEADER, 0), number(answered, OFFSET_HEADER, dropped));
    }

    private static long number(HttpCall answered, String header, long unsaid) {
        return answered.header(header)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElse(unsaid);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
