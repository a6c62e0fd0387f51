package dev.cella.client.live;

import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerReportAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the report of a scheduler's instance to the cell every second. Reports are soft facts: a lost one is not repeated,
 * because the next has newer data. A new leader has all reports within a second. A cell without room for a report answers
 * nothing else to it, so that is a warning, once until one is accepted.
 *
 * <p>Owned by the executor, which must have one thread.
 */
public final class SchedulerReporter implements AutoCloseable {
    private static final long PERIOD_MILLIS = Duration.ofSeconds(1).toMillis();

    private final CellConnection connection;
    private final Owner owner;
    private final Owner.Alarm next;
    private final Supplier<Optional<SchedulerReport>> report;
    private final Consumer<SchedulerReportAnswer> answered;
    private final Logger log;
    private boolean isRefused;

    /**
     * @param report makes the report, on the owner's thread; empty while there is nothing to report
     * @param answered gets each answer, on the owner's thread
     */
    public SchedulerReporter(
            CellConnection connection,
            ScheduledExecutorService owner,
            Supplier<Optional<SchedulerReport>> report,
            Consumer<SchedulerReportAnswer> answered) {
        this(connection, owner, report, answered, LoggerFactory.getLogger(SchedulerReporter.class));
    }

    SchedulerReporter(
            CellConnection connection,
            ScheduledExecutorService owner,
            Supplier<Optional<SchedulerReport>> report,
            Consumer<SchedulerReportAnswer> answered,
            Logger log) {
        this.log = log;
        this.answered = answered;
        this.connection = connection;
        this.owner = new Owner(owner);
        this.next = this.owner.alarm();
        this.report = report;
    }

    public void start() {
        owner.execute(this::tell);
    }

    private void tell() {
        report.get().ifPresent(this::send);
        next.set(PERIOD_MILLIS, this::tell);
    }

    private void send(SchedulerReport said) {
        CompletableFuture<SchedulerReportAnswer> unused = connection
                .<SchedulerReport, SchedulerReportAnswer>call(server -> server.schedulers()::reportScheduler, said)
                .whenComplete((answer, failure) -> owner.execute(() -> {
                    if (failure == null) {
                        isRefused = false;
                        answered.accept(answer);
                    } else {
                        failed(said, CellConnection.problemOf(failure));
                    }
                }));
    }

    private void failed(SchedulerReport said, Problem problem) {
        boolean isNews = problem.type() == ProblemType.OVERLOADED && !isRefused;
        if (isNews) {
            isRefused = true;
            log.warn(
                    "scheduler={} instance={}: the cell does not take its reports ({}; {})",
                    said.getName(),
                    said.getInstance(),
                    problem.detail(),
                    problem.hint().orElse("it is asked again each second"));
        } else {
            log.debug("session={}: its report about itself did not arrive", said.getSession(), problem);
        }
    }

    @Override
    public void close() {
        owner.execute(next::cancel);
    }
}
