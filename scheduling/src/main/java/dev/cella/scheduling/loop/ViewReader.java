package dev.cella.scheduling.loop;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.JobShare;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads the view after an advance, and informs the parts concerned: which jobs are this session's and have tasks to plan,
 * which tasks get another attempt, which machines gained room. Owned by {@link SchedulerLoop}.
 */
final class ViewReader {
    private final LoopOptions options;
    private final LoopClock clock;
    private final LoopCell cell;
    private final WorkingView working;
    private final OpenJobs jobs;
    private final Restarts restarts;
    private final Predicate<JobHeader> tends;
    private final ViewChanges changes = new ViewChanges();
    private final KnownRoom room;
    private final BitSet emptied = new BitSet();
    private JobShare share;
    private CellVersion lookedAt = CellVersion.NONE;

    /** @param tends which jobs get turns while none of their tasks is pending */
    ViewReader(LoopOptions options, LoopClock clock, LoopCell cell, OpenJobs jobs, Predicate<JobHeader> tends) {
        this.options = options;
        this.clock = clock;
        this.cell = cell;
        this.room = new KnownRoom(cell.offers);
        this.working = cell.working;
        this.jobs = jobs;
        this.restarts = cell.restarts;
        this.tends = tends;
        this.share = shareInView();
    }

    private CellView view() {
        return working.view();
    }

    /** Receives the rows that an advance of the view touched. */
    TouchedRows touchedRows() {
        return changes;
    }

    /** The view shows a later version: reads the touched rows. */
    void advanced() {
        working.moved();
        if (changes.sessions()) {
            cell.offers.look(view());
        }
        changes.machines().forEach(this::lookAtMachine);
        if (changes.sessions()) {
            reshareIfSessionsCameOrWent();
        }
        changes.jobs().forEach(this::lookAtJob);
        changes.tasks().forEach(this::lookAtTask);
        lookWhatOthersPlaced();
        changes.clear();
        lookedAt = view().version();
    }

    /** Another copy replaces the view: reads all of it. */
    void replaced(CellView other) {
        working.replaced(other);
        cell.offers.look(other);
        changes.clear();
        for (int machine = 0; machine < other.machineSlots(); machine++) {
            lookAtMachine(machine);
        }
        reshare(shareInView());
        lookedAt = other.version();
    }

    private JobShare shareInView() {
        return JobShare.of(view().sessions(), options.scheduler());
    }

    /**
     * Sessions share the scheduler's jobs, so a session that comes or goes changes this one's share. Most changes of sessions are
     * others, such as offers: they would make each loop of the cell read all its tasks.
     */
    private void reshareIfSessionsCameOrWent() {
        JobShare now = shareInView();
        if (!now.isSameAs(share)) {
            reshare(now);
        }
    }

    private void reshare(JobShare now) {
        share = now;
        List.copyOf(jobs.all(cell.place)).forEach(job -> lookAtJob(job.id));
        view().jobs().forEach(this::lookAtAll);
    }

    private void lookAtMachine(int machine) {
        boolean relabelled = working.surroundings().index().look(machine);
        if (room.grew(machine, view()) || relabelled) {
            cell.freed(machine);
        }
        lookWhetherItIsEmptied(machine);
        restarts.awaiting(machine).forEach(this::lookAtTask);
    }

    /** A machine that gets a deadline calls the jobs whose scheduler may move their tasks before it. */
    private void lookWhetherItIsEmptied(int machine) {
        boolean isEmptied =
                view().machineExists(machine) && view().drain(machine).isPresent();
        if (isEmptied && !emptied.get(machine)) {
            view().forEachTaskOn(
                            machine,
                            task -> jobs.find(cell.place, task.id().job())
                                    .filter(job -> job.tended)
                                    .ifPresent(jobs::callSoon));
        }
        emptied.set(machine, isEmptied);
    }

    /** No row tells which of its tasks have ended or started. */
    private void lookAtAll(JobRow row) {
        if (isOpenAndOurs(row)) {
            Optional<OpenJob> known = jobs.find(cell.place, row.id());
            lookAtJob(row.id());
            if (known.isPresent()) {
                lookAtEndedTasks(row);
                jobs.happened(known.get(), Happening.STARTED);
            }
        }
    }

    private void lookAtEndedTasks(JobRow row) {
        for (GroupRow group : row.groups()) {
            lookAtEndedTasks(group, 0);
        }
    }

    /** A task that ended when its group was too small for it is one of the group again. */
    private void lookAtGrownGroups(JobRow row, JobHeader before) {
        for (int place = 0; place < before.groups().size(); place++) {
            lookAtEndedTasks(row.group(place), before.groups().get(place).count());
        }
    }

    private void lookAtEndedTasks(GroupRow group, int from) {
        for (int index = from; index < group.header().count(); index++) {
            if (view().taskState(group, index).isEnded()) {
                lookAt(view().task(group, index), group);
            }
        }
    }

