package dev.cella.state.history;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.RecordedWindow.Arrival;
import dev.cella.transactions.replay.RecordedWindow.Held;
import dev.cella.transactions.replay.RecordedWindow.Room;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the record of a window from the steps of its tasks and the cell as it is now: what arrived, how long it ran, and what
 * stood there before.
 *
 * <p>A pure reader of the view: call it while the view stands still.
 */
public final class WindowRecorder {
    /** What the steps of the window say of one task. */
    private static final class Seen {
        long placedMillis = -1;
        long endedMillis = -1;
        long runMillis = RecordedWindow.STAYS;
    }

    /** A task as its step names it, of the job that had the name then: 0 if the cell has forgotten that job. */
    private record TaskName(long job, String text) {
        boolean isCopy() {
            int slash = text.indexOf('/');
            String group = text.substring(slash + 1, text.lastIndexOf('/'));
            return !GroupHeader.nameOfCopied(group).equals(group);
        }
    }

    private final CellView view;
    private final long fromMillis;
    private final long toMillis;
    private final Map<String, NavigableSet<Long>> byName = new HashMap<>();
    private final Map<TaskName, Seen> seen = new HashMap<>();
    private final Set<Long> jobsSeen = new HashSet<>();
    private final List<Integer> slots = new ArrayList<>();
    private final Map<Integer, Integer> places = new HashMap<>();
    private final List<long[]> free = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private long tasksLeftOut;

    /** @param steps all of the window, the oldest first */
    public WindowRecorder(CellView view, long fromMillis, long toMillis, List<HistoryStep> steps) {
        this.view = view;
        this.fromMillis = fromMillis;
        this.toMillis = toMillis;
        for (JobRow job : view.jobs()) {
            byName.computeIfAbsent(job.name(), name -> new TreeSet<>())
                    .add(job.id().version());
        }
        steps.forEach(this::see);
    }

    private void see(HistoryStep step) {
        int slash = step.task().indexOf('/');
        long job = jobAt(step.version(), slash < 0 ? step.task() : step.task().substring(0, slash));
        jobsSeen.add(job);
        if (slash < 0) {
            return;
        }
        Seen task = seen.computeIfAbsent(new TaskName(job, step.task()), name -> new Seen());
        switch (step.kind()) {
            case PLACED -> task.placedMillis = step.atMillis();
            case FINISHED, FAILED, KILLED, PREEMPTED, LOST -> {
                task.endedMillis = step.atMillis();
                if (task.placedMillis >= 0) {
                    task.runMillis = Math.max(1, step.atMillis() - task.placedMillis);
                }
            }
            case SUBMITTED, UPDATED, SCALED, STOPPED, PENDING, RUNNING, STOPPING, CONFLICTED, REFUSED -> {}
        }
    }

    /** A job that has ended keeps its row for a day, and its name may be used again meanwhile. */
    private long jobAt(long version, String name) {
        Long job = byName.getOrDefault(name, Collections.emptyNavigableSet()).floor(version);
        return job == null ? 0 : job;
    }

    /** How many placed tasks of the window are of jobs that the cell has forgotten. Known after {@link #record}. */
    public long tasksLeftOut() {
        return tasksLeftOut;
    }

    public RecordedWindow record() {
        machines();
        int known = 0;
        for (JobRow job : view.jobs()) {
            if (jobsSeen.contains(job.id().version()) || job.pending() > 0) {
                known += arrival(job);
            }
        }
        long placed = seen.entrySet().stream()
                .filter(task ->
                        task.getValue().placedMillis >= 0 && !task.getKey().isCopy())
                .count();
        tasksLeftOut = Math.max(0, placed - known);
        List<Room> rooms = new ArrayList<>();
        slots.forEach(slot ->
                rooms.add(new Room(view.machineName(slot), Amounts.of(free.get(rooms.size())), view.attributes(slot))));
        return new RecordedWindow(toMillis - fromMillis, view.dimensions(), rooms, held, arrivals);
    }

