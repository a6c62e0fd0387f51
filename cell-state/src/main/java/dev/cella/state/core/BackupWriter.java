package dev.cella.state.core;

import dev.cella.transactions.cell.copies.CellCopy;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.CRC32C;

/**
 * Writes the cell at one version as a stream of records that every later release reads ({@link BackupReader}).
 *
 * <p>The file begins with {@link #MAGIC}. Each record has a letter, the length of its bytes, its bytes, and the CRC32C of all
 * of these. The first record is the head, as lines {@code key=value}. Then come the pages of the hot tables ({@code H}: key,
 * page) and the specifications ({@code S}: job, generation, specification). The last record has the number of records ({@code
 * E}), which reveals a truncated backup.
 */
public final class BackupWriter {
    static final byte[] MAGIC = "cella-backup\n".getBytes(StandardCharsets.US_ASCII);
    static final String FORMAT = "1";
    static final char HEAD = 'T';
    static final char HOT_PAGE = 'H';
    static final char SPECIFICATION = 'S';
    static final char END = 'E';

    private final DataOutputStream out;
    private long records;

    private BackupWriter(OutputStream out) {
        this.out = new DataOutputStream(out);
    }

    static void write(CellBackup backup, Function<ColdKey, Optional<byte[]>> cold, OutputStream out)
            throws IOException {
        BackupWriter writer = new BackupWriter(out);
        try {
            writer.out.write(MAGIC);
            writer.record(HEAD, head(backup.head()).getBytes(StandardCharsets.UTF_8));
            backup.copy().forEachPage(writer.new HotPagesOut());
            for (ColdKey newest : backup.newestSpecifications()) {
                writer.specifications(newest, cold);
            }
            writer.record(
                    END, ByteBuffer.allocate(Long.BYTES).putLong(writer.records).array());
            writer.out.flush();
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private static String head(CheckpointHead head) {
        return "format=%s\ncell=%s\nincarnation=%s\nversion=%s\ncellTimeMillis=%d\nfeatureLevel=%d\ndigest=%x\n"
                .formatted(
                        FORMAT,
                        head.cell(),
                        head.incarnation(),
                        head.version(),
                        head.cellTime().millis(),
                        head.featureLevel(),
                        head.digest());
    }

    private final class HotPagesOut implements CellCopy.Pages {
        @Override
        public void page(long key, byte[] bytes) {
            record(
                    HOT_PAGE,
                    ByteBuffer.allocate(Long.BYTES + bytes.length)
                            .putLong(key)
                            .put(bytes)
                            .array());
        }

        @Override
        public void gone(long key) {
            // A backup has no predecessor, so no page is gone.
        }
    }

    /**
     * The generations of a job follow each other without a gap, and its first one may be any. A job that was forgotten after
     * the copy has no specification any longer.
     */
    private void specifications(ColdKey newest, Function<ColdKey, Optional<byte[]>> cold) {
        for (int generation = newest.generation(); generation > 0; generation--) {
            ColdKey key = new ColdKey(newest.version(), generation);
            Optional<byte[]> row = cold.apply(key);
            if (row.isEmpty()) {
                return;
            }
            specification(key, row.get());
        }
    }

    private void specification(ColdKey key, byte[] row) {
        record(
                SPECIFICATION,
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES + row.length)
                        .put(key.bytes())
                        .put(row)
                        .array());
    }

    private void record(char letter, byte[] bytes) {
        try {
            out.writeByte(letter);
            out.writeInt(bytes.length);
            out.write(bytes);
            out.writeInt(checksum(letter, bytes));
            records++;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static int checksum(char letter, byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update((byte) letter);
        checksum.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
