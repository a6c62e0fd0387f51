package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A task as it was when it was read; a value that may be kept and shared. {@code attempt} is 0 before the first placement.
 * {@code resources} are what its attempt holds, or what the next one will ask for. {@code machine} is the slot of its current
 * or last machine, {@code machineName} the name. A {@code spare} task is placed in what the machine's other work leaves: it uses
 * its resources and holds none of them.
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
        CellVersion changedVersion,
        boolean spare) {
    /** The task at that index of the group. */
    public static TaskRow of(TaskFacts facts, GroupRow group, int index) {
        int row = group.row(index);
        return row == TaskTable.NO_ROW ? neverPlaced(facts, group, index) : of(facts, group, index, row);
    }

    private static TaskRow neverPlaced(TaskFacts facts, GroupRow group, int index) {
        JobRow job = group.job();
        return new TaskRow(
                new TaskId(job.id(), group.place(), index),
                job.name(),
                group.header().name(),
                job.generation(),
                0,
                Optional.empty(),
                facts.stateOf(group, index),
                job.reason(),
                OptionalInt.empty(),
                Optional.empty(),
                group.header().shape(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                false,
                List.of(),
                new CellVersion(neverPlacedSince(job)),
                false);
    }

    /** Its row follows from the job: from its submission, its last update and its stop. */
    private static long neverPlacedSince(JobRow job) {
        return job.isStopped() || job.isEnded()
                ? job.changedVersion()
                : Math.max(job.id().version(), job.updatedVersion());
    }

    private static TaskRow of(TaskFacts facts, GroupRow group, int index, int row) {
        TaskTable tasks = facts.tasks();
        JobRow job = group.job();
        boolean pending = tasks.state(row) == TaskState.PENDING;
        Origin origin = tasks.origin(row);
        return new TaskRow(
                new TaskId(job.id(), group.place(), index),
                job.name(),
                group.header().name(),
                pending ? job.generation() : tasks.generation(row),
                tasks.attempt(row),
                placement(origin, tasks.ordinal(row)),
                facts.stateOf(group, index),
                facts.reasonOf(group, row),
                optional(tasks.machine(row), TaskTable.NO_MACHINE),
                machineName(facts, tasks.machine(row)),
                pending ? group.header().shape() : tasks.shape(row),
                Optional.ofNullable(origin),
                optional(tasks.exitCode(row), ChangeSink.EXIT_CODE_NONE),
                time(tasks.startedAt(row)),
                time(tasks.endedAt(row)),
                tasks.failures(row),
                facts.hasFailedForGood(group, row),
                waitingFor(facts, row),
                new CellVersion(tasks.changedVersion(row)),
                tasks.isSpare(row));
    }

    /** Returns whether the task is a copy of another one, and runs beside it. */
    public boolean isCopy() {
        return !GroupHeader.nameOfCopied(groupName).equals(groupName);
    }

    private static Optional<PlacementId> placement(@Nullable Origin origin, int ordinal) {
        return origin == null ? Optional.empty() : Optional.of(new PlacementId(origin.version(), ordinal));
    }

    private static Optional<String> machineName(TaskFacts facts, int slot) {
        return slot == TaskTable.NO_MACHINE
                ? Optional.empty()
                : Optional.of(facts.machines().name(slot));
    }

    private static OptionalInt optional(int value, int none) {
        return value == none ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static OptionalLong time(long millis) {
        return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /**
     * The victims whose amounts a placed task has taken over and which have not ended yet. It must not start before they end.
     */
    private static List<TaskId> waitingFor(TaskFacts facts, int row) {
        TaskTable tasks = facts.tasks();
        if (tasks.state(row) != TaskState.PLACED || tasks.yielding() == 0) {
            return List.of();
        }
        List<TaskId> victims = new ArrayList<>();
        for (int victim = facts.machines().firstTask(tasks.machine(row));
                victim != TaskTable.NO_ROW;
                victim = tasks.nextOnMachine(victim)) {
            if (tasks.yieldsTo(victim, row)) {
                GroupRow group = tasks.group(victim);
                victims.add(new TaskId(group.job().id(), group.place(), tasks.index(victim)));
            }
        }
        return victims;
    }

    /** What the attempt takes of the free amounts of its machine. */
    public Amounts held() {
        return spare ? Amounts.NONE : resources;
    }

    /** "job/group/index", as people write it. */
    public String text() {
        return jobName + "/" + groupName + "/" + id.index();
    }
}
