package dev.cella.scheduling.host;

import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.model.Amounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The shapes for which a plan looked at every machine and found no room, and the machines that may have gained room since.
 *
 * <h2>Why</h2>
 *
 * <p>In a full cell nearly every plan is for the room that one ended task left. To find that machine it would look at all
 * others too, and again to learn that nothing is left: time proportional to the cell for each task. With this, a later plan
 * looks only at the machines that may have gained room. It looks at them in the order in which it would have met them among
 * all, so it makes the same plan.
 *
 * <p>It is right only if the host names every machine whose room may have grown: in the view, by a transaction in flight that
 * is settled, and by drafts that the plan took back or that became no transaction. A host that cannot do so has none.
 *
 * <p>Owned by the thread that plans on the view.
 */
public final class FullMachines {
    /** With more gains than this to look through, a plan looks at all machines. */
    static final int GAINS_MAX = 2_048;

    private static final int SEARCHES_MAX = 1_024;

    private record Search(Amounts shape, @Nullable MachineSet within) {}

    /** For each search the number of gains before it ended without a machine. */
    private final Map<Search, Long> endedAt = new HashMap<>();

    private final int[] gains = new int[GAINS_MAX];
    private long gained;

    /** The machine may have more room than before. */
    public void gained(int machine) {
        gains[(int) (gained++ % GAINS_MAX)] = machine;
    }

    /** Any machine may have more room than before. */
    public void forget() {
        endedAt.clear();
    }

    /**
     * A plan looked at all machines and none has room for the shape.
     *
     * @param within the machines to which its view was narrowed, if it was
     */
    public void foundNone(Amounts shape, @Nullable MachineSet within) {
        if (endedAt.size() >= SEARCHES_MAX) {
            forget();
        }
        endedAt.put(new Search(shape, within), gained);
    }

    /** The only machines that may have room for the shape, in any order, each once; empty if all may have it. */
    public Optional<IntStream> mayHaveRoom(Amounts shape, @Nullable MachineSet within) {
        Long from = endedAt.isEmpty() ? null : endedAt.get(new Search(shape, within));
        if (from == null || gained - from > GAINS_MAX) {
            return Optional.empty();
        }
        int count = (int) (gained - from);
        return Optional.of(IntStream.range(0, count)
                .map(place -> gains[(int) ((from + place) % GAINS_MAX)])
                .filter(machine -> within == null || within.contains(machine))
                .distinct());
    }
}
