package dev.cella.transactions.replay;

import java.util.List;

/** Replays recorded windows. The process that starts a server plugs it in. */
public interface WindowReplay {
    /** The scheduler types that can be replayed. */
    List<String> types();

    /**
     * The counts of these schedulers over the window, in their order: the same for the same arguments.
     *
     * @throws IllegalArgumentException if a scheduler has a type or an option that cannot be replayed; the message says why
     */
    List<ReplayedCounts> replay(RecordedWindow window, List<ReplayedScheduler> schedulers, long seed);
}
