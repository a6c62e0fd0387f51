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
 * The owner of a data directory, as one small text file. Other replicas get the same data when they ask about the directory.
 *
 * @param cell the name of the cell
 * @param directory made at random with the directory: an empty directory in its place has another
 * @param cellId the id that the logs of one cell share
 * @param replica the name of the replica that owns it; empty for a lone replica
 * @param members the directories of all replicas when the cell was founded, by the replica's name; empty before that, and for
 *     a lone replica
 * @param hasLog whether a log was begun in it
 * @param peers the members of the log, as far as this replica knows; empty before it knows any
 * @param level the feature level at which the replicas found the cell. Before that, an answer states the newest one that the
 *     replica's program knows. 0 if that is not said.
 * @param wasMember whether its replica has been a member of the log, as far as it knows. Remains true when the log goes on
 *     without it, so that a replica that was removed is told from one that has not joined yet.
 */
public record DirectoryIdentity(
        CellName cell,
        UUID directory,
        UUID cellId,
        String replica,
        SortedMap<String, UUID> members,
        boolean hasLog,
        List<LogPeer> peers,
        int level,
        boolean wasMember) {
    private static final String FORMAT = "1";

    public DirectoryIdentity {
        members = new TreeMap<>(members);
        peers = List.copyOf(peers);
    }

    /** The identity of a directory that was just made. */
    static DirectoryIdentity ofNew(CellName cell, UUID id) {
        return new DirectoryIdentity(cell, id, id, "", new TreeMap<>(), false, List.of(), 0, false);
    }

    /** Returns whether the other founding replicas are known. */
    public boolean isFounded() {
        return !members.isEmpty();
    }

    DirectoryIdentity foundedWith(String self, SortedMap<String, UUID> directories, int atLevel) {
        return new DirectoryIdentity(
                cell, directory, cellIdOf(directories), self, directories, hasLog, peers, atLevel, wasMember);
    }

    /** The identity of an empty directory whose replica joins a cell that has begun without it. */
    DirectoryIdentity joining(String self, UUID cell) {
        SortedMap<String, UUID> alone = new TreeMap<>(Map.of(self, directory));
        return new DirectoryIdentity(this.cell, directory, cell, self, alone, hasLog, peers, level, false);
    }

    /** The identity once the log has these members. */
    public DirectoryIdentity withPeers(List<LogPeer> others) {
        boolean isMember = knows(others, peerId(replica));
        return new DirectoryIdentity(
                cell, directory, cellId, replica, members, hasLog, others, level, wasMember || isMember);
    }

    /** The identity as an empty directory's replica tells it, whose program knows feature levels up to this one. */
    DirectoryIdentity knowing(int newest) {
        return new DirectoryIdentity(cell, directory, cellId, replica, members, hasLog, peers, newest, wasMember);
    }

    /** Returns whether a cell has begun in it, with one replica or several. */
    public boolean isOfACell() {
        return isFounded() || hasLog;
    }

    /** Returns whether its replica joined a cell that had begun without it. */
    public boolean hasJoined() {
        return isFounded() && !cellId.equals(cellIdOf(members));
    }

    /** The id by which the log knows this directory's replica, whose name is {@code self}. */
    public String peerId(String self) {
        return hasJoined() ? LogPeer.idOfJoiner(self, directory) : self;
    }

    /** Returns whether the log has a member with that id, as far as this replica knows. */
    public boolean knows(String peer) {
        return knows(peers, peer);
    }

    private static boolean knows(List<LogPeer> peers, String peer) {
        return peers.stream().anyMatch(known -> known.id().equals(peer));
    }

    /** Returns whether its replica may have been a member. A replica that joins is none before it has joined. */
    public boolean mayBeMember() {
        return !hasJoined() || wasMember;
    }

    /** Replicas that know the same directories compute the same id, without asking anybody. */
    private static UUID cellIdOf(SortedMap<String, UUID> directories) {
        return UUID.nameUUIDFromBytes(words(directories).getBytes(UTF_8));
    }

    DirectoryIdentity withLog() {
        return new DirectoryIdentity(cell, directory, cellId, replica, members, true, peers, level, wasMember);
    }

    /** As lines {@code key=value}. */
    public String toText() {
        return "format=%s\ncell=%s\nid=%s\ndirectory=%s\nreplica=%s\nmembers=%s\nlog=%s\npeers=%s\nlevel=%d\nwasMember=%s\n"
                .formatted(
                        FORMAT,
                        cell,
                        cellId,
                        directory,
                        replica,
                        words(members),
                        hasLog,
                        peersText(),
                        level,
                        wasMember);
    }

    private String peersText() {
        return peers.stream().map(LogPeer::toText).collect(Collectors.joining(","));
    }

    private static String words(SortedMap<String, UUID> members) {
        return members.entrySet().stream()
                .map(member -> member.getKey() + ":" + member.getValue())
                .collect(Collectors.joining(","));
    }

    /**
     * Throws {@link IllegalArgumentException} if the text is not what {@link #toText} wrote, here or in an earlier release.
     */
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
        DirectoryIdentity read = new DirectoryIdentity(
                new CellName(said.getOrDefault("cell", "")),
                said.containsKey("directory") ? UUID.fromString(said.get("directory")) : cellId,
                cellId,
                said.getOrDefault("replica", ""),
                parseMembers(said.getOrDefault("members", "")),
                parseHasLog(said.getOrDefault("log", "")),
                List.of(),
                Integer.parseInt(said.getOrDefault("level", "0")),
                Boolean.parseBoolean(said.get("wasMember")));
        // An earlier release did not write whether it was a member.
        return read.withPeers(parsePeers(said.getOrDefault("peers", "")));
    }

    /** If a damaged word counted as no, the log would be begun again, without its entries. */
    private static boolean parseHasLog(String word) {
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("it does not say whether a log was begun");
        };
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
