package dev.cella.bench.cell;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The state of the machine just before a measurement.
 *
 * @param loadAverage of the last minute, including other processes
 * @param fsyncMillis the median time to flush 4 KiB to the disk
 */
public record Conditions(int processors, double loadAverage, double fsyncMillis) {
    private static final int WRITES = 100;
    private static final int BLOCK_BYTES = 4096;

    /** The speed of the disk that holds the folder. */
    public static Conditions measure(Path folder) throws IOException {
        return new Conditions(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                fsyncMillis(folder));
    }

    /** Into blocks that exist already, like a log's. */
    private static double fsyncMillis(Path folder) throws IOException {
        Path file = folder.resolve("fsync");
        long[] nanos = new long[WRITES];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(WRITES * BLOCK_BYTES));
            channel.force(true);
            for (int write = 0; write < WRITES; write++) {
                long begin = System.nanoTime();
                channel.write(ByteBuffer.allocate(BLOCK_BYTES), (long) write * BLOCK_BYTES);
                channel.force(false);
                nanos[write] = System.nanoTime() - begin;
            }
        }
        Files.delete(file);
        Arrays.sort(nanos);
        return nanos[WRITES / 2] / 1e6;
    }
}
