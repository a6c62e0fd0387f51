package dev.cella.state.web.feed;

import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import org.jspecify.annotations.Nullable;

/**
 * The content of a row at one version. Its JSON is written when the first reader over HTTP needs it, and then kept.
 */
final class RowImage {
    /** The ratio of its size in memory to its size in bytes. */
    private static final int BYTES_OF_MEMORY_A_BYTE = 4;

    private final Message message;
    private final JsonCodec codec;
    private volatile @Nullable String json;

    RowImage(Message message, JsonCodec codec) {
        this.message = message;
        this.codec = codec;
    }

    Message message() {
        return message;
    }

    /** Two readers may write it at the same time; they write the same. */
    String json() {
        String written = json;
        if (written == null) {
            written = codec.write(message);
            json = written;
        }
        return written;
    }

    long weight() {
        return (long) BYTES_OF_MEMORY_A_BYTE * message.getSerializedSize();
    }
}
