package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellTime;
import java.util.List;

/**
 * One entry of the log: a header and the commands that waited when the leader made it. The entry is the unit of visibility.
 * The commands are still bytes ({@link CommandCodec#decode}), so that a command that cannot be decoded is refused alone.
 */
public record Entry(EntryHeader header, List<byte[]> commands) {
    public Entry {
        commands = List.copyOf(commands);
    }

    /**
     * The entry as a cell with that clock applies it. Cell time does not go back, although the time of an entry may: a leader can
     * stamp an entry and then lose and win an election, so that this entry follows another leader's later one.
     */
    public Entry notBefore(CellTime now) {
        if (header.cellTime().compareTo(now) >= 0) {
            return this;
        }
        return new Entry(
                new EntryHeader(header.featureLevel(), now, header.wallTimeMillis(), header.incarnation()), commands);
    }
}
