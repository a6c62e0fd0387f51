package dev.cella.state.conflicts;

import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/**
 * One line of the ledger: a claim that lost to an earlier transaction.
 *
 * @param atMillis when it was decided, by the wall clock of the leader
 * @param taskName {@code job/group/index}, as it was called then
 * @param machine its name, empty if the claim named no existing machine
 * @param dimension the dimension that lacked, if an amount was the reason
 * @param basis the version it was planned on
 * @param winner the last transaction that claimed on that machine, or placed that task
 */
public record LostClaim(
        long atMillis,
        TaskId task,
        String taskName,
        String machine,
        Reason reason,
        Optional<String> dimension,
        long asked,
        long free,
        long basis,
        Origin loser,
        Optional<Origin> winner) {
    /** The version at which it was decided. */
    public long version() {
        return loser.version();
    }

    /** How many versions the cell had advanced since the plan. */
    public long stalenessVersions() {
        return version() - 1 - basis;
    }
}
