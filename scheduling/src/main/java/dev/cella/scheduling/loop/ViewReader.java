package dev.cella.scheduling.loop;

import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.JobShare;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Optional;

/**
 * Reads what the view shows after it has moved, and tells it to those whom it concerns: which jobs are this session's and
 * have tasks to plan, which tasks get another attempt, which machines gained room. Owned by {@link SchedulerLoop}.
 */
final class ViewReader {
    private final LoopOptions options;
    private final LoopClock clock;
    private final WorkingView working;
    private final OpenJobs jobs;
    private final SleepingJobs sleeping;
    private final Restarts restarts;
    private final RunTimes runTimes;
    private final ViewChanges changes = new ViewChanges();
    private final KnownRoom room = new KnownRoom();
    private JobShare share;

    ViewReader(
            LoopOptions options,
            LoopClock clock,
            WorkingView working,
            OpenJobs jobs,
            SleepingJobs sleeping,
            Restarts restarts,
            RunTimes runTimes) {
        this.options = options;
        this.clock = clock;
        this.working = working;
        this.jobs = jobs;
        this.sleeping = sleeping;
        this.restarts = restarts;
        this.runTimes = runTimes;
        this.share = JobShare.of(view().sessions(), options.scheduler());
    }

    private CellView view() {
        return working.view();
    }

    /** Where it is said which rows an advance of the view touched. */
    TouchedRows touchedRows() {
        return changes;
    }

    /** The view shows a later version: reads what was touched. */
    void advanced() {
        working.moved();
        changes.machines().forEach(this::lookAtMachine);
        if (changes.sessions()) {
            shareAnew();
        }
        changes.jobs().forEach(this::lookAtJob);
        changes.tasks().forEach(this::lookAtTask);
        changes.clear();
    }

    /** Another copy takes the place of the view: reads all of it. */
    void replaced(CellView other) {
        working.replaced(other);
        changes.clear();
        for (int machine = 0; machine < other.machineSlots(); machine++) {
            lookAtMachine(machine);
        }
        shareAnew();
    }

    /** Sessions share the scheduler's jobs: who comes or goes may leave some to this one, or take some from it. */
    private void shareAnew() {
        share = JobShare.of(view().sessions(), options.scheduler());
        List.copyOf(jobs.all()).forEach(job -> lookAtJob(job.id));
        view().jobs().forEach(this::lookAtAll);
    }

    private void lookAtMachine(int machine) {
        boolean relabelled = working.surroundings().index().look(machine);
        if (room.grew(machine, view()) || relabelled) {
            sleeping.freed(machine);
        }
        restarts.awaiting(machine).forEach(this::lookAtTask);
    }

    private void lookAtAll(JobRow row) {
        if (isOpenAndOurs(row)) {
            lookAtJob(row.id());
            for (GroupRow group : row.groups()) {
                lookAtEndedTasks(group);
            }
        }
    }

    private void lookAtEndedTasks(GroupRow group) {
        for (int index = 0; index < group.header().count(); index++) {
            if (view().taskState(group, index).isEnded()) {
                lookAt(view().task(group, index), group);
            }
        }
    }

    private boolean isOpenAndOurs(JobRow row) {
        return row.header().scheduler().equals(options.scheduler())
                && !row.isEnded()
                && !row.isStopped()
                && share.ownerOf(row.id()).orElse(options.session()).equals(options.session());
    }

    private void lookAtJob(JobId id) {
        Optional<JobRow> row = view().job(id).filter(this::isOpenAndOurs);
        if (row.isPresent()) {
            lookAtOpenJob(row.get());
        } else {
            jobs.find(id).ifPresent(this::close);
        }
    }

    private void close(OpenJob job) {
        jobs.close(job);
        restarts.forget(job.id);
        working.surroundings().failed().forget(job.id);
        runTimes.forget(job.id);
    }

    private void lookAtOpenJob(JobRow row) {
        OpenJob job = jobs.find(row.id()).orElseGet(() -> jobs.open(row, clock.now()));
        boolean updated = job.generation != row.generation();
        boolean more = row.pending() > job.pendingSeen;
        jobs.reprioritise(job, row.header().priority());
        job.generation = row.generation();
        job.pendingSeen = row.pending();
        boolean newlyPending = job.phase == Phase.IDLE;
        boolean otherThanBefore = job.phase == Phase.ASLEEP && (more || updated);
        if ((newlyPending || otherThanBefore) && working.hasTasksToPlan(job)) {
            job.since = newlyPending ? clock.now() : job.since;
            jobs.ready(job);
        }
    }

    /** The task may have become another one's concern. */
    void lookAtTask(TaskId id) {
        jobs.find(id.job())
                .flatMap(job -> view().job(id.job()))
                .ifPresent(row -> lookAt(view().task(row.group(id.group()), id.index()), row.group(id.group())));
    }

    private void lookAt(TaskRow task, GroupRow group) {
        restarts.look(task, group, view(), clock.now());
        if (task.state() == TaskState.FINISHED) {
            runTimes.finished(task);
        }
        if (task.state() == TaskState.FAILED) {
            task.machine()
                    .ifPresent(slot ->
                            working.surroundings().failed().failed(task.id(), task.attempt(), view().machineId(slot)));
        }
        if (task.state().isEnded()) {
            jobs.find(task.id().job()).ifPresent(jobs::taskEnded);
        }
    }
}
