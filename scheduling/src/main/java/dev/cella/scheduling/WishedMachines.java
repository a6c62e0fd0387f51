package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The machines that meet a group's constraints, those that it prefers first.
 *
 * <h2>Cost</h2>
 *
 * <p>Rating each machine for each task would cost the size of the cell per task. But all machines of a class ({@link Domains})
 * have the same rating, and there are as many classes as values, not as machines. So classes wait in a queue by their {@link
 * Worth}, and a machine is drawn from the first one. The worth of a class falls with each task on one of its values and never
 * rises, so an old worth is an upper bound: only the first class in the queue is computed again.
 *
 * <p>A large cell has many values, and a plan that queued all classes would cost their number, however few tasks it places. So
 * a tier stands in the queue for all its classes that were not looked at yet: without tasks they are worth the same, which is
 * the upper bound of each. A task costs the logarithm of the number of classes in use; a plan costs the tiers, once.
 */
final class WishedMachines implements MachinePool {
    /** One class, or the classes of a tier that were not looked at yet, with the worth when it was last computed. */
    private static final class Ranked implements Comparable<Ranked> {
        final int place;
        final int tie;
        final @Nullable Walk tier;
        long worth;

        @Nullable
        MachinePool pool;

        /**
         * @param place the number of the class, or of the tier
         */
        Ranked(int place, long worth, int tie, @Nullable Walk tier) {
            this.place = place;
            this.worth = worth;
            this.tie = tie;
            this.tier = tier;
        }

        /** A class comes before its tier, whose tie it has. */
        @Override
        public int compareTo(Ranked other) {
            int byWorth = Long.compare(other.worth, worth);
            int byTie = byWorth != 0 ? byWorth : Integer.compare(tie, other.tie);
            return byTie != 0 ? byTie : Boolean.compare(tier != null, other.tier != null);
        }
    }

    private final Drawing drawing;
    private final Domains domains;
    private final Worth worth;
    private final IntPredicate admits;
    private final PriorityQueue<Ranked> queue = new PriorityQueue<>();

    /**
     * @param admits whether a class may be used at all
     */
    WishedMachines(Drawing drawing, Domains domains, Worth worth, IntPredicate admits) {
        this.drawing = drawing;
        this.domains = domains;
        this.worth = worth;
        this.admits = admits;
        for (int tier = 0; tier < domains.tiers(); tier++) {
            int[] classes = domains.classesOf(tier);
            Walk unseen = new Walk(classes.length, drawing.random());
            queue.add(new Ranked(
                    tier, worth.withoutTasks(classes[0]), drawing.random().nextInt(), unseen));
        }
    }

    @Override
    public int next() {
        for (Ranked first = queue.poll(); first != null; first = queue.poll()) {
            if (first.tier != null) {
                takeClassOf(first, first.tier);
                continue;
            }
            long now = worth.of(first.place);
            int machine = now < first.worth ? EMPTY : nextOf(first);
            if (machine != EMPTY || now < first.worth) {
                first.worth = now;
                queue.add(first);
            }
            if (machine != EMPTY) {
                return machine;
            }
        }
        return EMPTY;
    }

    private void takeClassOf(Ranked tier, Walk unseen) {
        int place = domains.classesOf(tier.place)[unseen.next()];
        if (admits.test(place)) {
            queue.add(new Ranked(place, worth.of(place), tier.tie, null));
        }
        if (unseen.hasNext()) {
            queue.add(tier);
        }
    }

    private int nextOf(Ranked ranked) {
        if (ranked.pool == null) {
            ranked.pool = drawing.pool(domains.machines(ranked.place));
        }
        return ranked.pool.next();
    }
}
