package dev.cella.state.ratis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.state.core.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Up to which entry each member has confirmed the log, as this member has learned it, now and in earlier runs. With it, the
 * others detect that a member's directory was replaced by an older copy of it (ADR 61).
 *
 * <p>It is in the file {@code confirmed} beside the log: a checksum, then a line per member. A damaged file counts as absent,
 * because it only helps to detect a loss.
 *
 * <p>Any thread may call it.
 */
final class ConfirmedEntries {
    private static final String NAME = "confirmed";

    private final Path log;

    /** By the member's id. Guarded by this. */
    private final SortedMap<String, Long> entries = new TreeMap<>();

    /** Guarded by this. */
    private String written = "";

    ConfirmedEntries(Path log) {
        this.log = log;
    }

    synchronized void read() throws IOException {
        Path file = log.resolve(NAME);
        String text = Files.exists(file) ? new String(Files.readAllBytes(file), UTF_8) : "";
        int end = text.indexOf('\n') + 1;
        String lines = text.substring(end);
        if (text.substring(0, end).equals(checksum(lines))) {
            lines.lines().forEach(this::readLine);
            written = lines;
        }
    }

    private void readLine(String line) {
        int at = line.lastIndexOf(' ');
        learn(Map.of(line.substring(0, at), Long.valueOf(line.substring(at + 1))));
    }

    /** Keeps the larger entry of each member. */
    synchronized void learn(Map<String, Long> confirmed) {
        confirmed.forEach((member, entry) -> entries.merge(member, entry, Math::max));
    }

    synchronized OptionalLong of(String member) {
        Long entry = entries.get(member);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(entry);
    }

    synchronized Map<String, Long> all() {
        return new HashMap<>(entries);
    }

    /** Does nothing if nothing has changed. */
    synchronized void write() throws IOException {
        String lines = entries.entrySet().stream()
                .map(member -> member.getKey() + " " + member.getValue() + "\n")
                .collect(Collectors.joining());
        if (!lines.equals(written) && Files.isDirectory(log)) {
            DurableFiles.replace(log.resolve(NAME), checksum(lines) + lines);
            written = lines;
        }
    }

    private static String checksum(String lines) {
        CRC32C sum = new CRC32C();
        sum.update(lines.getBytes(UTF_8));
        return Long.toHexString(sum.getValue()) + "\n";
    }
}
