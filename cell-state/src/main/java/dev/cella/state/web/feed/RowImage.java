package dev.cella.state.web.feed;

import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a row at one version. Its JSON is written when the first reader over HTTP needs it, and then kept.
 */
final class RowImage {
    /** The ratio of its size in memory to its size in bytes. */
    private static final int BYTES_OF_MEMORY_A_BYTE = 4;

    private final Supplier<? extends Message> making;
    private final JsonCodec codec;
    private volatile @Nullable Message message;
    private volatile @Nullable String json;

    /** The message is made when the first reader needs it, so what it is made from must not change. */
    RowImage(Supplier<? extends Message> making, JsonCodec codec) {
        this.making = making;
        this.codec = codec;
    }

    /** Two readers may make it at the same time; they make the same. */
    Message message() {
        Message made = message;
        if (made == null) {
            made = making.get();
            message = made;
        }
        return made;
    }

    /** Two readers may write it at the same time; they write the same. */
    String json() {
        String written = json;
        if (written == null) {
            written = codec.write(message());
            json = written;
        }
        return written;
    }

    long weight() {
        return (long) BYTES_OF_MEMORY_A_BYTE * message().getSerializedSize();
    }
}
