package dev.cella.chaos.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The switches of one process that has loaded the {@link FaultLibrary}: a file that both see as memory, in the order of the
 * structure in {@code faults.c}. They outlive the process. Only the thread of the run uses them.
 */
public final class FaultSwitches {
    private static final int WRITE_ERROR = 0;
    private static final int SYNC_ERROR = 4;
    private static final int SYNC_DELAY_MICROS = 8;
    private static final int CLOCK_OFFSET_SECONDS = 12;
    private static final int DISK_HITS = 16;
    private static final int CLOCK_HITS = 20;
    private static final int BYTES = 24;

    /** EIO. */
    private static final int INPUT_OUTPUT_ERROR = 5;

    /** EROFS. */
    private static final int READ_ONLY_ERROR = 30;

    private final Path file;
    private final MappedByteBuffer memory;

    private FaultSwitches(Path file, MappedByteBuffer memory) {
        this.file = file;
        this.memory = memory;
    }

    /** All off. */
    public static FaultSwitches create(Path file) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            memory.order(ByteOrder.nativeOrder());
            return new FaultSwitches(file, memory);
        } catch (IOException failure) {
            throw new UncheckedIOException("making " + file, failure);
        }
    }

    Path file() {
        return file;
    }

    /** Every write and every sync of the disk fails from now on. */
    void failDisk() {
        memory.putInt(WRITE_ERROR, INPUT_OUTPUT_ERROR);
        memory.putInt(SYNC_ERROR, INPUT_OUTPUT_ERROR);
    }

    /** Writes succeed, and every sync of the disk fails from now on. */
    public void failSyncs() {
        memory.putInt(SYNC_ERROR, INPUT_OUTPUT_ERROR);
    }

    /** Every write and every sync fails from now on, as on a disk that its system has made read-only. */
    public void makeReadOnly() {
        memory.putInt(WRITE_ERROR, READ_ONLY_ERROR);
        memory.putInt(SYNC_ERROR, READ_ONLY_ERROR);
    }

    /** Every sync of the disk takes longer from now on. */
    void slowDisk(int delayMillis) {
        memory.putInt(SYNC_DELAY_MICROS, delayMillis * 1_000);
    }

    public void healDisk() {
        endFailures();
        slowDisk(0);
    }

    /** Writes and syncs succeed from now on; syncs may still be slow. */
    void endFailures() {
        memory.putInt(WRITE_ERROR, 0);
        memory.putInt(SYNC_ERROR, 0);
    }

    /** The wall clock differs from the machine's by that much from now on. */
    void moveClock(int seconds) {
        memory.putInt(CLOCK_OFFSET_SECONDS, seconds);
    }

    /** How many writes and syncs have met a fault. */
    public long diskHits() {
        return Integer.toUnsignedLong(memory.getInt(DISK_HITS));
    }

    /** How often a wrong time was read. */
    long clockHits() {
        return Integer.toUnsignedLong(memory.getInt(CLOCK_HITS));
    }
}
