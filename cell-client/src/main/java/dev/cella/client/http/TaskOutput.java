package dev.cella.client.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * The part of a task's output that its agent still keeps.
 *
 * @param bytes the text from its first whole line on
 * @param droppedBytes how much was written before, and is not kept any more; 0 also if the agent does not say
 * @param limitBytes how much the agent keeps of each stream; 0 if it does not say
 */
public record TaskOutput(InputStream bytes, long droppedBytes, long limitBytes) implements AutoCloseable {
    /** How much was dropped, in the answer. */
    public static final String DROPPED_HEADER = "cella-log-dropped-bytes";

    /** How much is kept of each stream, in the answer. */
    public static final String LIMIT_HEADER = "cella-log-limit-bytes";

    static TaskOutput of(HttpCall answered) {
        return new TaskOutput(answered.body(), number(answered, DROPPED_HEADER), number(answered, LIMIT_HEADER));
    }

    private static long number(HttpCall answered, String header) {
        return answered.header(header)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
