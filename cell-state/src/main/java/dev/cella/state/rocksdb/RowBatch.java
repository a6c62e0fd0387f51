package dev.cella.state.rocksdb;

import dev.cella.state.core.ColdChanges;
import dev.cella.state.core.ColdKey;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.model.JobId;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Builds rows in the format of a RocksDB batch, one mebibyte at a time: a call into native code for each row takes several
 * times as long as the rest of the work. The format is RocksDB's own and has never changed: eight bytes for a sequence number,
 * four for the number of records, least significant byte first. Each record is a type, the column family, the key and the
 * value, with their lengths before them. The value of a range that is deleted is the first key after it.
 */
final class RowBatch implements ColdChanges.Rows {
    private static final int BYTES = 1 << 20;
    private static final int COUNT_AT = Long.BYTES;
    private static final int DELETION = 0x4;
    private static final int VALUE = 0x5;
    private static final int RANGE_DELETION = 0xe;

    private final ToIntFunction<ColdKey> family;
    private final Consumer<byte[]> full;
    private final ByteWriter rows = new ByteWriter();
    private int count;

    /**
     * @param family the number of a row's column family
     * @param full takes each batch
     */
    RowBatch(ToIntFunction<ColdKey> family, Consumer<byte[]> full) {
        this.family = family;
        this.full = full;
        begin();
    }

    private void begin() {
        rows.truncate(0);
        rows.writeFixedLong(0);
        rows.writeFixedInt(0);
        count = 0;
    }

    @Override
    public void put(ColdKey key, byte[] row) {
        begin(VALUE, key);
        rows.writeBytes(row);
        end();
    }

    @Override
    public void drop(JobId job, int lastGeneration) {
        ColdKey first = ColdKey.specification(job, 1);
        if (lastGeneration == 1) {
            begin(DELETION, first);
        } else {
            begin(RANGE_DELETION, first);
            rows.writeBytes(ColdKey.specification(job, lastGeneration + 1).bytes());
        }
        end();
    }

    private void begin(int type, ColdKey key) {
        rows.writeByte(type);
        rows.writeVarint(family.applyAsInt(key));
        rows.writeBytes(key.bytes());
    }

    private void end() {
        count++;
        if (rows.length() >= BYTES) {
            writeRest();
        }
    }

    void writeRest() {
        if (count > 0) {
            rows.putFixedInt(COUNT_AT, Integer.reverseBytes(count));
            full.accept(rows.toBytes());
            begin();
        }
    }
}
