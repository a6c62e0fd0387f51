package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The queues of the machines: which pending tasks wait where, in the order in which they were queued. A row goes with its task
 * or its machine, which no change of the stream says: it follows from the tables. Owned by the applying thread.
 */
public final class QueueTable {
    private static final int ROW = 1;

    public final TableDigest digest = new TableDigest();

    /** By slot, each in order. A new row is almost always the last one, and a row that goes is near the head. */
    private final List<List<QueueRow>> bySlot = new ArrayList<>();

    /** By job, then by group and index. */
    private final Map<Long, NavigableMap<Long, List<QueueRow>>> byTask = new HashMap<>();

    private final Map<Long, Integer> countByJob = new HashMap<>();

    /** The rows that left their queues in the newest version. */
    private final List<QueueRow> left = new ArrayList<>();

    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** The machine's queue: its head first. */
    public Collection<QueueRow> on(int slot) {
        return slot < bySlot.size() ? Collections.unmodifiableList(bySlot.get(slot)) : List.of();
    }

    public int count(int slot) {
        return slot < bySlot.size() ? bySlot.get(slot).size() : 0;
    }

    /** The rows of the task, oldest first. */
    public List<QueueRow> of(GroupRow group, int index) {
        NavigableMap<Long, List<QueueRow>> ofJob = ofJob(group.job());
        return Collections.unmodifiableList(ofJob.getOrDefault(task(group.place(), index), List.of()));
    }

    public boolean has(GroupRow group, int index, int slot) {
        return of(group, index).stream().anyMatch(row -> row.slot() == slot);
    }

    /** Returns whether this row, and no later one of the same task, is in its queue. */
    public boolean has(QueueRow row) {
        return row.slot() < bySlot.size() && Collections.binarySearch(bySlot.get(row.slot()), row) >= 0;
    }

    /** How many rows the job has. */
    public int count(JobRow job) {
        return countByJob.getOrDefault(job.id().version(), 0);
    }

    private NavigableMap<Long, List<QueueRow>> ofJob(JobRow job) {
        return size == 0
                ? Collections.emptyNavigableMap()
                : byTask.getOrDefault(job.id().version(), Collections.emptyNavigableMap());
    }

    /** A copy of all rows, machine by machine. */
    public List<QueueRow> all() {
        List<QueueRow> all = new ArrayList<>(size);
        bySlot.forEach(all::addAll);
        return all;
    }

    /** Every queue that is not empty, by the machine's slot; its head is first. */
    public void forEachQueue(BiConsumer<Integer, Collection<QueueRow>> consumer) {
        for (int slot = 0; slot < bySlot.size(); slot++) {
            if (count(slot) > 0) {
                consumer.accept(slot, on(slot));
            }
        }
    }

    /** The rows that left their queues since {@link #begin}. */
    public List<QueueRow> left() {
        return left;
    }

    void begin() {
        left.clear();
    }

    // ---- changing

    public void put(QueueRow row) {
        putOn(row);
        byTask.computeIfAbsent(row.group().job().id().version(), job -> new TreeMap<>())
                .computeIfAbsent(task(row.group().place(), row.index()), task -> new ArrayList<>(2))
                .add(row);
        countByJob.merge(row.group().job().id().version(), 1, Integer::sum);
        row.group().queue(row.index(), true);
        size++;
        digest.moved(key(row), ROW, 0, digestOf(row));
    }

    private void putOn(QueueRow row) {
        while (bySlot.size() <= row.slot()) {
            bySlot.add(new ArrayList<>(0));
        }
        List<QueueRow> on = bySlot.get(row.slot());
        boolean isLast = on.isEmpty() || on.get(on.size() - 1).compareTo(row) < 0;
        on.add(isLast ? on.size() : -1 - Collections.binarySearch(on, row), row);
    }

    /** The task is no longer pending. */
    void dropTask(GroupRow group, int index) {
        if (size > 0) {
            List.copyOf(of(group, index)).forEach(this::remove);
        }
    }

    /** Nothing of the job is pending, or not in the generation that it was queued in. */
    void dropJob(JobRow job) {
        dropOf(job, row -> true);
    }

    /** Drops the rows of tasks that the job's groups have lost by shrinking. */
    void dropSurplus(JobRow job) {
        dropOf(job, row -> row.group().isSurplus(row.index()));
    }

    private void dropOf(JobRow job, Predicate<QueueRow> condition) {
        if (size > 0) {
            List<QueueRow> dropped = new ArrayList<>();
            ofJob(job).values().forEach(rows -> rows.stream().filter(condition).forEach(dropped::add));
            dropped.forEach(this::remove);
        }
    }

    /** The machine takes no claims any more. */
    void dropOn(int slot) {
        dropOn(slot, row -> true);
    }

    void dropOn(int slot, Predicate<QueueRow> condition) {
        if (size > 0) {
            on(slot).stream().filter(condition).toList().forEach(this::remove);
        }
    }

    private void remove(QueueRow row) {
        List<QueueRow> on = bySlot.get(row.slot());
        on.remove(Collections.binarySearch(on, row));
        byTask.computeIfPresent(row.group().job().id().version(), (job, tasks) -> {
            tasks.computeIfPresent(task(row.group().place(), row.index()), (task, rows) -> {
                rows.remove(row);
                row.group().queue(row.index(), !rows.isEmpty());
                return rows.isEmpty() ? null : rows;
            });
            return tasks.isEmpty() ? null : tasks;
        });
        countByJob.computeIfPresent(row.group().job().id().version(), (job, rows) -> rows == 1 ? null : rows - 1);
        size--;
        left.add(row);
        digest.moved(key(row), ROW, digestOf(row), 0);
    }

    private static long task(int group, int index) {
        return (long) group << 32 | index;
    }

    private static long key(QueueRow row) {
        return Digests.mix(row.origin().version(), row.ordinal());
    }

    private static long digestOf(QueueRow row) {
        return Digests.mix(Digests.mix(row.task().digest(), row.slot()), row.ordinal());
    }
}
