package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Whose a data directory is: the cell's name, the cell's id, and whether a log was begun in it. One small text file,
 * replaced whole and fsynced.
 */
final class DirectoryIdentity {
    private static final String FILE = "identity";
    private static final String FORMAT = "1";

    private final CellName cell;
    private final UUID cellId;
    private boolean hasLog;

    private DirectoryIdentity(CellName cell, UUID cellId, boolean hasLog) {
        this.cell = cell;
        this.cellId = cellId;
        this.hasLog = hasLog;
    }

    static DirectoryIdentity readOrMake(Path directory, CellName cell, UUID newId)
            throws IOException, StartRefusedException {
        if (!Files.exists(directory.resolve(FILE))) {
            DirectoryIdentity made = new DirectoryIdentity(cell, newId, false);
            made.write(directory);
            return made;
        }
        DirectoryIdentity found = read(directory);
        if (!found.cell.equals(cell)) {
            throw new StartRefusedException(
                    Why.OTHER_CELL,
                    "the data directory %s belongs to the cell %s, not to %s".formatted(directory, found.cell, cell),
                    "start it as the cell " + found.cell + ", or use another data directory");
        }
        return found;
    }

    private static DirectoryIdentity read(Path directory) throws IOException, StartRefusedException {
        Map<String, String> said = new LinkedHashMap<>();
        for (String line : Files.readAllLines(directory.resolve(FILE))) {
            int at = line.indexOf('=');
            if (at > 0) {
                said.put(line.substring(0, at), line.substring(at + 1));
            }
        }
        try {
            return parse(said);
        } catch (IllegalArgumentException notOurs) {
            throw new StartRefusedException(
                    Why.OTHER_CELL,
                    "%s does not say whose it is (%s)".formatted(directory.resolve(FILE), notOurs.getMessage()),
                    "use another data directory");
        }
    }

    private static DirectoryIdentity parse(Map<String, String> said) {
        if (!FORMAT.equals(said.get("format"))) {
            throw new IllegalArgumentException("its format is " + said.get("format") + ", not " + FORMAT);
        }
        return new DirectoryIdentity(
                new CellName(said.getOrDefault("cell", "")),
                UUID.fromString(said.getOrDefault("id", "")),
                Boolean.parseBoolean(said.get("log")));
    }

    CellName cell() {
        return cell;
    }

    UUID cellId() {
        return cellId;
    }

    synchronized boolean hasLog() {
        return hasLog;
    }

    synchronized void markLogBegun(Path directory) throws IOException {
        hasLog = true;
        write(directory);
    }

    private void write(Path directory) throws IOException {
        String text = "format=%s%ncell=%s%nid=%s%nlog=%s%n".formatted(FORMAT, cell, cellId, hasLog);
        DurableFiles.replace(directory.resolve(FILE), text);
    }
}
