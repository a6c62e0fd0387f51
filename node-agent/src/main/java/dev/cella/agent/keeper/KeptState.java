package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/** An attempt of the keeper, as a returning agent sees it. An attempt with an end has no process left. */
@SuppressWarnings("ArrayRecordComponent") // the tag is opaque, and nobody compares states
public record KeptState(String mark, byte[] tag, long startedAgoMillis, Optional<KeptEnd> end) {
    /** The same, when that time has passed. */
    KeptState later(long millis) {
        return new KeptState(mark, tag, startedAgoMillis + millis, end);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(mark);
        out.writeInt(tag.length);
        out.write(tag);
        out.writeLong(startedAgoMillis);
        out.writeBoolean(end.isPresent());
        if (end.isPresent()) {
            end.get().write(out);
        }
    }

    static KeptState read(DataInputStream in) throws IOException {
        return new KeptState(
                in.readUTF(),
                in.readNBytes(in.readInt()),
                in.readLong(),
                in.readBoolean() ? Optional.of(KeptEnd.read(in)) : Optional.empty());
    }
}
