package dev.cella.client.live;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.WaitRow;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.Arrays;
import java.util.List;

/** A wait-time matrix in the wire contract. A wait without end is left out: only smaller sizes precede it in its row. */
public final class WaitsMessage {
    private static final int SIZES_MAX = 16;
    private static final double MILLIS_PER_SECOND = 1_000;

    private WaitsMessage() {}

    /** The matrix, without the machine and the age. */
    public static MachineWaits of(WaitMatrix matrix) {
        long[] cpuMilli = matrix.cpuMilli();
        long[] memoryMib = matrix.memoryMib();
        MachineWaits.Builder message = MachineWaits.newBuilder();
        Arrays.stream(cpuMilli).forEach(message::addCpuMilli);
        Arrays.stream(memoryMib).forEach(message::addMemoryMib);
        for (long cpu : cpuMilli) {
            WaitRow.Builder row = WaitRow.newBuilder();
            Arrays.stream(memoryMib)
                    .mapToDouble(memory -> matrix.waitSeconds(cpu, memory))
                    .filter(Double::isFinite)
                    .forEach(seconds -> row.addWaits(Durations.fromMillis((long) (seconds * MILLIS_PER_SECOND))));
            message.addRows(row);
        }
        return message.build();
    }

    /**
     * Reads a matrix.
     *
     * @throws IllegalArgumentException if it is no matrix, or says that a larger task waits less
     */
    public static WaitMatrix matrix(MachineWaits message, double madeAtSeconds) {
        int rows = message.getCpuMilliCount();
        int columns = message.getMemoryMibCount();
        if (rows > SIZES_MAX || columns > SIZES_MAX) {
            throw new IllegalArgumentException("a wait-time matrix has at most " + SIZES_MAX + " sizes of each kind");
        }
        if (message.getRowsCount() != rows) {
            throw new IllegalArgumentException(
                    "a wait-time matrix of " + rows + " sizes has as many rows, not " + message.getRowsCount());
        }
        double[][] waits = new double[rows][];
        for (int row = 0; row < rows; row++) {
            waits[row] = row(message.getRows(row).getWaitsList(), row, columns);
        }
        return new WaitMatrix(
                madeAtSeconds, longs(message.getCpuMilliList()), longs(message.getMemoryMibList()), waits);
    }

    private static double[] row(List<Duration> said, int row, int columns) {
        if (said.size() > columns) {
            throw new IllegalArgumentException(
                    "row " + row + " of a wait-time matrix has " + said.size() + " waits for " + columns + " sizes");
        }
        double[] waits = new double[columns];
        Arrays.fill(waits, Double.POSITIVE_INFINITY);
        for (int column = 0; column < said.size(); column++) {
            waits[column] = Durations.toMillis(said.get(column)) / MILLIS_PER_SECOND;
        }
        return waits;
    }

    private static long[] longs(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }
}
