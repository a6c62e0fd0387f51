package dev.cella.state.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last renewals of one kind of holder, and which of them are late.
 *
 * <h2>Why a heap</h2> To compare the time of every machine on each tick costs a large cell a tenth of a core. Here each holder
 * has one place in a heap by the time at which it would be late. A renewal only notes the time. When the place comes to the
 * top and the holder has renewed meanwhile, it goes back down. So a holder is looked at once in a lease, not on each tick.
 * Only a renewal with a shorter lease moves its place, which takes a search of the heap.
 *
 * <p>Guarded by the monitor of {@link Leases}.
 */
final class LeaseDeadlines<I> {
    private static final class Holder<I> {
        private final I id;
        private long heardNanos;
        private long dueNanos;

        Holder(I id, long now) {
            this.id = id;
            this.heardNanos = now;
        }
    }

    /** The log may have a row with a longer lease. More would not fit in a number of nanoseconds. */
    private static final Duration LEASE_MAX = Duration.ofDays(36_500);

    private final Duration grace;
    private final Map<I, Holder<I>> holders = new HashMap<>();
    private final PriorityQueue<Holder<I>> byDue = new PriorityQueue<>(Comparator.comparingLong(each -> each.dueNanos));
    private final Set<I> givenUp = new LinkedHashSet<>();

    /** @param grace after the lease, before a holder is given up */
    LeaseDeadlines(Duration grace) {
        this.grace = grace;
    }

    void clear() {
        forgetRenewals();
        givenUp.clear();
    }

    /** Those given up stay so: the cell may take what they had at any moment. */
    void forgetRenewals() {
        holders.clear();
        byDue.clear();
    }

    /** Returns false if the holder has been given up. */
    boolean renew(I one, long leaseMillis, long now) {
        if (givenUp.contains(one)) {
            return false;
        }
        Holder<I> known = holders.get(one);
        if (known == null) {
            add(one, leaseMillis, now);
        } else {
            known.heardNanos = now;
            pullForward(known, leaseMillis);
        }
        return true;
    }

    /** A lease that has become shorter may end before the holder's place in the heap. */
    private void pullForward(Holder<I> holder, long leaseMillis) {
        if (holder.heardNanos + after(leaseMillis) < holder.dueNanos) {
            byDue.remove(holder);
            push(holder, leaseMillis);
        }
    }

    /** Adds the holders that were never heard. They count as renewed now. */
    void see(Map<I, Long> leasesMillis, long now) {
        leasesMillis.forEach((one, leaseMillis) -> {
            if (!holders.containsKey(one) && !givenUp.contains(one)) {
                add(one, leaseMillis, now);
            }
        });
    }

    private void add(I one, long leaseMillis, long now) {
        Holder<I> holder = new Holder<>(one, now);
        holders.put(one, holder);
        push(holder, leaseMillis);
    }

    private void push(Holder<I> holder, long leaseMillis) {
        holder.dueNanos = holder.heardNanos + after(leaseMillis);
        byDue.add(holder);
    }

    private long after(long leaseMillis) {
        return Duration.ofMillis(Math.min(leaseMillis, LEASE_MAX.toMillis()))
                .plus(grace)
                .toNanos();
    }

    /** The holders whose time is over and that still have a lease. */
    List<I> giveUp(Function<I, OptionalLong> leaseMillis, long now) {
        for (Holder<I> late = pollLate(now); late != null; late = pollLate(now)) {
            OptionalLong lease = leaseMillis.apply(late.id);
            if (lease.isEmpty()) {
                holders.remove(late.id);
            } else if (now - late.heardNanos > after(lease.getAsLong())) {
                holders.remove(late.id);
                givenUp.add(late.id);
            } else {
                push(late, lease.getAsLong());
            }
        }
        givenUp.removeIf(one -> leaseMillis.apply(one).isEmpty());
        return new ArrayList<>(givenUp);
    }

    private @Nullable Holder<I> pollLate(long now) {
        Holder<I> first = byDue.peek();
        return first != null && first.dueNanos < now ? byDue.poll() : null;
    }

    /** The cell has decided about a holder that was given up. If it appears again, its time starts again. */
    void decided(I one) {
        givenUp.remove(one);
    }
}
