package dev.cella.transactions.waits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * What the queue of one machine will do: it plays the running and the queued tasks forward by their estimated run times, and
 * says how long one more task would wait (3.2: "the algorithm simulates local task execution"). Queued tasks start in their
 * order. Belongs to one report or one plan, and its thread.
 */
public final class QueueForecast {
    /** A task on the machine, and for how much longer it is estimated to run once it has started. */
    public record Load(long cpuMilli, long memoryMib, double seconds) {}

    private record End(double atSeconds, Load load) {}

    /** The free amounts from a time on, in seconds from now. */
    private record Free(double fromSeconds, long cpuMilli, long memoryMib) {}

    private final long cpuMilli;
    private final long memoryMib;

    /** When each queued task starts. */
    private final List<Double> starts = new ArrayList<>();

    /** The ends of the tasks that run once the last queued task has started. */
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingDouble(End::atSeconds));

    /** From the start of the last queued task on, ascending in time; made when somebody asks. */
    private @Nullable List<Free> later;

    private double nowSeconds;
    private long freeCpuMilli;
    private long freeMemoryMib;

    /**
     * The queue of a machine with these amounts.
     *
     * @param queued in the order in which they start
     */
    public QueueForecast(long cpuMilli, long memoryMib, List<Load> running, List<Load> queued) {
        this.cpuMilli = cpuMilli;
        this.memoryMib = memoryMib;
        this.freeCpuMilli = cpuMilli;
        this.freeMemoryMib = memoryMib;
        running.forEach(this::start);
        queued.forEach(this::queue);
    }

    /** One more task waits behind all others. */
    public void queue(Load load) {
        boolean fits = load.cpuMilli() <= cpuMilli && load.memoryMib() <= memoryMib;
        starts.add(fits ? startWhenFree(load) : Double.POSITIVE_INFINITY);
        later = null;
    }

    private double startWhenFree(Load load) {
        while (load.cpuMilli() > freeCpuMilli || load.memoryMib() > freeMemoryMib) {
            End end = ends.remove();
            nowSeconds = end.atSeconds();
            freeCpuMilli += end.load().cpuMilli();
            freeMemoryMib += end.load().memoryMib();
        }
        start(load);
        return nowSeconds;
    }

    private void start(Load load) {
        freeCpuMilli -= load.cpuMilli();
        freeMemoryMib -= load.memoryMib();
        ends.add(new End(nowSeconds + load.seconds(), load));
    }

    /** How long the queued task at that place waits; infinite if the machine is too small. */
    public double waitSeconds(int place) {
        return starts.get(place);
    }

    /** How long one more task would wait behind all others; infinite if the machine is too small. */
    public double waitSeconds(long askedCpuMilli, long askedMemoryMib) {
        for (Free each : later()) {
            if (askedCpuMilli <= each.cpuMilli() && askedMemoryMib <= each.memoryMib()) {
                return each.fromSeconds();
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private List<Free> later() {
        List<Free> known = later;
        if (known == null) {
            known = playToTheEnd();
            later = known;
        }
        return known;
    }

    private List<Free> playToTheEnd() {
        List<Free> played = new ArrayList<>(ends.size() + 1);
        Free last = new Free(nowSeconds, freeCpuMilli, freeMemoryMib);
        played.add(last);
        List<End> inOrder = new ArrayList<>(ends);
        inOrder.sort(Comparator.comparingDouble(End::atSeconds));
        for (End end : inOrder) {
            last = new Free(
                    end.atSeconds(),
                    last.cpuMilli() + end.load().cpuMilli(),
                    last.memoryMib() + end.load().memoryMib());
            played.add(last);
        }
        return played;
    }

    /** The waits for these sizes, as the machine reports them. */
    public WaitMatrix matrix(double madeAtSeconds, long[] cpuSizes, long[] memorySizes) {
        double[][] waits = new double[cpuSizes.length][memorySizes.length];
        for (int row = 0; row < cpuSizes.length; row++) {
            for (int column = 0; column < memorySizes.length; column++) {
                waits[row][column] = waitSeconds(cpuSizes[row], memorySizes[column]);
            }
        }
        return new WaitMatrix(madeAtSeconds, cpuSizes, memorySizes, waits);
    }
}
