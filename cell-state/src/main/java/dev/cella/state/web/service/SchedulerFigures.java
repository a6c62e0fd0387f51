package dev.cella.state.web.service;

import dev.cella.client.proto.SchedulerReport;
import dev.cella.state.core.Replica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.SessionRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The reports of each scheduler's instances, summed up: soft facts that only the leader has. It reads the cell first and the
 * reports after it, never one under the lock of the other.
 */
public final class SchedulerFigures {
    /** Users choose the names in their jobs. */
    private static final int ABSENT_MAX = 200;

    /**
     * One scheduler.
     *
     * @param instances its number of sessions
     * @param said the reports of those that send any
     */
    public record Figures(
            String scheduler, int instances, boolean paused, List<SchedulerReport> said, long lagVersions) {
        /** The mean fraction of their time in which the instances planned or committed. */
        public OptionalDouble busyFraction() {
            return mean(report -> SchedulerRows.fraction(report.getBusy(), report.getElapsed()));
        }

        /** The part of it that went into claims that were lost. */
        public OptionalDouble wastedBusyFraction() {
            return mean(report -> SchedulerRows.fraction(report.getWasted(), report.getElapsed()));
        }

        private OptionalDouble mean(ToDoubleFunction<SchedulerReport> fraction) {
            return said.stream().mapToDouble(fraction).average();
        }

        public long queueLength() {
            return said.stream().mapToLong(SchedulerReport::getQueueLength).sum();
        }

        public long plansFailed() {
            return said.stream().mapToLong(SchedulerReport::getPlansFailed).sum();
        }
    }

    private final Replica replica;
    private final SchedulerReports reports;

    public SchedulerFigures(Replica replica, SchedulerReports reports) {
        this.replica = replica;
        this.reports = reports;
    }

    /** The figures of each scheduler that has a session, or that a job waits for or runs under, by name. */
    public List<Figures> all() {
        Map<String, List<SessionRow>> byScheduler = replica.read(SchedulerFigures::sessions);
        List<Figures> all = new ArrayList<>();
        byScheduler.forEach((scheduler, sessions) -> all.add(figures(scheduler, sessions)));
        return all;
    }

    private static Map<String, List<SessionRow>> sessions(CellView view) {
        Map<String, List<SessionRow>> sessions = new TreeMap<>();
        for (SessionRow session : view.sessions()) {
            sessions.computeIfAbsent(session.scheduler(), first -> new ArrayList<>())
                    .add(session);
        }
        view.jobs().stream()
                .filter(job -> !job.isEnded())
                .map(job -> job.header().scheduler())
                .filter(scheduler -> !sessions.containsKey(scheduler))
                .distinct()
                .limit(ABSENT_MAX)
                .toList()
                .forEach(scheduler -> sessions.put(scheduler, List.of()));
        return sessions;
    }

    private Figures figures(String scheduler, List<SessionRow> sessions) {
        List<SchedulerReports.Said> said = sessions.stream()
                .flatMap(session -> reports.find(session.id()).stream())
                .toList();
        return new Figures(
                scheduler,
                sessions.size(),
                replica.<Boolean>read(view -> view.isPaused(scheduler)),
                said.stream().map(SchedulerReports.Said::report).toList(),
                said.stream()
                        .mapToLong(SchedulerReports.Said::lagVersions)
                        .max()
                        .orElse(0));
    }
}
