package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * When each machine's agent and each session last renewed its lease, by this process's monotonic clock.
 *
 * <p>This state is soft. It is not replicated, because renewals by every machine every few seconds would be most of the log. A
 * new leader, or this one after a restart, does not know the last renewals and counts from its first look. That is later than
 * the truth, never earlier: a machine is given up one lease and one kill time after the last answered renewal. By then its
 * guard has ended every task that must not run twice. Once the leader has proposed to give up a holder, it no longer renews
 * that lease: otherwise the agent would rely on a lease while the cell takes its tasks away.
 *
 * <p>Any thread may renew; the timer calls {@link #check}. Guarded by its own monitor.
 */
public final class Leases {
    private final CommonCell cell;
    private final Time time;
    private final Proposals proposals;
    private final Heard<MachineId> machines;
    private final Heard<SessionId> sessions;
    private boolean leads;

    Leases(CommonCell cell, Time time, Duration killTime, Proposals proposals) {
        this.cell = cell;
        this.time = time;
        this.proposals = proposals;
        this.machines = new Heard<>(killTime);
        this.sessions = new Heard<>(Duration.ZERO);
    }

    /** Renews a machine's lease and returns its length; empty if this registration is given up. */
    public Optional<Duration> renewMachine(MachineId machine) {
        return renew(machines, machine, cell::machineLeaseMillis);
    }

    /** Renews a session's lease and returns its length; empty if the session is closed, fenced or given up. */
    public Optional<Duration> renewSession(SessionId session) {
        return renew(sessions, session, cell::sessionLeaseMillis);
    }

    /**
     * Reads the cell under the monitor, so that a loss that is applied at the same time is either visible in the cell or still
     * remembered here.
     */
    private synchronized <I> Optional<Duration> renew(Heard<I> heard, I one, Function<I, OptionalLong> leaseOf) {
        OptionalLong leaseMillis = leaseOf.apply(one);
        if (!leads || leaseMillis.isEmpty() || !heard.renew(one, time.monotonicNanos())) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(leaseMillis.getAsLong()));
    }

    synchronized void lead() {
        machines.clear();
        sessions.clear();
        leads = true;
    }

    synchronized void follow() {
        leads = false;
    }

    /** Proposes to give up holders whose leases have expired. A replica that does not lead skips the search. */
    void check() {
        if (!leads()) {
            return;
        }
        giveUp(machines, cell.machineLeasesMillis())
                .forEach(machine ->
                        proposals.propose(new Command.LoseMachine(machine), () -> decided(machines, machine)));
        giveUp(sessions, cell.sessionLeasesMillis())
                .forEach(session ->
                        proposals.propose(new Command.CloseSession(session), () -> decided(sessions, session)));
    }

    private synchronized boolean leads() {
        return leads;
    }

    private synchronized <I> List<I> giveUp(Heard<I> heard, Map<I, Long> leasesMillis) {
        return leads ? heard.giveUp(leasesMillis, time.monotonicNanos()) : List.of();
    }

    private synchronized <I> void decided(Heard<I> heard, I one) {
        heard.forget(one);
    }

    /** The last renewals of one kind of holder. */
    private static final class Heard<I> {
        private final Duration grace;
        private final Map<I, Long> atNanos = new HashMap<>();
        private final Set<I> givenUp = new HashSet<>();

        Heard(Duration grace) {
            this.grace = grace;
        }

        void clear() {
            atNanos.clear();
            givenUp.clear();
        }

        boolean renew(I one, long now) {
            if (givenUp.contains(one)) {
                return false;
            }
            atNanos.put(one, now);
            return true;
        }

        /**
         * All holders whose time is over and that the cell still shows. A holder that is seen for the first time counts as
         * renewed now.
         */
        List<I> giveUp(Map<I, Long> leasesMillis, long now) {
            atNanos.keySet().retainAll(leasesMillis.keySet());
            givenUp.retainAll(leasesMillis.keySet());
            leasesMillis.forEach((one, leaseMillis) -> {
                long heard = atNanos.computeIfAbsent(one, first -> now);
                if (now - heard > Duration.ofMillis(leaseMillis).plus(grace).toNanos()) {
                    givenUp.add(one);
                }
            });
            return List.copyOf(givenUp);
        }

        /** The cell has given the holder up. If it appears again, its time starts again. */
        void forget(I one) {
            atNanos.remove(one);
            givenUp.remove(one);
        }
    }
}
