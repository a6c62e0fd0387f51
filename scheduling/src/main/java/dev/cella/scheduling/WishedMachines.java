package dev.cella.scheduling;

import dev.cella.scheduling.placement.Domains;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The machines that meet a group's constraints, those first that it wishes for most.
 *
 * <h2>What it costs</h2>
 *
 * <p>To ask each machine for each task what it is worth would cost the size of the cell a task. But a wish is worth the
 * same on all machines of a class ({@link Domains}), and there are as many classes as values, not as machines. So classes
 * wait in a queue by their {@link Worth}, and a machine is drawn within the first one. A class is worth less with each task
 * that goes to one of its values and never more, so what it was worth before is a bound: only the first in the queue is
 * worked out again. A task costs the logarithm of the classes; a plan costs the classes, once.
 */
final class WishedMachines implements MachinePool {
    /** One class, and what it was worth when it was looked at last. */
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

    /** @param admits whether a class may be used at all */
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
