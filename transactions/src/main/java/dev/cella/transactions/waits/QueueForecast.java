package dev.cella.transactions.waits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What the queue of one machine will do: it plays the running and the queued tasks forward by their estimated run times, and
 * says how long one more task would wait (3.2: "the algorithm simulates local task execution"). Queued tasks start in their
 * order. Belongs to one report.
 */
public final class QueueForecast {
    /** A task on the machine, and for how much longer it is estimated to run once it has started. */
    public record Load(long cpuMilli, long memoryMib, double seconds) {}

    private record End(double atSeconds, Load load) {}

    /** The free amounts from a time on, in seconds from now. */
    private record Free(double fromSeconds, long cpuMilli, long memoryMib) {}

    /** After the last queued task has started; ascending in time. */
    private final List<Free> free = new ArrayList<>();

    /** When each queued task starts. */
    private final double[] starts;

    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingDouble(End::atSeconds));
    private double nowSeconds;
    private long freeCpuMilli;
    private long freeMemoryMib;

    /** @param queued in the order in which they start */
    public QueueForecast(long cpuMilli, long memoryMib, List<Load> running, List<Load> queued) {
        freeCpuMilli = cpuMilli;
        freeMemoryMib = memoryMib;
        running.forEach(this::start);
        starts = new double[queued.size()];
        for (int place = 0; place < starts.length; place++) {
            Load load = queued.get(place);
            boolean fits = load.cpuMilli() <= cpuMilli && load.memoryMib() <= memoryMib;
            starts[place] = fits ? startWhenFree(load) : Double.POSITIVE_INFINITY;
        }
        free.add(new Free(nowSeconds, freeCpuMilli, freeMemoryMib));
        while (!ends.isEmpty()) {
            endNext();
            free.add(new Free(nowSeconds, freeCpuMilli, freeMemoryMib));
        }
    }

    private double startWhenFree(Load load) {
        while (load.cpuMilli() > freeCpuMilli || load.memoryMib() > freeMemoryMib) {
            endNext();
        }
        start(load);
        return nowSeconds;
    }

    private void start(Load load) {
        freeCpuMilli -= load.cpuMilli();
        freeMemoryMib -= load.memoryMib();
        ends.add(new End(nowSeconds + load.seconds(), load));
    }

    private void endNext() {
        End end = ends.remove();
        nowSeconds = end.atSeconds();
        freeCpuMilli += end.load().cpuMilli();
        freeMemoryMib += end.load().memoryMib();
    }

    /** How long the queued task at that place waits; infinite if the machine is too small. */
    public double waitSeconds(int place) {
        return starts[place];
    }

    /** How long one more task would wait behind all others; infinite if the machine is too small. */
    public double waitSeconds(long cpuMilli, long memoryMib) {
        for (Free each : free) {
            if (cpuMilli <= each.cpuMilli() && memoryMib <= each.memoryMib()) {
                return each.fromSeconds();
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The waits for these sizes, as the machine reports them. */
    public WaitMatrix matrix(double madeAtSeconds, long[] cpuMilli, long[] memoryMib) {
        double[][] waits = new double[cpuMilli.length][memoryMib.length];
        for (int row = 0; row < cpuMilli.length; row++) {
            for (int column = 0; column < memoryMib.length; column++) {
                waits[row][column] = waitSeconds(cpuMilli[row], memoryMib[column]);
            }
        }
        return new WaitMatrix(madeAtSeconds, cpuMilli, memoryMib, waits);
    }
}
