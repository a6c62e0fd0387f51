package dev.cella.chaos.simulated;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The network between the processes: each pair has a connection that delivers in order, as TCP does. A cut connection delivers
 * nothing and loses the messages under way. Delay, loss and repeats are drawn from the seed.
 */
final class SimulatedNetwork {
    private static final long DELAY_NANOS_MIN = 100_000;
    private static final long DELAY_NANOS_SPREAD = 400_000;

    private final DueEvents heap;
    private final SplittableRandom random;
    private final Set<String> cuts = new HashSet<>();
    private final Map<String, Long> lastArrivals = new HashMap<>();
    private long extraDelayNanos;
    private int lossPercent;
    private int repeatPercent;
    private boolean reorders;
    private long dropped;

    SimulatedNetwork(DueEvents heap, SplittableRandom random) {
        this.heap = heap;
        this.random = random;
    }

    /** Messages that a cut, a loss or a dead process has swallowed. */
    long dropped() {
        return dropped;
    }

    /** One way only. */
    void cut(String from, String to) {
        cuts.add(from + ">" + to);
    }

    void heal(String from, String to) {
        cuts.remove(from + ">" + to);
    }

    void healAll() {
        cuts.clear();
        disturb(0, 0, 0, false);
    }

    boolean isCut(String from, String to) {
        return cuts.contains(from + ">" + to);
    }

    /**
     * Loses {@code lossInHundred} of every hundred messages and repeats {@code repeatsInHundred}; all are delayed by up to
     * the delay.
     */
    void disturb(long delayNanos, int lossInHundred, int repeatsInHundred, boolean outOfOrder) {
        extraDelayNanos = delayNanos;
        lossPercent = lossInHundred;
        repeatPercent = repeatsInHundred;
        reorders = outOfOrder;
    }

    /** The receiver runs the task when the message arrives, if it arrives. */
    void send(SimulatedProcess from, SimulatedProcess to, Runnable received) {
        if (isCut(from.name(), to.name()) || !to.isAlive() || drawn(lossPercent)) {
            dropped++;
            return;
        }
        deliver(from, to, reorders, received);
        if (drawn(repeatPercent)) {
            deliver(from, to, reorders, received);
        }
    }

    /** A message of a stream can only be late, because a stream repeats and orders its messages itself. */
    void stream(SimulatedProcess from, SimulatedProcess to, Runnable received) {
        if (isCut(from.name(), to.name()) || !to.isAlive()) {
            dropped++;
        } else {
            deliver(from, to, false, received);
        }
    }

    private boolean drawn(int percent) {
        return percent > 0 && random.nextInt(100) < percent;
    }

    private void deliver(SimulatedProcess from, SimulatedProcess to, boolean anyOrder, Runnable received) {
        long arrival = heap.nowNanos() + delay();
        if (!anyOrder) {
            arrival = Math.max(arrival, lastArrivals.merge(from.name() + ">" + to.name(), arrival, Math::max));
        }
        to.after(arrival - heap.nowNanos(), () -> {
            if (isCut(from.name(), to.name())) {
                dropped++;
            } else {
                received.run();
            }
        });
    }

    private long delay() {
        long extra = extraDelayNanos == 0 ? 0 : random.nextLong(extraDelayNanos);
        return DELAY_NANOS_MIN + random.nextLong(DELAY_NANOS_SPREAD) + extra;
    }
}
