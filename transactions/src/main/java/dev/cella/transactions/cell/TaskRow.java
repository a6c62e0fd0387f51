package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A task as it was when this was read; a value that may be kept and shared. {@code attempt} is 0 before the first
 * placement. {@code resources} are what its attempt holds, or what the next one will ask. {@code machine} is the slot its
 * attempt is or was on, {@code machineName} the name.
 */
public record TaskRow(
        TaskId id,
        String jobName,
        String groupName,
        int generation,
        int attempt,
        Optional<PlacementId> placement,
        TaskState state,
        TaskReason reason,
        OptionalInt machine,
        Optional<String> machineName,
        Amounts resources,
        Optional<Origin> origin,
        OptionalInt exitCode,
        OptionalLong startedAtMillis,
        OptionalLong endedAtMillis,
        int failures,
        boolean failedForGood,
        List<TaskId> waitingFor,
        CellVersion changedVersion) {
    /** "job/group/index", as people write it. */
    public String text() {
        return jobName + "/" + groupName + "/" + id.index();
    }
}
