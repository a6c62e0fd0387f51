package dev.cella.state.core;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the output of {@link BackupWriter}, of this or an earlier release, and checks every record. */
public final class BackupReader {
    /** Longer than any record. A greater length is damage and must not allocate memory. */
    private static final int RECORD_BYTES_MAX = 1 << 28;

    private final DataInputStream in;
    private final SortedMap<Long, byte[]> pages = new TreeMap<>();
    private final Map<ColdKey, byte[]> specifications = new LinkedHashMap<>();
    private long position;
    private long records;

    private BackupReader(InputStream in) {
        this.in = new DataInputStream(new BufferedInputStream(in, 1 << 18));
    }

    /** All of a backup. */
    public record Contents(CheckpointHead head, SortedMap<Long, byte[]> pages, Map<ColdKey, byte[]> specifications) {}

    @SuppressWarnings("ArrayRecordComponent") // read once, by the method that asked for it
    private record Section(char letter, byte[] bytes) {}

    public static Contents read(InputStream file) throws IOException, DamagedBackupException {
        BackupReader reader = new BackupReader(file);
        try {
            return reader.contents();
        } catch (EOFException end) {
            throw new DamagedBackupException(reader.position, "it ends here, and was cut short");
        } catch (IllegalArgumentException unreadable) {
            throw new DamagedBackupException(reader.position, String.valueOf(unreadable.getMessage()));
        }
    }

    private Contents contents() throws IOException, DamagedBackupException {
        byte[] magic = in.readNBytes(BackupWriter.MAGIC.length);
        if (!Arrays.equals(magic, BackupWriter.MAGIC)) {
            throw new DamagedBackupException(0, "it does not begin as a backup does");
        }
        position = magic.length;
        CheckpointHead head = head(next());
        Section record = next();
        while (record.letter() != BackupWriter.END) {
            take(record);
            record = next();
        }
        if (ByteBuffer.wrap(record.bytes()).getLong() != records - 1) {
            throw new DamagedBackupException(position, "it has another number of records than it says");
        }
        return new Contents(head, pages, specifications);
    }

    private Section next() throws IOException, DamagedBackupException {
        char letter = (char) in.readUnsignedByte();
        int length = in.readInt();
        if (length < 0 || length > RECORD_BYTES_MAX) {
            throw new DamagedBackupException(position, "no record has the length that stands there");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        if (in.readInt() != BackupWriter.checksum(letter, bytes)) {
            throw new DamagedBackupException(position, "a record has another checksum than stands behind it");
        }
        position += 1 + Integer.BYTES + length + Integer.BYTES;
        records++;
        return new Section(letter, bytes);
    }

    private void take(Section record) throws DamagedBackupException {
        ByteBuffer bytes = ByteBuffer.wrap(record.bytes());
        switch (record.letter()) {
            case BackupWriter.HOT_PAGE -> pages.put(bytes.getLong(), rest(bytes));
            case BackupWriter.SPECIFICATION -> {
                ColdKey key = ColdKey.specification(new JobId(bytes.getLong()), bytes.getInt());
                specifications.put(key, rest(bytes));
            }
            default ->
                throw new DamagedBackupException(
                        position, "a newer program wrote it: it has records of kind " + record.letter());
        }
    }

    private static byte[] rest(ByteBuffer bytes) {
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    private CheckpointHead head(Section record) throws DamagedBackupException {
        Map<String, String> said = new HashMap<>();
        new String(record.bytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
            int at = line.indexOf('=');
            said.put(line.substring(0, Math.max(at, 0)), line.substring(at + 1));
        });
        if (record.letter() != BackupWriter.HEAD || !BackupWriter.FORMAT.equals(said.get("format"))) {
            throw new DamagedBackupException(
                    position, "its format is " + said.get("format") + ", this program knows " + BackupWriter.FORMAT);
        }
        return new CheckpointHead(
                new CellName(said.getOrDefault("cell", "")),
                new Incarnation(Long.parseUnsignedLong(said.getOrDefault("incarnation", ""), 16)),
                LogPosition.START,
                new CellVersion(Long.parseLong(said.getOrDefault("version", ""))),
                new CellTime(Long.parseLong(said.getOrDefault("cellTimeMillis", ""))),
                Integer.parseInt(said.getOrDefault("featureLevel", "")),
                Long.parseUnsignedLong(said.getOrDefault("digest", ""), 16));
    }
}
