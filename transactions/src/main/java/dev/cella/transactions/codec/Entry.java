package dev.cella.transactions.codec;

import java.util.List;

/**
 * One entry of the log: a header and the commands that waited when the leader made it. The entry is the unit of visibility.
 * The commands are still bytes ({@link CommandCodec#decode}), so that a command that cannot be decoded is refused alone.
 */
public record Entry(EntryHeader header, List<byte[]> commands) {
    public Entry {
        commands = List.copyOf(commands);
    }
}
