package dev.cella.state.rocksdb;

import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.LogPosition;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The content of a checkpoint: the id of its cell's log, its head, and each file with its size and checksum. It is a text file, so that a person can
 * read it; its last line is the checksum of the lines before. It is written last: without it there is no checkpoint.
 *
 * @param cellId tells the cell from others of its name; empty in checkpoints of earlier programs
 */
record Manifest(Optional<UUID> cellId, CheckpointHead head, SortedMap<String, FileSum> files) {
    static final String FILE = "manifest";

    private static final String FORMAT = "3";
    private static final String CELL_ID_KEY = "cellId";
    private static final String FILE_KEY = "file ";
    private static final String CHECKSUM_KEY = "checksum=";

    Manifest {
        files = new TreeMap<>(files);
    }

    /** The size and CRC32C of a file. */
    record FileSum(long bytes, long checksum) {
        private static final int BUFFER_BYTES = 1 << 20;

        static FileSum of(Path file) throws IOException {
            CRC32C checksum = new CRC32C();
            long bytes = 0;
            try (var in = Files.newInputStream(file)) {
                byte[] buffer = new byte[BUFFER_BYTES];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    checksum.update(buffer, 0, read);
                    bytes += read;
                }
            }
            return new FileSum(bytes, checksum.getValue());
        }

        private static FileSum parse(String text) {
            String[] words = text.split(" ", 2);
            return new FileSum(Long.parseLong(words[0]), Long.parseLong(words[1], 16));
        }

        @Override
        public String toString() {
            return bytes + " " + Long.toHexString(checksum);
        }
    }

    byte[] toBytes() {
        StringBuilder text = new StringBuilder();
        line(text, "format", FORMAT);
        line(text, "cell", head.cell());
        cellId.ifPresent(id -> line(text, CELL_ID_KEY, id));
        line(text, "incarnation", head.incarnation());
        line(text, "term", head.position().term());
        line(text, "index", head.position().index());
        line(text, "version", head.version());
        line(text, "cellTimeMillis", head.cellTime().millis());
        line(text, "featureLevel", head.featureLevel());
        line(text, "digest", Long.toHexString(head.digest()));
        files.forEach((name, sum) -> line(text, FILE_KEY + name, sum));
        String checksum = checksum(text.toString());
        text.append(CHECKSUM_KEY).append(checksum).append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void line(StringBuilder text, String key, Object value) {
        text.append(key).append('=').append(value).append('\n');
    }

    private static String checksum(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    static Manifest read(Path file) throws IOException, DamagedCheckpointException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        int end = text.lastIndexOf(CHECKSUM_KEY);
        if (end < 0 || !text.substring(end).equals(CHECKSUM_KEY + checksum(text.substring(0, end)) + "\n")) {
            throw new DamagedCheckpointException("its manifest has another checksum than it says");
        }
        try {
            return parse(text.substring(0, end));
        } catch (IllegalArgumentException failure) {
            throw new DamagedCheckpointException("its manifest cannot be read: " + failure.getMessage(), failure);
        }
    }

    private static Manifest parse(String text) {
        Map<String, String> said = new LinkedHashMap<>();
        text.lines()
                .forEach(line -> said.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        if (!FORMAT.equals(said.get("format"))) {
            throw new UnknownLevelException(
                    "checkpoint format " + said.get("format") + ", this program knows " + FORMAT);
        }
        SortedMap<String, FileSum> files = new TreeMap<>();
        said.forEach((key, value) -> {
            if (key.startsWith(FILE_KEY)) {
                files.put(key.substring(FILE_KEY.length()), FileSum.parse(value));
            }
        });
        return new Manifest(Optional.ofNullable(said.get(CELL_ID_KEY)).map(UUID::fromString), parseHead(said), files);
    }

    private static CheckpointHead parseHead(Map<String, String> said) {
        return new CheckpointHead(
                new CellName(text(said, "cell")),
                new Incarnation(Long.parseUnsignedLong(text(said, "incarnation"), 16)),
                new LogPosition(number(said, "term"), number(said, "index")),
                new CellVersion(number(said, "version")),
                new CellTime(number(said, "cellTimeMillis")),
                (int) number(said, "featureLevel"),
                Long.parseUnsignedLong(text(said, "digest"), 16));
    }

    private static String text(Map<String, String> said, String key) {
        String value = said.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key);
        }
        return value;
    }

    private static long number(Map<String, String> said, String key) {
        return Long.parseLong(text(said, key));
    }
}
