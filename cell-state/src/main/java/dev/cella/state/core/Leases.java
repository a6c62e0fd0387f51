package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * When each machine's agent and each session last renewed its lease, by this process's monotonic clock.
 *
 * <p>This state is soft. It is not replicated, because renewals by every machine every few seconds would be most of the log. A
 * new leader, or this one after a restart or a standstill of its process, does not know the last renewals and counts from its
 * first look. That is later than the truth, never earlier: a machine is given up one lease and one kill time after the last answered renewal. By then its
 * guard has ended every task that must not run twice. Once the leader has proposed to give up a holder, it no longer renews
 * that lease: otherwise the agent would rely on a lease while the cell takes its tasks away.
 *
 * <p>Any thread may renew; the timer calls {@link #check}. Guarded by its own monitor.
 */
public final class Leases {
    /** How long it takes to search the whole cell for holders that were never heard, a part of it each time. */
    private static final Duration SEE_ALL = Duration.ofSeconds(5);

    /** A leader that looks later than this after its last look stood still, and heard nobody meanwhile. */
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    private final CommonCell cell;
    private final Time time;
    private final Proposals proposals;
    private final LeaseDeadlines<MachineId> machines;
    private final LeaseDeadlines<SessionId> sessions;
    private boolean leads;
    private long checkedNanos;
    private long seenNanos;
    private int nextSlot;

    Leases(CommonCell cell, Time time, Duration killTime, Proposals proposals) {
        this.cell = cell;
        this.time = time;
        this.proposals = proposals;
        this.machines = new LeaseDeadlines<>(killTime);
        this.sessions = new LeaseDeadlines<>(Duration.ZERO);
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
    private synchronized <I> Optional<Duration> renew(
            LeaseDeadlines<I> heard, I one, Function<I, OptionalLong> leaseOf) {
        OptionalLong leaseMillis = leaseOf.apply(one);
        if (!leads || leaseMillis.isEmpty() || !heard.renew(one, leaseMillis.getAsLong(), time.monotonicNanos())) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis(leaseMillis.getAsLong()));
    }

    synchronized void lead() {
        machines.clear();
        sessions.clear();
        lookAtAll(time.monotonicNanos());
        leads = true;
    }

    /** The next look reads all machines. */
    private void lookAtAll(long now) {
        checkedNanos = now;
        seenNanos = now - SEE_ALL.toNanos();
        nextSlot = 0;
    }

    synchronized void follow() {
        leads = false;
    }

    /** Proposes to give up holders whose leases have expired. A replica that does not lead skips the search. */
    void check() {
        if (!leads()) {
            return;
        }
        countAgainAfterAStandstill();
        seeSome();
        giveUp(machines, cell::machineLeaseMillis)
                .forEach(machine ->
                        proposals.propose(new Command.LoseMachine(machine), () -> decided(machines, machine)));
        giveUp(sessions, cell::sessionLeaseMillis)
                .forEach(session ->
                        proposals.propose(new Command.CloseSession(session), () -> decided(sessions, session)));
    }

    private synchronized boolean leads() {
        return leads;
    }

    private synchronized void countAgainAfterAStandstill() {
        long now = time.monotonicNanos();
        if (now - checkedNanos > STANDSTILL.toNanos()) {
            machines.forgetRenewals();
            sessions.forgetRenewals();
            lookAtAll(now);
        }
        checkedNanos = now;
    }

    /**
     * A holder that another leader registered and that never renewed is known only from the cell. Commits wait while the cell is
     * read, so only the first look of a leadership reads all machines at once.
     */
    private void seeSome() {
        Slots slots = nextSlots(cell.machineSlots());
        see(machines, cell.machineLeasesMillis(slots.from, slots.to));
        if (slots.from == 0) {
            see(sessions, cell.sessionLeasesMillis());
        }
    }

    private record Slots(int from, int to) {}

    private synchronized Slots nextSlots(int all) {
        long now = time.monotonicNanos();
        double part = Math.min(1, (double) (now - seenNanos) / SEE_ALL.toNanos());
        int from = nextSlot < all ? nextSlot : 0;
        int to = Math.min(all, from + (int) Math.ceil(part * all));
        seenNanos = now;
        nextSlot = to;
        return new Slots(from, to);
    }

    private synchronized <I> void see(LeaseDeadlines<I> heard, Map<I, Long> leasesMillis) {
        heard.see(leasesMillis, time.monotonicNanos());
    }

    private synchronized <I> List<I> giveUp(LeaseDeadlines<I> heard, Function<I, OptionalLong> leaseOf) {
        return leads ? heard.giveUp(leaseOf, time.monotonicNanos()) : List.of();
    }

    private synchronized <I> void decided(LeaseDeadlines<I> heard, I one) {
        heard.decided(one);
    }
}
