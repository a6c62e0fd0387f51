package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.job.JobRules;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.JobReport;
import dev.cella.client.proto.JobServiceGrpc;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.PromoteJobRequest;
import dev.cella.client.proto.RevertJobRequest;
import dev.cella.client.proto.ScaleJobRequest;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.JobChecks;
import dev.cella.state.web.rows.JobGenerations;
import dev.cella.state.web.rows.JobRows;
import dev.cella.state.web.rows.JobShares;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.JobShare;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Command.SubmitMode;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The calls about jobs: submit, update, scale, read, stop. */
final class JobService {
    private final Replica replica;
    private final Reads reads;
    private final UsageFacts usage;
    private final Commands commands;
    private final KeptPages pages;
    private final FeatureLevels levels;
    private final SchedulerReports reports;
    private final SpecificationRoom room;

    JobService(
            Replica replica,
            Reads reads,
            Commands commands,
            KeptPages pages,
            FeatureLevels levels,
            SchedulerReports reports,
            UsageFacts usage,
            SpecificationRoom room) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.levels = levels;
        this.reports = reports;
        this.usage = usage;
        this.room = room;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(JobServiceGrpc.getSubmitJobMethod(), this::submit),
                new UnaryMethod<>(JobServiceGrpc.getPutJobMethod(), this::put),
                new UnaryMethod<>(JobServiceGrpc.getScaleJobMethod(), this::scale),
                new UnaryMethod<>(JobServiceGrpc.getRevertJobMethod(), this::revert),
                new UnaryMethod<>(JobServiceGrpc.getPromoteJobMethod(), this::promote),
                new UnaryMethod<>(JobServiceGrpc.getListJobsMethod(), this::list),
                new UnaryMethod<>(JobServiceGrpc.getGetJobMethod(), this::get),
                new UnaryMethod<>(JobServiceGrpc.getStopJobMethod(), this::stop));
    }

    private CompletableFuture<Answer<JobSubmitted>> submit(Job job) {
        if (job.hasDryRun()) {
            throw Requests.bad("dryRun", "is for PUT /v1/jobs/NAME only");
        }
        if (job.hasCheckVersion()) {
            throw Requests.bad("checkVersion", "is for PUT /v1/jobs/NAME only");
        }
        return done(JobRules.complete(checked(job)), SubmitMode.CREATE, OptionalLong.empty());
    }

    private CompletableFuture<Answer<JobSubmitted>> put(Job job) {
        Job asked = checked(job.toBuilder().clearDryRun().clearCheckVersion().build());
        Job complete = replica.read(view -> view.job(asked.getName()))
                .map(row -> JobRules.complete(asked, JobRows.specification(row)))
                .orElseGet(() -> JobRules.complete(asked));
        OptionalLong checkVersion = checkVersion(job);
        if (job.getDryRun()) {
            return CompletableFuture.completedFuture(
                    Answer.ok(replica.read(view -> plan(view, complete, checkVersion))));
        }
        return raise(complete.getName(), checkVersion)
                .thenCompose(raised -> done(complete, SubmitMode.CREATE_OR_UPDATE, checkVersion));
    }

    private static OptionalLong checkVersion(Job job) {
        if (job.getCheckVersion() < 0) {
            throw Requests.bad("checkVersion", "must not be negative, is " + job.getCheckVersion());
        }
        return job.hasCheckVersion() ? OptionalLong.of(job.getCheckVersion()) : OptionalLong.empty();
    }

    /**
     * The first update raises the cell to the level at which jobs store the version of their update. If that is impossible, an
     * update without a version to check works as before.
     */
    private CompletableFuture<Void> raise(String name, OptionalLong checkVersion) {
        boolean isUpdate =
                checkVersion.isPresent() || replica.read(view -> view.job(name)).isPresent();
        if (!isUpdate || replica.read(CellView::featureLevel) >= EntryCodec.UPDATED_VERSION_LEVEL) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> raised = levels.raise(EntryCodec.UPDATED_VERSION_LEVEL, commands);
        return checkVersion.isPresent() ? raised : raised.exceptionally(notYet -> null);
    }

    private CompletableFuture<Answer<JobSubmitted>> done(Job job, SubmitMode mode, OptionalLong checkVersion) {
        Command.SubmitJob command = replica.read(view -> command(view, job, mode, checkVersion));
        return room.submit(command, () -> commands.done(Lane.OPERATORS, command))
                .thenApply(done -> withWarnings(job, submitted(job.getName(), done)));
    }

    private static Command.SubmitJob command(CellView view, Job job, SubmitMode mode, OptionalLong checkVersion) {
        return new Command.SubmitJob(
                JobHeaders.of(job, view.dimensions()), JobHeaders.specification(job), mode, checkVersion);
    }

    /**
     * The answer that the request would get without {@code dryRun}, also a refusal, and the changes it would make.
     */
    private JobSubmitted plan(CellView view, Job job, OptionalLong checkVersion) {
        Command.SubmitJob submit = command(view, job, SubmitMode.CREATE_OR_UPDATE, checkVersion);
        CommandResult.Done done = Commands.done(view.preview(submit));
        room.check(view, submit);
        return JobSubmitted.newBuilder()
                .setName(job.getName())
                .setGeneration(done.generation())
                .setVersion(view.version().number())
                .setPlan(JobDiff.of(view, job, submit.header(), done.effect()))
                .build();
    }

    /** The job itself, or all of its faults. */
    private static Job checked(Job job) {
        List<Fault> faults = new ArrayList<>(JobRules.check(job));
        if (job.getType().getNumber() == 0) {
            faults.add(Fault.of("type", "is required"));
        }
        if (!faults.isEmpty()) {
            throw Problem.badRequest(faults);
        }
        return job;
    }

    private CompletableFuture<Answer<JobSubmitted>> scale(ScaleJobRequest request) {
        if (request.getCount() < 0 || request.getCount() > JobHeader.TASKS_MAX) {
            throw Requests.bad("count", "must be from 0 to " + JobHeader.TASKS_MAX + ", is " + request.getCount());
        }
        int count = (int) request.getCount();
        Command command = replica.read(view -> {
            JobRow job = live(view, request.getName());
            return Requests.checked("count", () -> new Command.ScaleGroup(job.id(), group(job, request), count));
        });
        return commands.done(Lane.OPERATORS, command).thenApply(done -> submitted(request.getName(), done));
    }

    private static int group(JobRow job, ScaleJobRequest request) {
        if (!request.hasGroup() && job.groups().size() == 1) {
            return 0;
        }
        return Requests.group("group", job, request.getGroup());
    }

    // ---- back to what it was, and on to the rest

    /** The job of an earlier generation is submitted again, with as many tasks as the job has been scaled to since. */
    private CompletableFuture<Answer<JobSubmitted>> revert(RevertJobRequest request) {
        if (request.getCheckVersion() < 0) {
            throw Requests.bad("checkVersion", "must not be negative, is " + request.getCheckVersion());
        }
        JobUpdated next = replica.read(view -> {
            JobRow job = live(view, request.getName());
            int to = revertTo(job, request);
            Job before = Optional.of(to)
                    .filter(generation -> generation > 0)
                    .flatMap(generation -> replica.specification(job.id(), generation))
                    .map(JobRows::specification)
                    .orElseThrow(() -> noGeneration(job, to));
            checkPool(before, job);
            return new JobUpdated(
                    scaled(before, job),
                    request.hasCheckVersion() ? OptionalLong.of(request.getCheckVersion()) : updatedVersion(job));
        });
        return update(next);
    }

    /** The earlier generation may be of a pool that is not the caller's. The job's own scheduler may go back to any. */
    private static void checkPool(Job before, JobRow job) {
        if (!Caller.current().maySchedule(job.header().scheduler())) {
            Caller.current().mustSubmitTo(before.getPool());
        }
    }

    private int revertTo(JobRow job, RevertJobRequest request) {
        if (!request.hasGeneration()) {
            return JobGenerations.previous(replica::specification, job).orElse(0);
        }
        if (job.generation() == 1) {
            throw noGeneration(job, 0);
        }
        if (request.getGeneration() < 1 || request.getGeneration() >= job.generation()) {
            throw Requests.bad(
                            "generation",
                            "must be from 1 to " + (job.generation() - 1) + ", is " + request.getGeneration())
                    .withHint("cella job revert " + job.name() + " --to " + (job.generation() - 1)
                            + " goes back by one; without --to it goes to the newest one that differs");
        }
        return (int) request.getGeneration();
    }

    private static Problem noGeneration(JobRow job, int to) {
        return to == 0
                ? Problem.conflict("Job " + job.name() + " has no earlier generation that differs from the one now")
                        .withHint("cella job run FILE --update makes a new generation")
                : Problem.conflict("Generation " + to + " of job " + job.name() + " is no longer kept")
                        .withHint("submit what it was with cella job run FILE --update");
    }

    private static Job scaled(Job before, JobRow job) {
        Map<String, Integer> said = JobRows.specification(job.specification()).getGroupsList().stream()
                .collect(Collectors.toMap(Group::getName, Group::getCount));
        Job.Builder scaled = before.toBuilder();
        for (Group.Builder group : scaled.getGroupsBuilderList()) {
            int count = job.group(job.header().findGroup(group.getName())).askedCount();
            if (count != said.getOrDefault(group.getName(), count)) {
                group.setCount(count);
            }
        }
        return scaled.build();
    }

    private CompletableFuture<Answer<JobSubmitted>> promote(PromoteJobRequest request) {
        JobUpdated next = replica.read(view -> {
            JobRow job = live(view, request.getName());
            Job specified = JobRows.specification(job);
            boolean hasCanaries = specified.getGroupsList().stream()
                    .anyMatch(group -> group.getUpdate().getCanary() > 0);
            if (!hasCanaries
                    || JobGenerations.of(replica::specification, view, job).getOutdated() == 0) {
                throw Problem.conflict("Job " + job.name() + " has no canaries that wait to be promoted");
            }
            return new JobUpdated(JobGenerations.withoutCanaries(specified), updatedVersion(job));
        });
        return update(next);
    }

    /** The next generation of a job. If there is a version, the cell takes it only if no update came after that. */
    private record JobUpdated(Job job, OptionalLong checkVersion) {}

    private CompletableFuture<Answer<JobSubmitted>> update(JobUpdated next) {
        return raise(next.job().getName(), next.checkVersion())
                .thenCompose(raised -> done(next.job(), SubmitMode.CREATE_OR_UPDATE, next.checkVersion()));
    }

    /** The version of the job's last update; empty if the cell did not keep it. */
    private static OptionalLong updatedVersion(JobRow job) {
        return job.updatedVersion() > 0 ? OptionalLong.of(job.updatedVersion()) : OptionalLong.empty();
    }

    private static JobRow live(CellView view, String name) {
        JobRow job = view.job(name).orElseThrow(() -> unknown(name));
        if (job.isEnded() || job.isStopped()) {
            throw Problem.conflict("Job " + name + " has " + (job.isEnded() ? "ended" : "been stopped"));
        }
        return job;
    }

    private static Answer<JobSubmitted> submitted(String name, CommandResult.Done done) {
        JobSubmitted answer = JobSubmitted.newBuilder()
                .setName(name)
                .setGeneration(done.generation())
                .setVersion(done.version().number())
                .build();
        return done.effect() == CommandResult.Effect.CREATED ? Answer.created(answer) : Answer.ok(answer);
    }

    private Answer<JobSubmitted> withWarnings(Job job, Answer<JobSubmitted> answer) {
        List<String> warnings = replica.read(view -> warnings(view, job));
        JobSubmitted warned =
                answer.message().toBuilder().addAllWarnings(warnings).build();
        return warnings.isEmpty() ? answer : answer.with(warned);
    }

    /** Faults that retrying cannot fix, and inputs that are nowhere. */
    private static List<String> warnings(CellView view, Job job) {
        List<String> warnings = new ArrayList<>();
        view.job(job.getName())
                .map(row -> PolicyBounds.of(view, row.header()))
                .orElse(List.of())
                .forEach(reason -> warnings.add("tasks of it can never be placed: " + reason));
        warnings.addAll(AbsentInputs.of(view, job));
        return warnings;
    }

    private CompletableFuture<Answer<JobList>> list(ListJobsRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return reads.read(Freshness.of(request), view -> changedVersion(view, request), view -> listing(view, request))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    /** When the list last changed. It may be later, but not earlier, because a job that has left the list does not say so. */
    private long changedVersion(CellView view, ListJobsRequest request) {
        if (!request.hasScheduler() && !request.hasPendingFor() && request.getLabelCount() == 0) {
            return view.jobsChangedVersion();
        }
        Predicate<JobRow> labelled = labelled(request);
        long changedVersion = request.hasPendingFor() ? dividedVersion(view, request) : 0;
        for (JobRow job : view.jobs()) {
            // To look at a job costs more than to compare its version, and few are newer than the newest so far.
            if (job.changedVersion() > changedVersion) {
                long changed = labelled.test(job) ? job.changedVersion() : leftVersion(job);
                changedVersion = Math.max(changedVersion, changed);
            }
        }
        return changedVersion;
    }

    /** When the division of jobs among instances last changed. A job whose last pending task is placed changes itself. */
    private long dividedVersion(CellView view, ListJobsRequest request) {
        var unused = pendingFor(view, request);
        List<SessionRow> sessions = view.sessions().stream()
                .filter(session -> session.scheduler().equals(request.getScheduler()))
                .toList();
        return SchedulerService.changedVersion(replica, sessions);
    }

    /** When a job with other labels or another scheduler may have got them: only an update changes them. */
    private static long leftVersion(JobRow job) {
        if (job.updatedVersion() == 0) {
            return job.generation() > 1 ? job.changedVersion() : 0;
        }
        return job.updatedVersion() > job.id().version() ? job.updatedVersion() : 0;
    }

    /** The jobs with the labels and of the scheduler that are meant. */
    private static Predicate<JobRow> labelled(ListJobsRequest request) {
        LabelSelector labels = LabelSelector.of(request.getLabelList());
        return job -> (!request.hasScheduler()
                        || request.getScheduler().equals(job.header().scheduler()))
                && labels.selects(job);
    }

    private static Shown<Listing<JobStatus>> listing(CellView view, ListJobsRequest request) {
        Listing<JobStatus> listing = new Listing<>();
        Predicate<JobRow> labelled = labelled(request);
        Predicate<JobRow> falls = request.hasPendingFor() ? pendingFor(view, request) : job -> true;
        for (JobRow job : view.jobs()) {
            boolean isInState =
                    request.getStateCount() == 0 || request.getStateList().contains(WireWords.of(job.state()));
            if (isInState && falls.test(job) && labelled.test(job)) {
                listing.add(JobRows.kept(view, job));
            }
        }
        return Shown.of(view, listing, 0);
    }

    /**
     * Selects the jobs with pending tasks that an instance owns, as its scheduler's open sessions divide them; none while it
     * is paused.
     */
    private static Predicate<JobRow> pendingFor(CellView view, ListJobsRequest request) {
        if (!request.hasScheduler()) {
            throw Requests.bad("scheduler", "is required with pendingFor");
        }
        SessionId session = view.session(request.getScheduler(), request.getPendingFor())
                .orElseThrow(() -> Problem.notFound("There is no session of instance " + request.getPendingFor()
                        + " of scheduler " + request.getScheduler()))
                .id();
        JobShare share = JobShare.of(view.sessions(), request.getScheduler());
        boolean paused = view.isPaused(request.getScheduler());
        return job -> !paused && job.pending() > 0 && share.ownerOf(job.id()).equals(Optional.of(session));
    }

    private static Answer<JobList> answer(KeptPages.Page<JobStatus> page) {
        JobList.Builder list = JobList.newBuilder().setVersion(page.version()).addAllJobs(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }

    private CompletableFuture<Answer<JobStatus>> get(GetJobRequest request) {
        Freshness freshness = Freshness.of(request);
        return reads.read(
                        freshness,
                        view -> changedVersion(view, request.getName(), freshness.changedAfter()),
                        view -> find(view, request.getName(), freshness.changedAfter()))
                .thenApply(found -> {
                    JobStatus job = found.value().orElseThrow(() -> unknown(request.getName()));
                    return Answer.ok(job.toBuilder().setVersion(found.version()).build());
                });
    }

    private static long changedVersion(CellView view, String name, OptionalLong changedAfter) {
        return view.job(name).map(JobRow::changedVersion).orElseGet(() -> Shown.absentSince(view, changedAfter));
    }

    private Shown<Optional<JobStatus>> find(CellView view, String name, OptionalLong changedAfter) {
        return view.job(name)
                .map(job -> Shown.of(view, Optional.of(whole(view, job)), job.changedVersion()))
                .orElseGet(() -> Shown.absent(view, Optional.empty(), changedAfter));
    }

    private JobStatus whole(CellView view, JobRow job) {
        JobStatus.Builder status = JobRows.of(view, job).toBuilder()
                .setSpecification(JobRows.specification(job))
                .mergeFrom(JobGenerations.of(replica::specification, view, job))
                .mergeFrom(JobRows.progress(job))
                .mergeFrom(JobShares.of(view, job));
        reports.ofJob(SchedulerReports.sessions(view, job), job.id())
                .filter(JobReport::hasNote)
                .ifPresent(report -> status.setUpdate(report.getNote()));
        usage.ofJob(job.id()).ifPresent(status::setUsage);
        JobChecks.count(view, job, status);
        return status.build();
    }

    static Problem unknown(String name) {
        return Problem.notFound("There is no job " + name);
    }

    private CompletableFuture<Answer<JobStopped>> stop(StopJobRequest request) {
        Command.StopJob stop = new Command.StopJob(
                replica.read(view -> view.job(request.getName())
                        .orElseThrow(() -> unknown(request.getName()))
                        .id()),
                graceMillis(request));
        CompletableFuture<Void> raised = stop.graceMillis().isPresent()
                ? levels.need(EntryCodec.STOP_GRACE_LEVEL, replica, commands)
                : CompletableFuture.completedFuture(null);
        return raised.thenCompose(known -> commands.done(Lane.OPERATORS, stop))
                .thenApply(done -> Answer.ok(JobStopped.newBuilder()
                        .setName(request.getName())
                        .setVersion(done.version().number())
                        .build()));
    }

    private static OptionalLong graceMillis(StopJobRequest request) {
        if (!request.hasGrace()) {
            return OptionalLong.empty();
        }
        long millis = Durations.toMillis(request.getGrace());
        if (millis < 0) {
            throw Requests.bad("grace", "must not be negative");
        }
        return OptionalLong.of(millis);
    }
}
