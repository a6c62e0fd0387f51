package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Executes one fault and holds a lease for it, in a process of its own. The command that asked for the fault renews the lease
 * with a line every second. The fault begins with the first of them, so a command that has gone while this process was starting
 * has no effect. It ends when its time is over, when the command says so, when the renewals stop, and at once
 * when the command is gone, because the pipe between them then ends.
 *
 * <p>One thread runs it; {@link #end} may come from another one.
 */
public final class FaultGuard {
    /** How long the fault outlives the last renewal. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /** A process that has not failed by then is on its way. */
    private static final Duration BACK_MAX = Duration.ofSeconds(8);

    /** A renewal; every other line ends the fault. */
    public static final String RENEWAL = "renew";

    private static final long TICK_MILLIS = 50;
    private static final long BEGIN_TICK_MILLIS = 5;

    /**
     * How the fault ended.
     *
     * @param whyVoid why it was VOID; empty if it had an effect
     * @param lastedMillis how long it lasted
     * @param lapsed whether it ended before its time and the command did not ask for that
     * @param lost the names of the processes that it killed and that did not start again
     * @param successors the processes that have the places of those that it killed, in words
     */
    public record Ended(String whyVoid, long lastedMillis, boolean lapsed, List<String> lost, List<String> successors) {
        public Ended {
            lost = List.copyOf(lost);
            successors = List.copyOf(successors);
        }
    }

    private final ProcessFault fault;
    private final List<LiveProcess> processes;
    private final long lengthNanos;
    private final BufferedReader renewals;
    private final long leaseNanos;
    private volatile long leaseUntilNanos;
    private volatile boolean renewed;
    private volatile boolean asked;
    private volatile boolean over;

    public FaultGuard(FaultKind kind, List<Long> pids, LiveTargets targets, Duration length, BufferedReader renewals) {
        this(kind, LiveProcess.of(pids, targets), length, renewals);
    }

    private FaultGuard(FaultKind kind, List<LiveProcess> processes, Duration length, BufferedReader renewals) {
        this(LiveFaults.fault(kind, processes), processes, length, renewals, LEASE);
    }

    FaultGuard(
            ProcessFault fault, List<LiveProcess> processes, Duration length, BufferedReader renewals, Duration lease) {
        this.fault = fault;
        this.processes = processes;
        this.lengthNanos = length.toNanos();
        this.renewals = renewals;
        this.leaseNanos = lease.toNanos();
    }

    /**
     * Begins the fault when its lease is renewed, waits for its end, and heals it.
     *
     * @param begun called when it has begun
     */
    public Ended run(Runnable begun) throws InterruptedException {
        Thread reader = new Thread(this::read, "renewals");
        reader.setDaemon(true);
        reader.start();
        while (!renewed && !over) {
            Thread.sleep(BEGIN_TICK_MILLIS);
        }
        if (over) {
            return ended("it was told to end before it began", 0, !asked);
        }
        long beganNanos = System.nanoTime();
        try {
            fault.begin();
            begun.run();
            while (!isOver(beganNanos) && System.nanoTime() - leaseUntilNanos < 0) {
                fault.keepUp(millisSince(beganNanos));
                Thread.sleep(TICK_MILLIS);
            }
        } finally {
            fault.heal();
        }
        long lasted = millisSince(beganNanos);
        boolean lapsed = !isTimeOver(beganNanos) && !asked;
        awaitBack();
        return ended(fault.whyVoid(lasted), lasted, lapsed);
    }

    private void awaitBack() throws InterruptedException {
        long untilNanos = System.nanoTime() + BACK_MAX.toNanos();
        while (!processes.stream().allMatch(LiveProcess::isBack) && System.nanoTime() - untilNanos < 0) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    private Ended ended(String whyVoid, long lastedMillis, boolean lapsed) {
        return new Ended(
                whyVoid,
                lastedMillis,
                lapsed,
                processes.stream()
                        .filter(LiveProcess::isLost)
                        .map(LiveProcess::name)
                        .toList(),
                processes.stream()
                        .flatMap(each -> each.successorInWords().stream())
                        .toList());
    }

    private boolean isOver(long beganNanos) {
        return over || isTimeOver(beganNanos);
    }

    private boolean isTimeOver(long beganNanos) {
        return System.nanoTime() - beganNanos >= lengthNanos;
    }

    private static long millisSince(long beganNanos) {
        return (System.nanoTime() - beganNanos) / 1_000_000;
    }

    /** The fault ends soon, because this process has been told to stop. */
    public void end() {
        over = true;
    }

    private void read() {
        try {
            String line = renewals.readLine();
            while (RENEWAL.equals(line)) {
                leaseUntilNanos = System.nanoTime() + leaseNanos;
                // A line that is there already may end the fault.
                if (!renewals.ready()) {
                    renewed = true;
                }
                line = renewals.readLine();
            }
            asked = line != null;
        } catch (IOException gone) {
            // As if the pipe had ended.
        }
        over = true;
    }
}
