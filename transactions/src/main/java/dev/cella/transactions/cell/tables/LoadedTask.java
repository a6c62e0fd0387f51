package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import org.jspecify.annotations.Nullable;

/** A task's row in a snapshot, in the order of its fields there. */
public record LoadedTask(
        GroupRow group,
        int index,
        int attempt,
        TaskState state,
        TaskReason reason,
        int failures,
        int generation,
        Amounts shape,
        int slot,
        @Nullable Origin by,
        int ordinal,
        int exitCode,
        long startedAtMillis,
        long endedAtMillis,
        Amounts handed,
        long yieldsToVersion,
        int yieldsToOrdinal,
        long changedVersion,
        int nextOnMachine,
        boolean spare) {}
