package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GroupExplanation;
import dev.cella.client.proto.GroupQueue;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.JobServiceGrpc;
import dev.cella.client.proto.PlacementAttempt;
import dev.cella.client.proto.UnplacedTasks;
import dev.cella.state.conflicts.Attempt;
import dev.cella.state.core.Replica;
import dev.cella.state.history.HistoryStep;
import dev.cella.state.history.Span;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.JobRows;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Explains why tasks of a job are pending. The cell knows whether anybody plans the job. Only the planner knows why a plan
 * left tasks out, and states it in its reports, so that part is as old as the last report.
 */
final class ExplainService {
    /** The part that the cell knows, read at one version. */
    private record Known(
            JobId id,
            JobExplanation.Builder answer,
            String scheduler,
            Optional<String> unserved,
            List<SessionId> sessions,
            List<String> bounds) {}

    /** The most jobs that a report is about: the first ones that came to have tasks to place. */
    private static final int JOBS_REPORTED_MAX = 500;

    private static final int STEPS_LOOKED_AT = 1_000;
    private static final int PREEMPTIONS_MAX = 5;

    private final Replica replica;
    private final Reads reads;
    private final SchedulerReports reports;

    ExplainService(Replica replica, Reads reads, SchedulerReports reports) {
        this.replica = replica;
        this.reads = reads;
        this.reports = reports;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(new UnaryMethod<>(JobServiceGrpc.getExplainJobMethod(), this::explain));
    }

