package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Executes one fault and holds a lease for it, in a process of its own. The command that asked for the fault renews the lease
 * with a line every second. The fault ends when its time is over, when the command says so, when the renewals stop, and at once
 * when the command is gone, because the pipe between them then ends.
 */
public final class FaultGuard {
    /** How long the fault outlives the last renewal. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /** A renewal; every other line ends the fault. */
    public static final String RENEWAL = "renew";

    private static final long TICK_MILLIS = 50;

    private final ProcessFault fault;
    private final long lengthNanos;
    private final BufferedReader renewals;
    private volatile long leaseUntilNanos = System.nanoTime() + LEASE.toNanos();

    public FaultGuard(FaultKind kind, List<Long> pids, Duration length, BufferedReader renewals) {
        this.fault = LiveFaults.fault(kind, pids);
        this.lengthNanos = length.toNanos();
        this.renewals = renewals;
    }

    /**
     * Begins the fault, waits for its end, and heals it.
     *
     * @param begun called when it has begun
     * @return why the fault was VOID; empty if it had an effect
     */
    public String run(Runnable begun) throws InterruptedException {
        Thread reader = new Thread(this::read, "renewals");
        reader.setDaemon(true);
        reader.start();
        long beganNanos = System.nanoTime();
        try {
            fault.begin();
            begun.run();
            while (System.nanoTime() - beganNanos < lengthNanos && System.nanoTime() - leaseUntilNanos < 0) {
                fault.keepUp((System.nanoTime() - beganNanos) / 1_000_000);
                Thread.sleep(TICK_MILLIS);
            }
        } finally {
            fault.heal();
        }
        return fault.whyVoid((System.nanoTime() - beganNanos) / 1_000_000);
    }

    private void read() {
        try {
            for (String line = renewals.readLine(); RENEWAL.equals(line); line = renewals.readLine()) {
                leaseUntilNanos = System.nanoTime() + LEASE.toNanos();
            }
        } catch (IOException gone) {
            // As if the pipe had ended.
        }
        leaseUntilNanos = System.nanoTime();
    }
}
