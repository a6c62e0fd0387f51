package dev.cella.state.web.service;

import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.transactions.model.TaskReason;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the attempts that an agent refused because they do not fit its machine. An agent is the last check of the cell's own
 * decision, so each of them is a fault of Cella. Only the leader counts. Any thread may add.
 */
public final class Disagreements {
    private static final Logger logger = LoggerFactory.getLogger(Disagreements.class);

    private final LongAdder counted = new LongAdder();

    /** Counts those among accepted reports. A repeated report is refused, so it is not counted twice. */
    void add(ReportRequest reports, ReportAnswer answer) {
        for (int place = 0; place < reports.getReportsCount(); place++) {
            TaskReport report = reports.getReports(place);
            if (report.getReason().equals(TaskReason.DOES_NOT_FIT.name())
                    && answer.getResults(place).getAccepted()) {
                counted.increment();
                logger.error(
                        "job={} task={}/{} attempt={} machine={} event=agent-disagrees: it finds no room for a placed task",
                        report.getJobVersion(),
                        report.getGroup(),
                        report.getIndex(),
                        report.getAttempt(),
                        report.getRegisteredVersion());
            }
        }
    }

    /** Since the start of this server. */
    public long count() {
        return counted.sum();
    }
}
