package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * When each machine's agent and each session was last heard of, by this process' monotonic clock.
 *
 * <p>Soft: nothing of it is replicated, because a renewal a machine every few seconds would be most of the log. So a new
 * leader, or this one after a restart, knows of nobody when it was last heard of, and counts from the moment at which it
 * first looks. That is later than the truth, never earlier: a machine is given up one lease and one kill time after the
 * last renewal that was answered, and by then its guard has ended every task that must not run twice.
 *
 * <p>Renewals come from any thread, {@link #check} from the timer; guarded by its own monitor.
 */
public final class Leases {
    private final CommonCell cell;
    private final Time time;
    private final Duration killTime;
    private final Consumer<Command> proposals;

    private final Map<MachineId, Long> machinesHeardAtNanos = new HashMap<>();
    private final Map<SessionId, Long> sessionsHeardAtNanos = new HashMap<>();
    private boolean leads;

    Leases(CommonCell cell, Time time, Duration killTime, Consumer<Command> proposals) {
        this.cell = cell;
        this.time = time;
        this.killTime = killTime;
        this.proposals = proposals;
    }

    /** Renews a machine's lease and says how long it is; nothing if the cell has given this registration up. */
    public Optional<Duration> renewMachine(MachineId machine) {
        return renew(machinesHeardAtNanos, machine, cell.machineLeaseMillis(machine));
    }

    /** Renews a session's lease and says how long it is; nothing if it is closed or fenced. */
    public Optional<Duration> renewSession(SessionId session) {
        return renew(sessionsHeardAtNanos, session, cell.sessionLeaseMillis(session));
    }

    private synchronized <I> Optional<Duration> renew(Map<I, Long> heardAtNanos, I one, OptionalLong leaseMillis) {
        if (!leads || leaseMillis.isEmpty()) {
            return Optional.empty();
        }
        heardAtNanos.put(one, time.monotonicNanos());
        return Optional.of(Duration.ofMillis(leaseMillis.getAsLong()));
    }

    synchronized void lead() {
        machinesHeardAtNanos.clear();
        sessionsHeardAtNanos.clear();
        leads = true;
    }

    synchronized void follow() {
        leads = false;
    }

    /** Proposes to give up whom nobody has heard of for too long. Proposed again next time, until the cell agrees. */
    void check() {
        if (!leads()) {
            return;
        }
        Map<MachineId, Long> machines = cell.machineLeasesMillis();
        Map<SessionId, Long> sessions = cell.sessionLeasesMillis();
        overdue(machines, sessions).forEach(proposals);
    }

    private synchronized boolean leads() {
        return leads;
    }

    private synchronized List<Command> overdue(Map<MachineId, Long> machines, Map<SessionId, Long> sessions) {
        List<Command> due = new ArrayList<>();
        if (leads) {
            overdue(machinesHeardAtNanos, machines, killTime)
                    .forEach(machine -> due.add(new Command.LoseMachine(machine)));
            overdue(sessionsHeardAtNanos, sessions, Duration.ZERO)
                    .forEach(session -> due.add(new Command.CloseSession(session)));
        }
        return due;
    }

    private <I> List<I> overdue(Map<I, Long> heardAtNanos, Map<I, Long> leasesMillis, Duration grace) {
        long now = time.monotonicNanos();
        heardAtNanos.keySet().retainAll(leasesMillis.keySet());
        List<I> due = new ArrayList<>();
        leasesMillis.forEach((one, leaseMillis) -> {
            long heard = heardAtNanos.computeIfAbsent(one, first -> now);
            if (now - heard > Duration.ofMillis(leaseMillis).plus(grace).toNanos()) {
                due.add(one);
            }
        });
        return due;
    }
}
