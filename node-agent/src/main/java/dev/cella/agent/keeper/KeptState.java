package dev.cella.agent.keeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/** An attempt that the keeper has, as an agent that comes back is told of it; one with an end has no process any more. */
@SuppressWarnings("ArrayRecordComponent") // the tag is opaque, and nobody compares states
public record KeptState(String mark, byte[] tag, long startedAgoMillis, Optional<KeptEnd> end) {
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
