package dev.cella.chaos.simulated;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The network between the processes: each pair has a connection that delivers in order, as TCP does. A cut connection delivers
 * nothing and loses the messages under way. Delay, loss and repeats are drawn from the seed.
 */
final class SimulatedNetwork {
    private static final long DELAY_NANOS_MIN = 100_000;
    private static final long DELAY_NANOS_SPREAD = 400_000;

    /** One way from one process to another, by their names, because a process that starts again keeps its connections' faults. */
    private record Way(String from, String to) {}

    /** The state of one way, which several faults may cut at once. */
    private static final class Connection {
        private int cuts;
        private long lastArrival;

        boolean isCut() {
            return cuts > 0;
        }
    }

    private final DueEvents heap;
    private final SplittableRandom random;
    private final Map<Way, Connection> connections = new HashMap<>();
    private long extraDelayNanos;
    private int lossPercent;
    private int repeatPercent;
    private boolean reorders;
    private long dropped;
    private long disturbed;

    SimulatedNetwork(DueEvents heap, SplittableRandom random) {
        this.heap = heap;
        this.random = random;
    }

    /** Messages that a cut has swallowed. */
    long dropped() {
        return dropped;
    }

    /** Messages that were lost or repeated by the draw. */
    long disturbed() {
        return disturbed;
    }

    /** One way only. */
    void cut(String from, String to) {
        connection(from, to).cuts++;
    }

    /** Ends one of its cuts; messages pass when none is left. */
    void heal(String from, String to) {
        Connection healed = connection(from, to);
        if (!healed.isCut()) {
            throw new IllegalStateException("the way from " + from + " to " + to + " is not cut");
        }
        healed.cuts--;
    }

    void healAll() {
        connections.values().forEach(connection -> connection.cuts = 0);
        disturb(0, 0, 0, false);
    }

    private Connection connection(String from, String to) {
        return connections.computeIfAbsent(new Way(from, to), way -> new Connection());
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
        Connection by = connection(from.name(), to.name());
        if (isCut(by) || !to.isAlive() || drawn(lossPercent)) {
            return;
        }
        deliver(by, to, reorders, received);
        if (drawn(repeatPercent)) {
            deliver(by, to, reorders, received);
        }
    }

    /** A message of a stream can only be late, because a stream repeats and orders its messages itself. */
    void stream(SimulatedProcess from, SimulatedProcess to, Runnable received) {
        Connection by = connection(from.name(), to.name());
        if (!isCut(by) && to.isAlive()) {
            deliver(by, to, false, received);
        }
    }

    private boolean isCut(Connection by) {
        dropped += by.isCut() ? 1 : 0;
        return by.isCut();
    }

    private boolean drawn(int percent) {
        boolean drawn = percent > 0 && random.nextInt(100) < percent;
        disturbed += drawn ? 1 : 0;
        return drawn;
    }

    private void deliver(Connection by, SimulatedProcess to, boolean anyOrder, Runnable received) {
        long arrival = heap.nowNanos() + delay();
        if (!anyOrder) {
            arrival = Math.max(arrival, by.lastArrival);
            by.lastArrival = arrival;
        }
        to.after(arrival - heap.nowNanos(), () -> {
            if (!isCut(by)) {
                received.run();
            }
        });
    }

    private long delay() {
        long extra = extraDelayNanos == 0 ? 0 : random.nextLong(extraDelayNanos);
        return DELAY_NANOS_MIN + random.nextLong(DELAY_NANOS_SPREAD) + extra;
    }
}
