package dev.cella.scheduling.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.MachineFree;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.UnplacedReason;
import dev.cella.client.proto.UnplacedTasks;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.LoopStatus.PendingJob;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The state of a loop in the wire contract. */
final class LoopReport {
    /** The bound of a report. */
    private static final int FAILURE_CHARS_MAX = 500;

    private static final int WAKES_MAX = 10;
    private static final int NAMES_MAX = 3;
    private static final String ASLEEP = "ASLEEP";

    private final Dimensions dimensions;
    private final CellTime now;

    private LoopReport(Dimensions dimensions, CellTime now) {
        this.dimensions = dimensions;
        this.now = now;
    }

    static SchedulerReport of(
            LiveSchedulerOptions options, SessionId session, LoopStatus status, Dimensions dimensions, CellTime now) {
        LoopReport report = new LoopReport(dimensions, now);
        SchedulerReport.Builder said = SchedulerReport.newBuilder()
                .setName(options.name())
                .setInstance(options.instance())
                .setSession(session.version())
                .setViewVersion(status.viewVersion().number())
                .setQueueLength(status.queueLength())
                .setResting(status.resting())
                .setAsleep(status.asleep())
                .setTransactionsInFlight(status.transactionsInFlight())
                .setElapsed(Durations.fromMillis(status.elapsedMillis()))
                .setBusy(Durations.fromMillis(status.busyMillis()))
                .setWasted(Durations.fromMillis(status.wastedMillis()))
                .setPlans(status.counters().plans())
                .setPlanning(Durations.fromMillis(status.planningMillis()))
                .setPlansFailed(status.counters().plansFailed())
                .setPaused(status.paused())
                .setPlansGivenUp(status.counters().plansGivenUp())
                .setPlansRepeated(status.counters().plansRepeated());
        status.lastPlannerFailure().map(LoopReport::bounded).ifPresent(said::setLastPlannerFailure);
        status.jobs().forEach(job -> said.addJobs(report.job(job)));
        return said.build();
    }

    private static String bounded(String failure) {
        return failure.substring(0, Math.min(failure.length(), FAILURE_CHARS_MAX));
    }

    private JobReport job(PendingJob job) {
        JobReport.Builder report = JobReport.newBuilder()
                .setJobVersion(job.id().version())
                .setPhase(job.phase())
                .setAttempts(job.attempts());
        job.wakesAt().ifPresent(at -> report.setWakesIn(Durations.fromMillis(Math.max(0, at.millis() - now.millis()))));
        job.queuePlace().ifPresent(report::setQueuePlace);
        job.failure().map(LoopReport::bounded).ifPresent(report::setFailure);
        job.note().map(LoopReport::bounded).ifPresent(report::setNote);
        job.unplaced().forEach(unplaced -> report.addUnplaced(unplaced(unplaced)));
        if (job.phase().equals(ASLEEP)) {
            report.addAllWakesOn(wakesOn(job));
        }
        return report.build();
    }

    /** A time is reported as {@code wakesIn}. A plan without a wake waits for a change of its job. */
    private List<String> wakesOn(PendingJob job) {
        if (job.wakes().isEmpty()) {
            return List.of("a change of the job: its plan names nothing else to wait for");
        }
        return job.wakes().stream()
                .flatMap(wake -> describe(wake, job.unplaced()).stream())
                .distinct()
                .limit(WAKES_MAX)
                .map(LoopReport::bounded)
                .toList();
    }

    private Optional<String> describe(Wake wake, List<Unplaced> unplaced) {
        if (wake instanceof Wake.Room room) {
            String task = text(room.shape()) + where(room.constraints());
            return Optional.of(
                    isForNeverPlaceable(room, unplaced)
                            ? "a machine that is added or changed: none could hold " + task
                            : machine(room.machines()) + " that gains room for " + task);
        }
        return wake instanceof Wake.On on ? describe(on.happening()) : Optional.empty();
    }

    private static String machine(Set<String> names) {
        if (names.isEmpty()) {
            return "a machine";
        }
        int more = names.size() - NAMES_MAX;
        String first = names.stream().limit(NAMES_MAX).collect(Collectors.joining(", "));
        return (names.size() == 1 ? "" : "one of ") + first + (more > 0 ? " and " + more + " more" : "");
    }

    /** Returns whether all unplaced tasks that ask for such room are too large for every machine, or excluded from it. */
    private static boolean isForNeverPlaceable(Wake.Room room, List<Unplaced> unplaced) {
        List<Unplaced> asking = unplaced.stream()
                .filter(each -> each.asked().equals(room.shape()))
                .toList();
        return !asking.isEmpty() && asking.stream().allMatch(Unplaced::neverPlaceable);
    }

    /** Nothing for what only says when the scheduler looks at it again, whatever it waits for. */
    private static Optional<String> describe(Happening happening) {
        return switch (happening) {
            case STARTED -> Optional.of("the start of one of its own tasks");
            case ENDED -> Optional.of("the end of one of its own tasks");
            case CHANGED -> Optional.of("a change of the job");
            case POLICY -> Optional.of("its pool's use or limit, or its scheduler's rights");
            case TOLD -> Optional.of("the results of its last transactions");
            case OVERTAKEN -> Optional.empty();
        };
    }

    private static String where(List<Constraint> constraints) {
        return constraints.isEmpty()
                ? ""
                : constraints.stream().map(Constraint::text).collect(Collectors.joining(" and ", ", with ", ""));
    }

    private String text(Amounts shape) {
        return named(shape).entrySet().stream()
                .map(amount -> amount.getValue() + " " + amount.getKey())
                .collect(Collectors.joining(", "));
    }

    private UnplacedTasks unplaced(Unplaced unplaced) {
        UnplacedTasks.Builder tasks = UnplacedTasks.newBuilder()
                .setGroup(unplaced.group())
                .setTasks(unplaced.tasks())
                .setNeverPlaceable(unplaced.neverPlaceable())
                .setSentence(unplaced.sentence())
                .addAllHelps(unplaced.helps());
        unplaced.causes().forEach(cause -> tasks.addReasons(reason(cause)));
        unplaced.roomiest()
                .ifPresent(roomiest -> tasks.setLargestFree(
                        MachineFree.newBuilder().setMachine(roomiest.machine()).putAllFree(named(roomiest.free()))));
        return tasks.build();
    }

    private static UnplacedReason reason(Unplaced.Cause cause) {
        UnplacedReason.Builder reason = UnplacedReason.newBuilder()
                .setReason(cause.kind().name())
                .setMachines(cause.machines())
                .setExample(cause.example());
        switch (cause.kind()) {
            case TOO_SMALL, LACKS -> reason.setDimension(cause.detail());
            case NOT_READY, EXCLUDED, HELD, RUNNING_MAX, QUOTA, RIGHTS, OPTIONS, AFTER ->
                reason.setDetail(cause.detail());
        }
        return reason.build();
    }

    private Map<String, Long> named(Amounts amounts) {
        Map<String, Long> named = new TreeMap<>();
        for (int place = 0; place < amounts.size(); place++) {
            named.put(dimensions.nameAt(place), amounts.at(place));
        }
        return named;
    }
}