    private CompletableFuture<Answer<JobExplanation>> explain(ExplainJobRequest request) {
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            Known known = replica.read(view -> known(view, request.getName()));
            replica.conflicts().attempts(known.id).forEach(attempt -> known.answer.addAttempts(attempt(attempt)));
            known.answer.addAllPreemptedBy(preemptions(request.getName()));
            Optional<JobReport> said = said(known);
            said.ifPresent(report -> addReasons(known.answer, report));
            known.answer.setSummary(summary(known, said) + spare(known.answer));
            return Answer.ok(known.answer.build());
        });
    }

    private List<String> preemptions(String job) {
        List<String> preemptions = new ArrayList<>();
        List<HistoryStep> steps =
                replica.history().steps(Optional.of(job), Optional.empty(), Span.EVER, STEPS_LOOKED_AT);
        for (int place = steps.size() - 1; place >= 0 && preemptions.size() < PREEMPTIONS_MAX; place--) {
            HistoryStep step = steps.get(place);
            HistoryService.preemptedBy(replica.history(), step)
                    .ifPresent(by ->
                            preemptions.add(step.task() + " was preempted at version " + step.version() + " by " + by));
        }
        return preemptions;
    }

    private static Known known(CellView view, String name) {
        JobRow job = view.job(name).orElseThrow(() -> JobService.unknown(name));
        JobExplanation.Builder answer = JobExplanation.newBuilder()
                .setVersion(view.version().number())
                .setJob(name)
                .setState(WireWords.of(job.state()))
                .addAllHolds(JobRows.holds(view, job))
                .addAllFailures(FailedAttempts.of(view, job));
        for (GroupRow group : job.groups()) {
            GroupExplanation.Builder explanation = GroupExplanation.newBuilder()
                    .setGroup(group.header().name())
                    .setPending(group.pending())
                    .putAllAsked(JobRows.resources(view.dimensions(), group.header()));
            if (group.pending() > 0) {
                MissingOnMachines.ports(view, group).ifPresent(explanation::addHelps);
            }
            GroupQueues.add(view, group, explanation);
            answer.addGroups(explanation);
        }
        int spare = view.spareTasksOf(job);
        if (spare > 0) {
            answer.setSpare(spare);
        }
        List<SessionId> sessions = SchedulerReports.sessions(view, job);
        String scheduler = job.header().scheduler();
        List<String> bounds = job.pending() == 0 ? List.of() : PolicyBounds.of(view, job.header());
        answer.setNeverPlaceable(!bounds.isEmpty());
        return new Known(job.id(), answer, scheduler, JobRows.unserved(view, scheduler), sessions, bounds);
    }

    private static PlacementAttempt attempt(Attempt attempt) {
        return PlacementAttempt.newBuilder()
                .setAt(Timestamps.fromMillis(attempt.atMillis()))
                .setVersion(attempt.version())
                .setPlanned(attempt.planned())
                .setAccepted(attempt.accepted())
                .setConflicted(attempt.conflicted())
                .setRefused(attempt.refused())
                .build();
    }

    private Optional<JobReport> said(Known known) {
        return reports.ofJob(known.sessions, known.id);
    }

    /** Adds reasons for groups that still have pending tasks. */
    private static void addReasons(JobExplanation.Builder answer, JobReport said) {
        Map<Integer, UnplacedTasks> byGroup = said.getUnplacedList().stream()
                .collect(Collectors.toMap(UnplacedTasks::getGroup, Function.identity(), (one, other) -> one));
        byGroup.forEach((place, unplaced) -> {
            if (place < answer.getGroupsCount() && answer.getGroups(place).getPending() > 0) {
                GroupExplanation.Builder group = answer.getGroupsBuilder(place)
                        .addAllReasons(unplaced.getReasonsList())
                        .addAllHelps(unplaced.getHelpsList())
                        .addAllHelps(MissingOnMachines.helps(unplaced));
                if (unplaced.hasLargestFree()) {
                    group.setLargestFree(unplaced.getLargestFree());
                }
                answer.setNeverPlaceable(answer.getNeverPlaceable() || unplaced.getNeverPlaceable());
            }
        });
        answer.addAllWakesOn(said.getWakesOnList());
        if (said.hasQueuePlace()) {
            answer.setQueuePlace(said.getQueuePlace());
        }
        if (said.hasWakesIn()) {
            answer.setTriedAgainIn(said.getWakesIn());
            answer.addWakesOn("its next turn, in at most " + Durations.toMillis(said.getWakesIn()) + " ms");
        }
    }

    private static String amounts(Map<String, Long> asked) {
        StringJoiner joined = new StringJoiner(", ");
        asked.forEach((dimension, amount) -> joined.add(amount + " " + dimension));
        return joined.toString();
    }

    // ---- the summary for people

    private String summary(Known known, Optional<JobReport> said) {
        long pending = known.answer.getGroupsList().stream()
                .mapToLong(GroupExplanation::getPending)
                .sum();
        String job = known.answer.getJob();
        if (pending == 0) {
            return job + " has no pending task" + failed(known.answer);
        }
        if (!known.bounds.isEmpty()) {
            return tasks(pending) + " of " + job + " can never be placed: " + String.join("; ", known.bounds);
        }
        long queued = known.answer.getGroupsList().stream()
                .mapToLong(GroupExplanation::getQueued)
                .sum();
        if (queued == pending) {
            return tasks(pending) + " of " + job + " pending: " + queued(known.answer);
        }
        if (known.unserved.isPresent()) {
            known.answer.addWakesOn(
                    known.sessions.isEmpty()
                            ? "a session of scheduler " + known.scheduler
                            : "scheduler " + known.scheduler + " being resumed");
            return job + " is not planned: " + known.unserved.get();
        }
        if (said.isEmpty()) {
            return unsaid(known, pending);
        }
        String waits = tasks(pending) + " of " + job + " pending: ";
        String others = queued == 0 ? "" : queued + " of them wait in the queues of machines; for the others, ";
        return waits + others + reasons(known.answer, said.get());
    }

    private String unsaid(Known known, long pending) {
        String job = known.answer.getJob();
        int reported = reports.jobsReported(known.sessions);
        return reported < JOBS_REPORTED_MAX
                ? "scheduler " + known.scheduler + " has not said yet why " + tasks(pending) + " of " + job
                        + " are pending"
                : tasks(pending) + " of " + job + " pending: scheduler " + known.scheduler + " reports only on its "
                        + reported + " oldest waiting jobs, and " + job + " waits behind them";
    }

    /** All pending tasks wait in queues, so their machines start them, whatever their scheduler does. */
    private static String queued(JobExplanation.Builder answer) {
        GroupQueue shortest = answer.getGroupsList().stream()
                .flatMap(group -> group.getQueuesList().stream())
                .min(Comparator.comparingLong(GroupQueue::getBefore))
                .orElseThrow();
        String before = shortest.getBefore() == 0 ? "first" : "behind " + tasks(shortest.getBefore()) + " of others";
        String lacks = shortest.hasHeadLacks()
                ? "; its head, " + shortest.getHead() + ", waits for " + shortest.getHeadLacks()
                : "";
        return "each waits in the queues of machines, on " + shortest.getMachine() + " " + before + lacks;
    }

    private static String failed(JobExplanation.Builder answer) {
        return answer.getFailuresList().stream()
                .findFirst()
                .map(most -> ", " + most.getTasks() + " failed with " + most.getReason() + ": " + most.getAdvice())
                .orElse("");
    }

    private static String spare(JobExplanation.Builder answer) {
        return answer.hasSpare()
                ? "; " + tasks(answer.getSpare())
                        + (answer.getSpare() == 1 ? " of it runs" : " of it run") + " as spare work and "
                        + (answer.getSpare() == 1 ? "ends" : "end") + " first when other work needs the room"
                : "";
    }

    private static String tasks(long count) {
        return count + (count == 1 ? " task" : " tasks");
    }

    private static String reasons(JobExplanation.Builder answer, JobReport said) {
        List<String> reasons = new ArrayList<>();
        for (UnplacedTasks unplaced : said.getUnplacedList()) {
            if (unplaced.getGroup() < answer.getGroupsCount()) {
                GroupExplanation group = answer.getGroups(unplaced.getGroup());
                reasons.add(
                        isAboutOptions(unplaced)
                                ? unplaced.getSentence()
                                : "group " + group.getGroup() + " asks " + amounts(group.getAskedMap())
                                        + " a task, and " + unplaced.getSentence());
            }
        }
        return reasons.isEmpty() ? phase(said) : String.join("; ", new LinkedHashSet<>(reasons));
    }

    /** Returns whether the job sets an option that its scheduler does not have. Then no machine is at fault. */
    private static boolean isAboutOptions(UnplacedTasks unplaced) {
        return unplaced.getReasonsList().stream()
                .anyMatch(reason -> reason.getReason().equals("OPTIONS"));
    }

    private static String failure(JobReport said) {
        return said.hasFailure() ? ", of which there is no plan: " + said.getFailure() : "";
    }

    private static String place(JobReport said) {
        return said.hasQueuePlace() ? ", as number " + said.getQueuePlace() + " in its scheduler's queue" : "";
    }

    private static String until(JobReport said) {
        return said.hasWakesIn() ? " for at most " + Durations.toMillis(said.getWakesIn()) + " ms" : "";
    }

    private static String phase(JobReport said) {
        return switch (said.getPhase()) {
            case "READY" -> "it waits for its turn" + place(said);
            case "PLANNING" -> "it is being planned";
            case "RESTING" -> "it backs off" + until(said) + " after attempt " + said.getAttempts() + failure(said);
            default -> "its transactions are under way";
        };
    }
}
