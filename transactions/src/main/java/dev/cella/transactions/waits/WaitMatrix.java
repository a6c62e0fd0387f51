package dev.cella.transactions.waits;

/**
 * How long a task of each size would wait on one machine: Apollo's wait-time matrix (3.2). A row is a number of cores, a column
 * an amount of memory, both ascending. The wait never falls from one cell to the next larger one.
 */
public final class WaitMatrix {
    private final double madeAtSeconds;
    private final long[] cpuMilli;
    private final long[] memoryMib;
    private final double[][] waitSeconds;

    /** @param waitSeconds by row and column; infinite where the machine is too small */
    public WaitMatrix(double madeAtSeconds, long[] cpuMilli, long[] memoryMib, double[][] waitSeconds) {
        checkAscending("cpuMilli", cpuMilli);
        checkAscending("memoryMib", memoryMib);
        this.madeAtSeconds = madeAtSeconds;
        this.cpuMilli = cpuMilli.clone();
        this.memoryMib = memoryMib.clone();
        this.waitSeconds = new double[cpuMilli.length][];
        if (waitSeconds.length != cpuMilli.length) {
            throw new IllegalArgumentException(
                    "a matrix of " + cpuMilli.length + " sizes has as many rows, not " + waitSeconds.length);
        }
        for (int row = 0; row < cpuMilli.length; row++) {
            this.waitSeconds[row] = waitSeconds[row].clone();
            checkRow(row);
        }
    }

    private static void checkAscending(String what, long[] sizes) {
        for (int place = 0; place < sizes.length; place++) {
            if (sizes[place] < 1 || (place > 0 && sizes[place] <= sizes[place - 1])) {
                throw new IllegalArgumentException(
                        "the sizes of a wait-time matrix are positive and ascending, not " + sizes[place] + " " + what);
            }
        }
    }

    /** A matrix that lies is refused before a plan reads it. */
    private void checkRow(int row) {
        if (waitSeconds[row].length != memoryMib.length) {
            throw new IllegalArgumentException("row " + row + " of a wait-time matrix has " + waitSeconds[row].length
                    + " cells instead of " + memoryMib.length);
        }
        for (int column = 0; column < memoryMib.length; column++) {
            double wait = waitSeconds[row][column];
            boolean falls = (column > 0 && wait < waitSeconds[row][column - 1])
                    || (row > 0 && wait < waitSeconds[row - 1][column]);
            if (!(wait >= 0) || falls) {
                throw new IllegalArgumentException("the wait for " + cpuMilli[row] + " cpuMilli and "
                        + memoryMib[column] + " memoryMib is " + wait
                        + " s: a wait is not negative, and a larger task does not wait less");
            }
        }
    }

    public double madeAtSeconds() {
        return madeAtSeconds;
    }

    /** The sizes of the rows, ascending. */
    public long[] cpuMilli() {
        return cpuMilli.clone();
    }

    /** The sizes of the columns, ascending. */
    public long[] memoryMib() {
        return memoryMib.clone();
    }

    /** The wait of a task that asks for this much; infinite if the machine never has it. */
    public double waitSeconds(long askedCpuMilli, long askedMemoryMib) {
        return cell(place(cpuMilli, askedCpuMilli), place(memoryMib, askedMemoryMib));
    }

    /** The wait of a task one size larger, for a reader who does not trust the matrix (3.4, "Confidence"). */
    public double pessimisticWaitSeconds(long askedCpuMilli, long askedMemoryMib) {
        int row = place(cpuMilli, askedCpuMilli);
        int column = place(memoryMib, askedMemoryMib);
        boolean fits = row < cpuMilli.length && column < memoryMib.length;
        return fits
                ? finiteCell(
                        Math.min(row + 1, cpuMilli.length - 1), Math.min(column + 1, memoryMib.length - 1), row, column)
                : Double.POSITIVE_INFINITY;
    }

    /** The larger cell, or the asked one if the machine is too small for the larger. */
    private double finiteCell(int largerRow, int largerColumn, int row, int column) {
        double larger = cell(largerRow, largerColumn);
        return Double.isInfinite(larger) ? cell(row, column) : larger;
    }

    private double cell(int row, int column) {
        return row < cpuMilli.length && column < memoryMib.length ? waitSeconds[row][column] : Double.POSITIVE_INFINITY;
    }

    /** The smallest size that is enough. */
    private static int place(long[] sizes, long asked) {
        int place = 0;
        while (place < sizes.length && sizes[place] < asked) {
            place++;
        }
        return place;
    }
}
