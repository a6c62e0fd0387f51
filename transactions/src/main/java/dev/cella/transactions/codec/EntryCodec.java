package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Log entries as bytes: magic, format, checksum, and then the part that the checksum covers: feature level, cell time, wall
 * time, incarnation, count, and the commands, each with its length.
 */
public final class EntryCodec {
    /** "CELA". */
    public static final int MAGIC = 0x43454C41;

    public static final int FORMAT = 1;

    /** The newest feature level this program knows. */
    public static final int FEATURE_LEVEL_MAX = 12;

    /** From this level on, dimensions may be sets and amounts may name members. */
    public static final int SETS_LEVEL = 2;

    /** From this level on, a job stores the version of its last update, and an update may require that version. */
    public static final int UPDATED_VERSION_LEVEL = 3;

    /** From this level on, a cell is founded at the newest level that all its replicas know. */
    public static final int FOUNDING_LEVEL = 4;

    /**
     * From this level on, pools have weights and minima, and rights have rules for machines and the right to offer.
     */
    public static final int POLICY_LEVEL = 4;

    /** From this level on, a cell keeps tokens. */
    public static final int TOKENS_LEVEL = 4;

    /** From this level on, sessions take part in offers, and holds may be offers to them. */
    public static final int OFFERS_LEVEL = 4;

    /** From this level on, one command may carry many reports. */
    public static final int MANY_REPORTS_LEVEL = 4;

    /** From this level on, an attempt may end for the reason OUT_OF_DISK. */
    public static final int OUT_OF_DISK_LEVEL = 4;

    /** From this level on, tasks wait in the queues of machines. */
    public static final int QUEUES_LEVEL = 5;

    /** From this level on, a stop may say how long the job's tasks have to end. */
    public static final int STOP_GRACE_LEVEL = 6;

    /** From this level on, spare tasks run in what a machine's other work leaves, and rights bound them. */
    public static final int SPARE_LEVEL = 7;

    /** From this level on, a scale may say the number of tasks that it expects. */
    public static final int EXPECTED_COUNT_LEVEL = 7;

    /** From this level on, a group keeps the number of tasks that a person asked for last, beside the number that it has. */
    public static final int ASKED_COUNT_LEVEL = 8;

    /** From this level on, a task may have a copy that runs beside it. */
    public static final int COPIES_LEVEL = 9;

    /** From this level on, a job's holds end when none of its tasks is pending. */
    public static final int HOLDS_OF_PENDING_LEVEL = 10;

    /**
     * From this level on, the holds of a machine and of a job and the queue rows of a job have a largest number, a command ends
     * a bounded number of holds whose time is over, and a scheduler that takes part in offers requests no holds for its jobs.
     */
    public static final int BOUNDED_HOLDS_LEVEL = 11;

    /** From this level on, rights may name machines by the attribute that every machine has: its name. */
    public static final int NAMED_MACHINES_LEVEL = 11;

    /** From this level on, a report of a running attempt says how it stands with its check. */
    public static final int CHECKS_LEVEL = 12;

    private static final int CHECKED_FROM = Integer.BYTES + 1 + Integer.BYTES;

    /** Makes one entry from commands that {@link CommandCodec#encode} encoded. */
    public static byte[] encode(EntryHeader header, List<byte[]> commands) {
        ByteWriter out = new ByteWriter();
        out.writeFixedInt(MAGIC);
        out.writeByte(FORMAT);
        out.writeFixedInt(0);
        out.writeVarint(header.featureLevel());
        out.writeVarint(header.cellTime().millis());
        out.writeSigned(header.wallTimeMillis());
        out.writeFixedLong(header.incarnation().number());
        out.writeVarint(commands.size());
        commands.forEach(out::writeBytes);
        byte[] bytes = out.toBytes();
        ByteBuffer.wrap(bytes).putInt(CHECKED_FROM - Integer.BYTES, checksum(bytes));
        return bytes;
    }

    /**
     * Decodes an entry. The exception for damaged bytes says what is wrong and where; the exception for an unknown level names
     * the level.
     */
    public static Entry decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        if (in.readFixedInt() != MAGIC) {
            throw new DamagedBytesException("not a log entry: wrong magic", 0);
        }
        int format = in.readByte();
        if (format != FORMAT) {
            throw new UnknownLevelException("log entry format " + format + ", this program knows " + FORMAT);
        }
        if (in.readFixedInt() != checksum(bytes)) {
            throw new DamagedBytesException("log entry: wrong checksum over " + bytes.length + " bytes", CHECKED_FROM);
        }
        EntryHeader header = decodeHeader(in);
        return new Entry(header, decodeCommands(in));
    }

    private static EntryHeader decodeHeader(ByteReader in) {
        int level = in.readInt();
        if (level > FEATURE_LEVEL_MAX) {
            throw new UnknownLevelException("feature level " + level + ", this program knows " + FEATURE_LEVEL_MAX);
        }
        CellTime cellTime = new CellTime(in.readVarint());
        long wallTime = in.readSigned();
        return new EntryHeader(level, cellTime, wallTime, new Incarnation(in.readFixedLong()));
    }

    private static List<byte[]> decodeCommands(ByteReader in) {
        int count = in.readCount(1);
        List<byte[]> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(in.readBytes());
        }
        in.expectEnd("the last command");
        return commands;
    }

    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, CHECKED_FROM, bytes.length - CHECKED_FROM);
        return (int) checksum.getValue();
    }

    private EntryCodec() {}
}
