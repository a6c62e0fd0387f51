package dev.cella.chaos.simulated;

import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One process of the simulated cell: it can be killed, restarted, stopped and continued, and it has its own clocks. A task of
 * an earlier run never executes; a task that comes while the process is stopped runs when it continues.
 */
final class SimulatedProcess {
    private static final long STARTED_AT_MILLIS = 1_800_000_000_000L;

    private final String name;
    private final DueEvents heap;
    private final Deque<Runnable> whileStopped = new ArrayDeque<>();
    private final List<Runnable> peers = new ArrayList<>();
    private boolean alive = true;
    private boolean stopped;
    private int life;
    private long wallOffsetMillis;
    private long slowedNanos;
    private long delayed;
    private long wrongTimes;

    SimulatedProcess(String name, DueEvents heap) {
        this.name = name;
        this.heap = heap;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Alive and not stopped. */
    boolean isRunning() {
        return alive && !stopped;
    }

    long nowNanos() {
        return heap.nowNanos();
    }

    long nowMillis() {
        return heap.nowMillis();
    }

    /** Runs the task after the others that are due now, as a thread of the process would. */
    void soon(Runnable task) {
        delayed += slowedNanos > 0 ? 1 : 0;
        after(slowedNanos, task);
    }

    void after(long delayNanos, Runnable task) {
        int of = life;
        heap.after(delayNanos, () -> runIn(of, task));
    }

    /** Runs the task even though the process is dead, as its supervisor would. */
    void afterDeath(long delayNanos, Runnable task) {
        heap.after(delayNanos, task);
    }

    private void runIn(int of, Runnable task) {
        if (of != life || !alive) {
            return;
        }
        if (stopped) {
            delayed++;
            whileStopped.add(task);
        } else {
            task.run();
        }
    }

    /** A kill resets its connections, so its peers notice; they do not when its machine loses power. */
    void whenKilled(Runnable told) {
        peers.add(told);
    }

    /** Everything that was under way in the process is gone. */
    void kill() {
        List<Runnable> connected = List.copyOf(peers);
        losePower();
        connected.forEach(Runnable::run);
    }

    /** As a kill, but its peers do not notice. */
    void losePower() {
        peers.clear();
        alive = false;
        life++;
        stopped = false;
        whileStopped.clear();
    }

    void start() {
        alive = true;
    }

    void stop() {
        stopped = alive;
    }

    /** The tasks that came in the meantime run now, in order. */
    void proceed() {
        if (stopped) {
            stopped = false;
            Deque<Runnable> missed = new ArrayDeque<>(whileStopped);
            whileStopped.clear();
            missed.forEach(task -> after(0, task));
        }
    }

    /** From now on each step of its threads waits that long for a processor. */
    void slow(long nanos) {
        slowedNanos = nanos;
    }

    /** How many steps came while it was stopped or slow. */
    long delayed() {
        return delayed;
    }

    void jumpWallClock(long millis) {
        wallOffsetMillis += millis;
    }

    /** How often it read its wall clock while that was wrong. */
    long wrongTimes() {
        return wrongTimes;
    }

    long wallMillis() {
        wrongTimes += wallOffsetMillis == 0 ? 0 : 1;
        return STARTED_AT_MILLIS + heap.nowMillis() + wallOffsetMillis;
    }

    /** The process' clocks, for the core. */
    Time time() {
        return new Time() {
            @Override
            public long monotonicNanos() {
                return heap.nowNanos();
            }

            @Override
            public long wallMillis() {
                return SimulatedProcess.this.wallMillis();
            }

            @Override
            public Cancellation after(Duration delay, Runnable task) {
                Timer timer = new Timer(task);
                SimulatedProcess.this.after(delay.toNanos(), timer);
                return timer;
            }
        };
    }

    private static final class Timer implements Runnable, Time.Cancellation {
        private Runnable task;

        Timer(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public void cancel() {
            task = () -> {};
        }
    }
}
