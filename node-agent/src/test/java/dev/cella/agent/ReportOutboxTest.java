package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.AgentEvent.Answer;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.Report;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.TaskReport;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportOutboxTest {
    private static final Registered MACHINE = new Registered(new Incarnation(1), new MachineId(1));

    private final List<ReportRequest> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> called = Collections.synchronizedList(new ArrayList<>());
    private final List<CompletableFuture<ReportAnswer>> answers = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> accepted = Collections.synchronizedList(new ArrayList<>());
    private final AgentLoop loop = new AgentLoop();
    private final ReportOutbox outbox = new ReportOutbox(loop, this::call, AgentClock.system());

    @AfterEach
    void stop() {
        loop.shutdownNow();
    }

    private CompletableFuture<ReportAnswer> call(ReportRequest request) {
        requests.add(request);
        called.add(request.getReportsCount());
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    }

    private void add(int first, int end) throws Exception {
        loop.handOver(() -> {
            for (int index = first; index < end; index++) {
                outbox.add(new Accepting(), MACHINE, report(index));
            }
        });
        settle();
    }

    private void answer(int call) throws Exception {
        ReportResult yes = ReportResult.newBuilder().setAccepted(true).build();
        answers.get(call)
                .complete(ReportAnswer.newBuilder()
                        .addAllResults(Collections.nCopies(called.get(call), yes))
                        .build());
        settle();
    }

    /** The loop has done what was handed over, and what that handed over. */
    private void settle() throws Exception {
        for (int turn = 0; turn < 3; turn++) {
            loop.submit(() -> {}).get();
        }
    }

    private static Report report(int index) {
        return report(index, TaskReason.NONE);
    }

    private static Report report(int index, TaskReason reason) {
        TaskId task = new TaskId(new JobId(3), 0, index);
        Assignment assignment = new Assignment(new PlacementId(5, index), task, 1, 1);
        return new Report(assignment, TaskState.RUNNING, OptionalInt.empty(), reason, 0);
    }

    private final class Accepting implements ReportOutbox.Reporter {
        @Override
        public void answered(Registered under, Report report, Answer answer) {
            accepted.add(report.assignment().task().index());
        }

        @Override
        public void unanswered(Registered under, Report report) {
            throw new AssertionError(report);
        }
    }

    @Test
    void fewReports_waitForTheCallUnderWay_andGoTogether() throws Exception {
        add(0, 1);
        add(1, 2);
        add(2, 4);
        assertThat(called).containsExactly(1);
        answer(0);
        assertThat(called).containsExactly(1, 3);
        answer(1);
        assertThat(accepted).containsExactly(0, 1, 2, 3);
    }

    @Test
    void manyReports_doNotWait() throws Exception {
        add(0, 1);
        add(1, 200);
        assertThat(called).containsExactly(1, 199);
    }

    /** A server of before would refuse the whole call for a reason that it does not know. */
    @Test
    void check_isAFieldOfItsOwn_andNoReason() throws Exception {
        loop.handOver(() -> {
            outbox.add(new Accepting(), MACHINE, report(0));
            outbox.add(new Accepting(), MACHINE, report(1, TaskReason.AWAITS_CHECK));
            outbox.add(new Accepting(), MACHINE, report(2, TaskReason.CHECKED));
        });
        settle();
        assertThat(requests.get(0).getReportsList())
                .noneMatch(TaskReport::hasReason)
                .extracting(report -> report.hasChecked() ? String.valueOf(report.getChecked()) : "absent")
                .containsExactly("absent", "false", "true");
    }
}
