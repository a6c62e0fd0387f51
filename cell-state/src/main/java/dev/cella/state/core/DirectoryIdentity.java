package dev.cella.state.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.transactions.model.CellName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whose a data directory is. One small text file, and what a replica tells the others of its directory when they ask.
 *
 * @param cell the name of the cell
 * @param directory made at random with the directory: an empty one that took its place has another
 * @param cellId what the logs of one cell have in common
 * @param replica what the replica is called that has it; empty for one that is alone
 * @param members the directories of all replicas when the cell was founded, by the replica's name; empty before that, and
 *     where there is one replica
 * @param hasLog whether a log was begun in it
 * @param peers the members of the log, as far as this replica has heard; empty before it has
 */
public record DirectoryIdentity(
        CellName cell,
        UUID directory,
        UUID cellId,
        String replica,
        SortedMap<String, UUID> members,
        boolean hasLog,
        List<LogPeer> peers) {
    private static final String FORMAT = "1";

    public DirectoryIdentity {
        members = new TreeMap<>(members);
        peers = List.copyOf(peers);
    }

    /** Of a directory that has just been made. */
    static DirectoryIdentity ofNew(CellName cell, UUID id) {
        return new DirectoryIdentity(cell, id, id, "", new TreeMap<>(), false, List.of());
    }

    /** Whether it is known with which others its replica began. */
    public boolean isFounded() {
        return !members.isEmpty();
    }

    DirectoryIdentity foundedWith(String self, SortedMap<String, UUID> directories) {
        return new DirectoryIdentity(cell, directory, cellIdOf(directories), self, directories, hasLog, peers);
    }

    /** Of an empty directory whose replica joins a cell that has begun without it. */
    DirectoryIdentity joining(String self, UUID cell) {
        SortedMap<String, UUID> alone = new TreeMap<>(Map.of(self, directory));
        return new DirectoryIdentity(this.cell, directory, cell, self, alone, hasLog, peers);
    }

    DirectoryIdentity withPeers(List<LogPeer> others) {
        return new DirectoryIdentity(cell, directory, cellId, replica, members, hasLog, others);
    }

    /** Whether a cell has begun in it, by itself or with others. */
    public boolean isOfACell() {
        return isFounded() || hasLog;
    }

    /** Whether its replica came to a cell that had begun without it. */
    public boolean hasJoined() {
        return isFounded() && !cellId.equals(cellIdOf(members));
    }

    /** By which id the log knows the replica of this directory, which is called so. */
    public String peerId(String self) {
        return hasJoined() ? LogPeer.idOfJoiner(self, directory) : self;
    }

    /** Whether the log has a member of that id, as far as this replica has heard. */
    public boolean knows(String peer) {
        return peers.stream().anyMatch(known -> known.id().equals(peer));
    }

    /** All who know the same directories find the same id, without asking anybody for one. */
    private static UUID cellIdOf(SortedMap<String, UUID> directories) {
        return UUID.nameUUIDFromBytes(words(directories).getBytes(UTF_8));
    }

    DirectoryIdentity withLog() {
        return new DirectoryIdentity(cell, directory, cellId, replica, members, true, peers);
    }

    /** As lines {@code key=value}. */
    public String toText() {
        return "format=%s\ncell=%s\nid=%s\ndirectory=%s\nreplica=%s\nmembers=%s\nlog=%s\npeers=%s\n"
                .formatted(FORMAT, cell, cellId, directory, replica, words(members), hasLog, peersText());
    }

    private String peersText() {
        return peers.stream().map(LogPeer::toText).collect(Collectors.joining(","));
    }

    private static String words(SortedMap<String, UUID> members) {
        return members.entrySet().stream()
                .map(member -> member.getKey() + ":" + member.getValue())
                .collect(Collectors.joining(","));
    }

    /** Fails with {@link IllegalArgumentException} if it is not what {@link #toText} wrote, here or in an earlier release. */
    public static DirectoryIdentity parse(String text) {
        Map<String, String> said = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int at = line.indexOf('=');
            if (at > 0) {
                said.put(line.substring(0, at), line.substring(at + 1));
            }
        });
        if (!FORMAT.equals(said.get("format"))) {
            throw new IllegalArgumentException("its format is " + said.get("format") + ", not " + FORMAT);
        }
        UUID cellId = UUID.fromString(said.getOrDefault("id", ""));
        return new DirectoryIdentity(
                new CellName(said.getOrDefault("cell", "")),
                said.containsKey("directory") ? UUID.fromString(said.get("directory")) : cellId,
                cellId,
                said.getOrDefault("replica", ""),
                parseMembers(said.getOrDefault("members", "")),
                Boolean.parseBoolean(said.get("log")),
                parsePeers(said.getOrDefault("peers", "")));
    }

    private static List<LogPeer> parsePeers(String words) {
        return words.isEmpty()
                ? List.of()
                : Stream.of(words.split(",", -1)).map(LogPeer::parse).toList();
    }

    private static SortedMap<String, UUID> parseMembers(String words) {
        SortedMap<String, UUID> members = new TreeMap<>();
        for (String word : words.isEmpty() ? new String[0] : words.split(",", -1)) {
            int at = word.lastIndexOf(':');
            members.put(word.substring(0, Math.max(at, 0)), UUID.fromString(word.substring(at + 1)));
        }
        return members;
    }
}
