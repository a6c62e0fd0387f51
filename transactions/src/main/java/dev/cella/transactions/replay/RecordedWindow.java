package dev.cella.transactions.replay;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Specification;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a cell was asked in a window of its past, and what stood in the way: enough to decide it all again. Times are
 * milliseconds since the beginning of the window.
 *
 * @param lengthMillis how long the window is
 * @param machines those that take tasks, with what they had free for this window's tasks
 * @param held what stood on a machine at the beginning and left within the window
 * @param arrivals the jobs with tasks to place, in the order of their arrival
 */
public record RecordedWindow(
        long lengthMillis, Dimensions dimensions, List<Room> machines, List<Held> held, List<Arrival> arrivals) {
    /** The run time of a task whose end is not in the record: it stays for the rest of the window. */
    public static final long STAYS = Long.MAX_VALUE;

    /** A machine: its capacity without what others held for the whole window. */
    public record Room(String name, Amounts capacity, Map<String, String> attributes) {
        public Room {
            attributes = Map.copyOf(attributes);
        }
    }

    /** A task of before. */
    public record Held(int machine, Amounts amounts, long endMillis) {}

    /**
     * A job, with the tasks that waited for a place in the window only.
     *
     * @param runMillis by group and task
     * @param placedMillis when the last of its tasks was placed; empty if not all were
     */
    public record Arrival(
            JobHeader header,
            Specification specification,
            long atMillis,
            List<List<Long>> runMillis,
            OptionalLong placedMillis) {
        public Arrival {
            runMillis = runMillis.stream().map(List::copyOf).toList();
        }
    }

    public RecordedWindow {
        machines = List.copyOf(machines);
        held = List.copyOf(held);
        arrivals = List.copyOf(arrivals);
    }

    /** How many tasks arrived. */
    public long tasks() {
        return arrivals.stream().mapToLong(job -> job.header().tasks()).sum();
    }
}
