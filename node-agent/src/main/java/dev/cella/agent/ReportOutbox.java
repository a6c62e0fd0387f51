package dev.cella.agent;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.agent.reconciler.Report;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.TaskState;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reports of all machines on their way to the cell. Reports that gather during a call go with the next one: a few wait for
 * the end of the call under way, and many do not. It does not repeat calls; a report without an answer gets an event. Owned by
 * the agent's loop.
 */
final class ReportOutbox {
    private static final int CALLS_MAX = 4;
    private static final int REPORTS_MAX = 10_000;

    /** From that many on, reports do not wait for the call under way. */
    private static final int REPORTS_BESIDE_A_CALL = 100;

    /** The cell, which answers each report of a call, in order. */
    interface Cell {
        CompletableFuture<ReportAnswer> report(ReportRequest request);
    }

    /** The machine that reports. */
    interface Reporter {
        void answered(Registered under, Report report, Answer answer);

        void unanswered(Registered under, Report report);
    }

    private record Waiting(Reporter machine, Registered registration, Report report) {
        TaskId task() {
            return report.assignment().task();
        }
    }

    /** Equal steps are adjacent, by index: the cell writes a run of them as one change. */
    private static final Comparator<Waiting> ALIKE = Comparator.<Waiting>comparingLong(
                    each -> each.task().job().version())
            .thenComparing(each -> each.task().group())
            .thenComparing(each -> each.report().state())
            .thenComparing(each -> each.report().atMillis())
            .thenComparing(each -> each.task().index());

    private final AgentLoop loop;
    private final Cell cell;
    private final AgentClock clock;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int calls;
    private boolean isFlushDue;

    ReportOutbox(AgentLoop loop, Cell cell, AgentClock clock) {
        this.loop = loop;
        this.cell = cell;
        this.clock = clock;
    }

    /** Sends the report after the loop's current event, together with those that come until then. */
    void add(Reporter machine, Registered registration, Report report) {
        waiting.add(new Waiting(machine, registration, report));
        if (!isFlushDue) {
            isFlushDue = true;
            loop.handOver(this::flush);
        }
    }

    private void flush() {
        isFlushDue = false;
        while (!waiting.isEmpty() && calls < (waiting.size() < REPORTS_BESIDE_A_CALL ? 1 : CALLS_MAX)) {
            send(nextBatch());
        }
    }

    /**
     * Reports of one incarnation. Only one report of an attempt is under way at a time, so their order does not matter.
     */
    private List<Waiting> nextBatch() {
        Incarnation incarnation = waiting.element().registration().incarnation();
        List<Waiting> batch = new ArrayList<>();
        while (batch.size() < REPORTS_MAX
                && !waiting.isEmpty()
                && waiting.element().registration().incarnation().equals(incarnation)) {
            batch.add(waiting.remove());
        }
        batch.sort(ALIKE);
        return batch;
    }

    private void send(List<Waiting> batch) {
        calls++;
        ReportRequest.Builder request = ReportRequest.newBuilder()
                .setIncarnation(batch.get(0).registration().incarnation().number());
        batch.forEach(each -> request.addReports(message(each)));
        loop.handOver(cell.report(request.build()), (answer, failure) -> answered(batch, answer));
    }

    private TaskReport message(Waiting waiting) {
        Report report = waiting.report();
        TaskReport.Builder message = TaskReport.newBuilder()
                .setRegisteredVersion(waiting.registration().machine().version())
                .setJobVersion(report.assignment().task().job().version())
                .setGroup(report.assignment().task().group())
                .setIndex(report.assignment().task().index())
                .setAttempt(report.assignment().attempt())
                .setPlacementVersion(report.assignment().placement().version())
                .setPlacementOrdinal(report.assignment().placement().ordinal())
                .setState(TaskState.valueOf("TASK_STATE_" + report.state()))
                .setAt(clock.wallAt(report.atMillis()));
        report.exitCode().ifPresent(message::setExitCode);
        if (report.reason().isOfCheck()) {
            message.setChecked(report.reason() == TaskReason.CHECKED);
        } else if (report.reason() != TaskReason.NONE) {
            message.setReason(report.reason().name());
        }
        return message.build();
    }

    private void answered(List<Waiting> batch, @Nullable ReportAnswer answer) {
        calls--;
        boolean whole = answer != null && answer.getResultsCount() == batch.size();
        for (int place = 0; place < batch.size(); place++) {
            Waiting each = batch.get(place);
            if (answer != null && whole) {
                each.machine().answered(each.registration(), each.report(), meaning(answer.getResults(place)));
            } else {
                each.machine().unanswered(each.registration(), each.report());
            }
        }
        flush();
    }

    private static Answer meaning(ReportResult result) {
        if (result.getStopIt()) {
            return Answer.STOP_IT;
        }
        return result.getAccepted() ? Answer.ACCEPTED : Answer.REFUSED;
    }
}
