package dev.cella.state.core;

import java.net.URI;
import java.util.Optional;
import java.util.UUID;

/**
 * A member of the log, as the log itself stores it.
 *
 * <p>The id of a replica that joined a running cell, or replaced one whose directory was lost, contains a part of its
 * directory's identity. So the log never mistakes an empty directory for the former one, and never counts the vote of a
 * replaced member.
 *
 * @param id the replica's name, followed by {@code @} and a part of its directory's identity unless it founded the cell
 * @param log {@code host:port}, where the other logs reach its log
 * @param address the address of its doors, as {@code http://host:port}; empty if the log does not know it
 */
public record LogPeer(String id, String log, String address) {
    private static final char JOINED = '@';
    private static final int IDENTITY_LETTERS = 8;

    /** The id of a replica that joins with that directory. */
    public static String idOfJoiner(String name, UUID directory) {
        return name + JOINED + directory.toString().substring(0, IDENTITY_LETTERS);
    }

    /** The replica's name in that id. */
    public static String nameIn(String id) {
        int at = id.indexOf(JOINED);
        return at < 0 ? id : id.substring(0, at);
    }

    public String name() {
        return nameIn(id);
    }

    /** Empty if the address of its doors is unknown. */
    Optional<Membership.Member> member() {
        return address.isEmpty()
                ? Optional.empty()
                : Optional.of(new Membership.Member(name(), log, URI.create(address)));
    }

    /** As one word of the identity file. */
    String toText() {
        return id + " " + log + " " + address;
    }

    static LogPeer parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is no member of a log");
        }
        return new LogPeer(words[0], words[1], words[2]);
    }
}
