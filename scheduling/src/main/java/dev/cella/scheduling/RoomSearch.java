package dev.cella.scheduling;

import dev.cella.scheduling.host.FullMachines;
import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.model.Amounts;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A search of all machines of a view for room for one shape, and nothing else. It skips those that earlier plans found full.
 *
 * @param within the machines to which the view is narrowed, if it is
 */
record RoomSearch(
        FullMachines full, Amounts shape, @Nullable MachineSet within) {
    /** The only machines worth a look; empty if all are. */
    Optional<IntStream> mayHaveRoom() {
        return full.mayHaveRoom(shape, within);
    }

    void foundNone() {
        full.foundNone(shape, within);
    }
}
