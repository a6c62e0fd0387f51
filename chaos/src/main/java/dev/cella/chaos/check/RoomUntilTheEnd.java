package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.Replay.MachineFact;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** The room that machines had without a break from some moment to the end, and the tasks that changed in that time. */
final class RoomUntilTheEnd {
    private final CellView end;
    private final Map<Integer, Amounts> room = new HashMap<>();
    private final Set<TaskId> changed = new HashSet<>();
    private long versionBefore;

    RoomUntilTheEnd(Replay replay, long sinceNanos) {
        end = replay.end();
        for (Replay.Step step : replay.steps()) {
            boolean isBefore = step.atNanos() <= sinceNanos;
            step.machines().forEach(machine -> note(machine, isBefore));
            if (isBefore) {
                versionBefore = step.version();
            } else {
                step.tasks().forEach(task -> changed.add(task.task()));
            }
        }
    }

    /** Before the moment only the last state counts. After it, a machine has the least that it ever had. */
    private void note(MachineFact machine, boolean isBefore) {
        if (machine.status() != MachineStatus.READY) {
            room.remove(machine.slot());
        } else if (isBefore) {
            room.put(machine.slot(), machine.free());
        } else {
            room.computeIfPresent(machine.slot(), (slot, before) -> least(before, machine.free()));
        }
    }

    private static Amounts least(Amounts one, Amounts other) {
        return Amounts.of(IntStream.range(0, Math.max(one.size(), other.size()))
                .mapToLong(dimension -> Math.min(one.at(dimension), other.at(dimension)))
                .toArray());
    }

    /** The first task of the group that has waited all the time while a machine had room for it. */
    OptionalInt firstWaiting(JobRow job, GroupRow group) {
        boolean isNew = job.id().version() > versionBefore;
        if (isNew || !isRoomFor(group.header().shape())) {
            return OptionalInt.empty();
        }
        return IntStream.range(0, group.header().count())
                .filter(index -> isWaiting(new TaskId(job.id(), group.place(), index), group))
                .findFirst();
    }

    private boolean isRoomFor(Amounts shape) {
        return room.keySet().stream().anyMatch(slot -> end.fits(slot, shape) && isRoomFor(shape, slot));
    }

    private boolean isRoomFor(Amounts shape, int slot) {
        Amounts least = room.getOrDefault(slot, Amounts.NONE);
        return IntStream.range(0, shape.size()).allMatch(dimension -> shape.at(dimension) <= least.at(dimension));
    }

    private boolean isWaiting(TaskId task, GroupRow group) {
        return end.taskState(group, task.index()) == TaskState.PENDING
                && !end.waitsForMachine(task)
                && !changed.contains(task);
    }
}