    private boolean isOpenAndOurs(JobRow row) {
        return row.header().scheduler().equals(options.scheduler())
                && !row.isEnded()
                && !row.isStopped()
                && share.ownerOf(row.id()).orElse(cell.session).equals(cell.session);
    }

    private void lookAtJob(JobId id) {
        Optional<JobRow> row = view().job(id).filter(this::isOpenAndOurs);
        Optional<OpenJob> known = jobs.find(cell.place, id);
        row.ifPresentOrElse(this::lookAtOpenJob, () -> known.ifPresent(this::close));
        if (known.isEmpty()) {
            row.filter(opened -> opened.rows() > 0).ifPresent(this::lookAtEndedTasks);
        }
    }

    private void close(OpenJob job) {
        jobs.close(job);
        restarts.forget(job.id);
        working.surroundings().failed().forget(job.id);
        cell.runTimes.forget(job.id);
    }

    private void lookAtOpenJob(JobRow row) {
        Optional<OpenJob> known = jobs.find(cell.place, row.id());
        OpenJob job = known.orElseGet(() -> jobs.open(cell.place, row, clock.now(), cell));
        boolean changed = job.generation != row.generation() || !job.header.equals(row.header());
        boolean more = row.toPlan() > job.pendingSeen;
        JobHeader before = job.header;
        if (changed) {
            jobs.changed(job, row.header());
        }
        job.generation = row.generation();
        job.pendingSeen = row.toPlan();
        if (job.phase == Phase.IDLE && working.hasTasksToPlan(job)) {
            job.since = clock.now();
            cell.newWork();
            jobs.ready(job);
        } else if (more || changed) {
            replan(job);
        }
        lookAtGrownGroups(row, before);
        tell(job, changed, known.isEmpty());
    }

    /** Its last plan did not see all of its tasks as they are now, or the one under way does not. */
    void replan(OpenJob job) {
        if (job.phase == Phase.PLANNING) {
            job.missed = true;
        } else if (job.phase == Phase.ASLEEP && working.hasTasksToPlan(job)) {
            cell.newWork();
            jobs.ready(job);
        }
    }

    /** A job that the scheduler tends has a turn when it is opened, and when it changes. */
    private void tell(OpenJob job, boolean changed, boolean opened) {
        job.tended = tends.test(job.header);
        if (changed) {
            jobs.happened(job, Happening.CHANGED);
        }
        if (job.tended && (changed || opened)) {
            jobs.callSoon(job);
        }
    }

    /** Another part may now be responsible for the task, which the job may not have had in another history of the cell. */
    void lookAtTask(TaskId id) {
        jobs.find(cell.place, id.job())
                .flatMap(job -> view().job(id.job()))
                .filter(row -> id.group() < row.groupCount())
                .ifPresent(row -> lookAt(view().task(row.group(id.group()), id.index()), row.group(id.group())));
    }

    /** A job that is more important than tasks that others placed since the last look may be able to evict them. */
    private void lookWhatOthersPlaced() {
        if (!mayEvictOthers()) {
            return;
        }
        int least = JobHeader.PRIORITY_MAX;
        for (TaskId id : changes.tasks()) {
            int priority =
                    view().job(id.job()).map(job -> job.header().priority()).orElse(least);
            if (priority < least && jobs.isOvertakenBy(priority) && isNewOfOthers(id)) {
                least = priority;
            }
        }
        jobs.placedByOthers(least);
    }

    private boolean mayEvictOthers() {
        return switch (view().rights(options.scheduler()).evicts()) {
            case NOTHING, OWN -> false;
            case LOWER, ANY -> true;
        };
    }

    private boolean isNewOfOthers(TaskId id) {
        return jobs.find(cell.place, id.job()).isEmpty()
                && view().machineOf(id) >= 0
                && view().task(id)
                        .flatMap(TaskRow::placement)
                        .filter(placed -> placed.version() > lookedAt.number())
                        .isPresent();
    }

    private void lookAt(TaskRow task, GroupRow group) {
        restarts.look(task, group, view(), clock.now());
        if (task.state() == TaskState.FINISHED) {
            cell.runTimes.finished(task);
        }
        if (task.state() == TaskState.FAILED) {
            task.machine()
                    .ifPresent(slot -> working.surroundings()
                            .failed()
                            .failed(task.id(), task.attempt(), view().machineId(slot), view().time()));
        }
        if (task.state() == TaskState.PENDING) {
            jobs.find(cell.place, task.id().job()).ifPresent(this::replan);
        } else if (task.state().isEnded()) {
            jobs.find(cell.place, task.id().job()).ifPresent(job -> jobs.happened(job, Happening.ENDED));
        } else if (task.state() == TaskState.RUNNING) {
            jobs.find(cell.place, task.id().job()).ifPresent(job -> jobs.happened(job, Happening.STARTED));
        }
    }
}
