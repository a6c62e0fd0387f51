package dev.cella.state.ratis;

import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The ids under which the processes of one cell propose entries. The log keeps the id with each entry, and an id contains a
 * mark of its cell. So an entry of another cell is noticed, although its index and its checksum are right.
 *
 * <p>Ids of earlier programs are random UUIDs, of version 4. Ids with a mark have version 8. Entries without a mark are
 * accepted.
 */
final class Proposers {
    private static final long VERSION_MASK = 0xF000;
    private static final long MARKED = 0x8000;

    private final long mark;

    Proposers(UUID cell) {
        this.mark = Long.rotateLeft(cell.getMostSignificantBits(), 32) ^ cell.getLeastSignificantBits();
    }

    /** A new id for this process. */
    ClientId next() {
        UUID random = ClientId.randomId().getUuid();
        return ClientId.valueOf(new UUID((mark & ~VERSION_MASK) | MARKED, random.getLeastSignificantBits()));
    }

    /** Returns whether a process of another cell has proposed the entry. */
    boolean isForeign(LogEntryProto entry) {
        ByteString id = entry.getStateMachineLogEntry().getClientId();
        if (id.size() < Long.BYTES) {
            return false;
        }
        long high = id.asReadOnlyByteBuffer().getLong();
        return (high & VERSION_MASK) == MARKED && (high & ~VERSION_MASK) != (mark & ~VERSION_MASK);
    }
}
