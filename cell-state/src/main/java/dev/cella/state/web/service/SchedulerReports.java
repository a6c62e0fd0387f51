package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The last report of each scheduler's instance: soft facts that only the leader keeps, one report per session, bounded by the
 * size of a request, and all together by {@code bytesMax}: nothing bounds the number of sessions. They are not replicated: a new
 * leader gets them again within a second, and no decision uses them. Old reports are no longer shown.
 *
 * <p>Guarded by its own monitor.
 */
public final class SchedulerReports {
    static final Duration KEPT = Duration.ofSeconds(30);

    private static final long BYTES_MAX = 32 << 20;

    private static final double MIB = 1 << 20;

    /** In memory a report takes some times as much as it is sent with. */
    private static final int HEAP_PART = 32;

    /** A report, its age, and how many versions its sender was behind then. */
    record Said(SchedulerReport report, Duration ago, long lagVersions) {}

    private record Heard(SchedulerReport report, long atNanos, long lagVersions) {}

    private final Time time;
    private final long bytesMax;
    private final Map<SessionId, Heard> heard = new LinkedHashMap<>(16, 0.75f, true);

    public SchedulerReports(Time time) {
        this(time, ReplicaLimits.withinHeap(BYTES_MAX, HEAP_PART));
    }

    /**
     * @param bytesMax the most bytes of all reports as they are sent
     */
    SchedulerReports(Time time, long bytesMax) {
        this.time = time;
        this.bytesMax = bytesMax;
    }

    /**
     * Fails if the reports of the others leave no room for this one.
     *
     * @param now the version that the cell shows
     */
    synchronized void put(SessionId session, SchedulerReport report, CellVersion now) {
        heard.values().removeIf(each -> ago(each).compareTo(KEPT) > 0);
        long others = bytesOfOthers(session);
        if (others + report.getSerializedSize() > bytesMax) {
            throw Problem.overloaded(String.format(
                            Locale.ROOT,
                            "The reports of schedulers have room for %.1f MiB. The others take %.1f MiB, and that of"
                                    + " instance %s of scheduler %s has %.1f MiB: it is not shown",
                            bytesMax / MIB,
                            others / MIB,
                            report.getInstance(),
                            report.getName(),
                            report.getSerializedSize() / MIB))
                    .withHint("close sessions that nobody needs, or send shorter reports: with fewer jobs");
        }
        long lag = Math.max(0, now.number() - report.getViewVersion());
        heard.put(session, new Heard(report, time.monotonicNanos(), lag));
    }

    private long bytesOfOthers(SessionId session) {
        return heard.entrySet().stream()
                .filter(each -> !each.getKey().equals(session))
                .mapToLong(each -> each.getValue().report.getSerializedSize())
                .sum();
    }

    synchronized Optional<Said> find(SessionId session) {
        return Optional.ofNullable(heard.get(session))
                .map(each -> new Said(each.report, ago(each), each.lagVersions))
                .filter(said -> said.ago().compareTo(KEPT) <= 0);
    }

    /** The sessions of the job's scheduler. */
    static List<SessionId> sessions(CellView view, JobRow job) {
        return view.sessions().stream()
                .filter(session -> session.scheduler().equals(job.header().scheduler()))
                .map(SessionRow::id)
                .toList();
    }

    /** The report of a job's scheduler about it, by one of these sessions. */
    Optional<JobReport> ofJob(List<SessionId> sessions, JobId job) {
        return sessions.stream()
                .flatMap(session -> find(session).stream())
                .flatMap(said -> said.report().getJobsList().stream())
                .filter(report -> report.getJobVersion() == job.version())
                .findFirst();
    }

    /** How many jobs the longest of the last reports by these sessions is about. */
    int jobsReported(List<SessionId> sessions) {
        return sessions.stream()
                .flatMap(session -> find(session).stream())
                .mapToInt(said -> said.report().getJobsCount())
                .max()
                .orElse(0);
    }

    private Duration ago(Heard each) {
        return Duration.ofNanos(time.monotonicNanos() - each.atNanos);
    }
}
