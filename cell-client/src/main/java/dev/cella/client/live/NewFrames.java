package dev.cella.client.live;

import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.model.CellVersion;
import java.util.Arrays;

/**
 * Cuts off frames that a copy has already: the feed sends whole log entries, and a copy may be at a version inside one.
 */
final class NewFrames {
    private NewFrames() {}

    /** The frames of the versions after {@code version}. */
    static byte[] after(CellVersion version, byte[] frames) {
        ByteReader in = new ByteReader(frames);
        while (in.hasRemaining()) {
            int start = in.offset();
            ByteReader frame = in.readSlice(in.readInt());
            if (frame.readVarint() > version.number()) {
                return start == 0 ? frames : Arrays.copyOfRange(frames, start, frames.length);
            }
        }
        return new byte[0];
    }
}
