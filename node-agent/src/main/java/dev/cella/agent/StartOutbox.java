package dev.cella.agent;

import dev.cella.client.live.AgentConnection;
import dev.cella.client.proto.QueuedTask;
import dev.cella.client.proto.StartAnswer;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.StartResult;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The starts from the queues of all machines on their way to the cell. Starts that gather during a call go with the next one.
 * It does not repeat calls: the machine's queue decides what to ask for again. Owned by the agent's loop.
 */
final class StartOutbox {
    private static final int CALLS_MAX = 4;
    private static final int STARTS_MAX = 2_000;

    private record Waiting(Machine machine, Registered registration, TaskId task, int generation) {}

    private final AgentLoop loop;
    private final AgentConnection cell;
    private final String idPrefix = UUID.randomUUID() + "-";
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long sent;
    private int calls;
    private boolean isFlushDue;

    StartOutbox(AgentLoop loop, AgentConnection cell) {
        this.loop = loop;
        this.cell = cell;
    }

    /** Asks for the start after the loop's current event, together with those that come until then. */
    void add(Machine machine, Registered registration, QueueRow row) {
        int generation = row.group().job().generation();
        waiting.add(new Waiting(machine, registration, row.task(), generation));
        if (!isFlushDue) {
            isFlushDue = true;
            loop.handOver(this::flush);
        }
    }

    private void flush() {
        isFlushDue = false;
        while (!waiting.isEmpty() && calls < CALLS_MAX) {
            send(nextBatch());
        }
    }

    /** Starts of one incarnation. */
    private List<Waiting> nextBatch() {
        Incarnation incarnation = waiting.element().registration().incarnation();
        List<Waiting> batch = new ArrayList<>();
        while (batch.size() < STARTS_MAX
                && !waiting.isEmpty()
                && waiting.element().registration().incarnation().equals(incarnation)) {
            batch.add(waiting.remove());
        }
        return batch;
    }

    private void send(List<Waiting> batch) {
        calls++;
        sent++;
        StartRequest.Builder request = StartRequest.newBuilder()
                .setIncarnation(batch.get(0).registration().incarnation().number())
                .setId(idPrefix + sent);
        batch.forEach(each -> request.addTasks(message(each)));
        loop.handOver(cell.start(request.build()), (answer, failure) -> answered(batch, answer));
    }

    private static QueuedTask message(Waiting waiting) {
        return QueuedTask.newBuilder()
                .setRegisteredVersion(waiting.registration().machine().version())
                .setJobVersion(waiting.task().job().version())
                .setGroup(waiting.task().group())
                .setIndex(waiting.task().index())
                .setGeneration(waiting.generation())
                .build();
    }

    private void answered(List<Waiting> batch, @Nullable StartAnswer answer) {
        calls--;
        boolean whole = answer != null && answer.getResultsCount() == batch.size();
        for (int place = 0; place < batch.size(); place++) {
            Waiting each = batch.get(place);
            if (answer == null || !whole) {
                each.machine().notStarted(each.registration(), each.task(), Optional.empty());
            } else if (!answer.getResults(place).getAccepted()) {
                each.machine().notStarted(each.registration(), each.task(), reason(answer.getResults(place)));
            }
        }
        flush();
    }

    /** A reason that this program does not know counts as none. */
    private static Optional<Reason> reason(StartResult result) {
        for (Reason reason : Reason.values()) {
            if (reason.name().equals(result.getReason())) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }
}
