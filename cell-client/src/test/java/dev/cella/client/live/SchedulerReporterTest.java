package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.client.Problem;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerReportAnswer;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceImplBase;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SchedulerReporterTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private final FakeReports reports = new FakeReports();
    private final FakeServer server = new FakeServer(reports);
    private final CellConnection connection = CellConnection.open(server.address());
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger answers = new AtomicInteger();
    private final KeptLines log = new KeptLines();
    private final SchedulerReporter reporter = new SchedulerReporter(
            connection,
            owner,
            () -> Optional.of(SchedulerReport.newBuilder()
                    .setName("batch")
                    .setInstance("i-1")
                    .setSession(7)
                    .build()),
            answer -> answers.incrementAndGet(),
            log);

    /** A cell that may have no room for reports. */
    private static final class FakeReports extends SchedulerServiceImplBase {
        private volatile Optional<Problem> problem = Optional.empty();

        @Override
        public void reportScheduler(SchedulerReport request, StreamObserver<SchedulerReportAnswer> out) {
            if (problem.isPresent()) {
                out.onError(ProblemStatus.toException(problem.get()));
                return;
            }
            out.onNext(SchedulerReportAnswer.getDefaultInstance());
            out.onCompleted();
        }
    }

    @AfterEach
    void stop() {
        reporter.close();
        owner.shutdown();
        connection.close();
        server.close();
    }

    @Test
    void cellWithoutRoomForReports_isOneWarning_untilAReportIsTaken() {
        reports.problem = Optional.of(Problem.overloaded("no room").withHint("shorter reports"));
        reporter.start();
        await().atMost(SOON).until(() -> log.lines.size() >= 2);
        reports.problem = Optional.empty();
        await().atMost(SOON).until(() -> answers.get() > 0);
        reports.problem = Optional.of(Problem.overloaded("no room again"));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(log.lines)
                        .filteredOn(line -> line.startsWith("WARN"))
                        .containsExactly(
                                "WARN scheduler=batch instance=i-1: the cell does not take its reports (no room; shorter reports)",
                                "WARN scheduler=batch instance=i-1: the cell does not take its reports (no room again;"
                                        + " it is asked again each second)"));
    }

    @Test
    void reportThatDoesNotArrive_isNoWarning() {
        reports.problem = Optional.of(Problem.noLeader("test"));
        reporter.start();

        await().atMost(SOON).until(() -> !log.lines.isEmpty());
        assertThat(log.lines).allMatch(line -> line.startsWith("DEBUG session=7"));
    }
}
