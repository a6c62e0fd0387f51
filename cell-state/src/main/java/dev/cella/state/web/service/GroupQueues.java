package dev.cella.state.web.service;

import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.GroupQueue;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Amounts;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The queues of machines in which pending tasks of a group wait, and what keeps each queue from moving. */
final class GroupQueues {
    private static final int QUEUES_MAX = 10;

    private final CellView view;
    private final GroupRow group;

    private GroupQueues(CellView view, GroupRow group) {
        this.view = view;
        this.group = group;
    }

    /** Adds them, if there are any. */
    static void add(CellView view, GroupRow group, GroupExplanation.Builder answer) {
        int queued = group.pending() - group.toPlan();
        if (queued > 0) {
            answer.setQueued(queued);
            new GroupQueues(view, group).add(answer);
        }
    }

    private void add(GroupExplanation.Builder answer) {
        Map<Integer, Integer> tasksBySlot = new TreeMap<>();
        for (int index = group.nextPending(0); index >= 0; index = group.nextPending(index + 1)) {
            view.queuedAt(group, index).forEach(row -> tasksBySlot.merge(row.slot(), 1, Integer::sum));
        }
        tasksBySlot.keySet().stream()
                .sorted(Comparator.comparingInt(view::queuedOn))
                .limit(QUEUES_MAX)
                .forEach(slot -> answer.addQueues(queue(slot, tasksBySlot.getOrDefault(slot, 0))));
    }

    private GroupQueue queue(int slot, int tasks) {
        GroupQueue.Builder queue = GroupQueue.newBuilder()
                .setMachine(view.machineName(slot))
                .setTasks(tasks)
                .setBefore(view.queueOn(slot).stream()
                        .takeWhile(row -> row.group() != group)
                        .count());
        Optional<QueueRow> head = view.queueOn(slot).stream().findFirst();
        head.ifPresent(row -> queue.setHead(row.text()));
        head.flatMap(row -> lacking(slot, row.group().header().shape())).ifPresent(queue::setHeadLacks);
        return queue.build();
    }

    private Optional<String> lacking(int slot, Amounts asked) {
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            if (asked.at(dimension) > view.free(slot, dimension)) {
                return Optional.of(view.dimensions().nameAt(dimension));
            }
        }
        return Optional.empty();
    }
}
