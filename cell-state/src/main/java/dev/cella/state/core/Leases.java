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
 * When each machine's agent and each session was last heard of, by this process' monotonic clock.
 *
 * <p>Soft: nothing of it is replicated, because a renewal a machine every few seconds would be most of the log. So a new
 * leader, or this one after a restart, does not know when anybody was last heard of, and counts from the moment at which
 * it first looks. That is later than the truth, never earlier: a machine is given up one lease and one kill time after
 * the last renewal that was answered, and by then its guard has ended every task that must not run twice. Whom the leader
 * has once proposed to give up it does not renew any more: the agent would count on a lease while the cell takes its
 * tasks away.
 *
 * <p>Renewals come from any thread, {@link #check} from the timer; guarded by its own monitor.
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

    /** Renews a machine's lease and says how long it is; nothing if this registration is given up. */
    public Optional<Duration> renewMachine(MachineId machine) {
        return renew(machines, machine, cell::machineLeaseMillis);
    }

    /** Renews a session's lease and says how long it is; nothing if it is closed, fenced or given up. */
    public Optional<Duration> renewSession(SessionId session) {
        return renew(sessions, session, cell::sessionLeaseMillis);
    }

    /** The cell is asked under the monitor: a loss that is applied meanwhile is either seen here, or still remembered. */
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

    /** Proposes to give up whom nobody has heard of for too long. Who does not lead need not even list them. */
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

    /** When those of one kind were last heard of. */
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

        /** All whose time is over, as long as the cell still shows them; one seen for the first time is heard of now. */
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

        /** The cell has given it up. If it is there again, its time begins anew. */
        void forget(I one) {
            atNanos.remove(one);
            givenUp.remove(one);
        }
    }
}