    /** Machines that take tasks now, with what is free now; the window's own tasks are given back later. */
    private void machines() {
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot) && view.status(slot) == MachineStatus.READY) {
                places.put(slot, slots.size());
                slots.add(slot);
                long[] amounts = new long[view.dimensions().size()];
                for (int dimension = 0; dimension < amounts.length; dimension++) {
                    amounts[dimension] = Math.max(0, view.free(slot, dimension));
                }
                free.add(amounts);
            }
        }
    }

    // ---- jobs

    /** Adds the job if any of its tasks waited for a place in the window. Returns how many of them were placed in it. */
    private int arrival(JobRow job) {
        List<GroupHeader> groups = new ArrayList<>();
        List<List<Long>> runs = new ArrayList<>();
        int placed = 0;
        long lastPlaced = fromMillis;
        boolean isWhole = true;
        for (GroupRow group : job.groups()) {
            if (group.isOfCopies()) {
                giveBackCopies(group);
                continue;
            }
            List<Long> times = new ArrayList<>();
            for (int index = 0; index < group.header().count(); index++) {
                Seen task = seen(group, index);
                if (task != null && task.placedMillis >= 0) {
                    placed++;
                    giveBack(group, index);
                    lastPlaced = Math.max(lastPlaced, task.placedMillis);
                    times.add(task.runMillis);
                } else if (view.taskState(group, index) == TaskState.PENDING) {
                    isWhole = false;
                    times.add(RecordedWindow.STAYS);
                } else {
                    stood(group, index, task);
                }
            }
            groups.add(
                    group.header().mayHave(times.size())
                            ? group.header().withCount(times.size())
                            : loose(group, times));
            runs.add(known(times));
        }
        if (runs.stream().anyMatch(times -> !times.isEmpty())) {
            long atMillis = Math.max(0, job.submittedAtMillis() - fromMillis);
            arrivals.add(new Arrival(
                    job.header().withGroups(groups),
                    job.specification(),
                    Math.min(atMillis, toMillis - fromMillis),
                    runs,
                    isWhole ? OptionalLong.of(lastPlaced - fromMillis) : OptionalLong.empty()));
        }
        return placed;
    }

    private @Nullable Seen seen(GroupRow group, int index) {
        JobRow job = group.job();
        String text = job.name() + "/" + group.header().name() + "/" + index;
        return seen.get(new TaskName(job.id().version(), text));
    }

    /** The scheduler of the replay makes copies of its own. */
    private void giveBackCopies(GroupRow copies) {
        for (int index = 0; index < copies.header().count(); index++) {
            Seen task = seen(copies, index);
            if (task != null && task.placedMillis >= 0) {
                giveBack(copies, index);
            } else {
                stood(copies, index, task);
            }
        }
    }

    /** The replay starts with the amounts free that a task of the window still holds. */
    private void giveBack(GroupRow group, int index) {
        TaskRow row = view.task(group, index);
        Integer place = row.machine().isPresent() && row.state().isOnMachine()
                ? places.get(row.machine().getAsInt())
                : null;
        if (place != null) {
            long[] amounts = free.get(place);
            for (int dimension = 0; dimension < amounts.length; dimension++) {
                amounts[dimension] += row.resources().at(dimension);
            }
        }
    }

    /** A part of a gang was there before, so the rest need not start together. */
    private static GroupHeader loose(GroupRow group, List<Long> times) {
        GroupHeader all = group.header();
        return new GroupHeader(
                all.name(),
                times.size(),
                all.shape(),
                all.restart(),
                all.runningMax(),
                all.failuresMax(),
                all.onLost(),
                Optional.empty());
    }

    /** A task that never ended in the window runs as long as most of its group did, if any of them ended. */
    private static List<Long> known(List<Long> times) {
        List<Long> ended = times.stream()
                .filter(time -> time != RecordedWindow.STAYS)
                .sorted()
                .toList();
        return ended.isEmpty() || ended.size() * 2 < times.size()
                ? times
                : times.stream()
                        .map(time -> time == RecordedWindow.STAYS ? ended.get(ended.size() / 2) : time)
                        .toList();
    }

    /** A task of before that ended in the window held its place until then. */
    private void stood(GroupRow group, int index, @Nullable Seen task) {
        if (task == null || task.endedMillis < 0) {
            return;
        }
        TaskRow row = view.task(group, index);
        Integer place = row.machine().isPresent() ? places.get(row.machine().getAsInt()) : null;
        if (place != null && !row.resources().isNone()) {
            held.add(new Held(place, Amounts.of(values(row.resources())), task.endedMillis - fromMillis));
        }
    }

    private long[] values(Amounts amounts) {
        long[] values = new long[view.dimensions().size()];
        for (int dimension = 0; dimension < values.length; dimension++) {
            values[dimension] = amounts.at(dimension);
        }
        return values;
    }
}
