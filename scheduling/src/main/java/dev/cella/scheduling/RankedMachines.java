package dev.cella.scheduling;

import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Machines by a score, the best first, as long as they take tasks. Near-equals come in an order drawn from the seed, so that
 * two planners on one view do not choose the same machine.
 */
final class RankedMachines implements MachinePool {
    /** Scores within one step of this size are near-equals. */
    private static final long NEAR = 20;

    private record Ranked(int machine, long rank, int tie) implements Comparable<Ranked> {
        @Override
        public int compareTo(Ranked other) {
            int byRank = Long.compare(other.rank, rank);
            return byRank != 0 ? byRank : Integer.compare(tie, other.tie);
        }
    }

    private final Drawing drawing;
    private final PriorityQueue<Ranked> queue = new PriorityQueue<>();
    private int last = EMPTY;

    RankedMachines(Drawing drawing, int @Nullable [] members) {
        this.drawing = drawing;
        IntStream slots = members == null ? IntStream.range(0, drawing.cell().machines()) : IntStream.of(members);
        slots.forEach(this::add);
    }

    private void add(int machine) {
        if (drawing.takes().test(machine)) {
            queue.add(new Ranked(
                    machine,
                    Math.floorDiv(drawing.score(machine), NEAR),
                    drawing.random().nextInt()));
        }
    }

    /**
     * The machine handed out last may have taken a task since. If it takes another, it returns to its place in the order.
     */
    @Override
    public int next() {
        if (last != EMPTY) {
            add(last);
        }
        Ranked best = queue.poll();
        while (best != null && !drawing.takes().test(best.machine)) {
            best = queue.poll();
        }
        last = best == null ? EMPTY : best.machine;
        return last;
    }
}
