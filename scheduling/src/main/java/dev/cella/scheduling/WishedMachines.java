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
 * rises, so an old worth is an upper bound: only the first class in the queue is computed again. A task costs the logarithm of
 * the number of classes; a plan costs the classes, once.
 */
final class WishedMachines implements MachinePool {
    /** One class, with its worth when it was last computed. */
    private static final class Ranked implements Comparable<Ranked> {
        final int place;
        final int tie;
        long worth;

        @Nullable
        MachinePool pool;

        Ranked(int place, long worth, int tie) {
            this.place = place;
            this.worth = worth;
            this.tie = tie;
        }

        @Override
        public int compareTo(Ranked other) {
            int byWorth = Long.compare(other.worth, worth);
            return byWorth != 0 ? byWorth : Integer.compare(tie, other.tie);
        }
    }

    private final Drawing drawing;
    private final Domains domains;
    private final Worth worth;
    private final PriorityQueue<Ranked> queue = new PriorityQueue<>();

    /**
     * @param admits whether a class may be used at all
     */
    WishedMachines(Drawing drawing, Domains domains, Worth worth, IntPredicate admits) {
        this.drawing = drawing;
        this.domains = domains;
        this.worth = worth;
        for (int place = 0; place < domains.classes(); place++) {
            if (admits.test(place)) {
                queue.add(new Ranked(place, worth.of(place), drawing.random().nextInt()));
            }
        }
    }

    @Override
    public int next() {
        for (Ranked first = queue.poll(); first != null; first = queue.poll()) {
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

    private int nextOf(Ranked ranked) {
        if (ranked.pool == null) {
            ranked.pool = drawing.pool(domains.machines(ranked.place));
        }
        return ranked.pool.next();
    }
}
