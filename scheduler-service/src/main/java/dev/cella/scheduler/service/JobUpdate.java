package dev.cella.scheduler.service;

import dev.cella.scheduler.service.Rebalancing.Moves;
import dev.cella.scheduler.service.UpdateMemory.Seen;
import dev.cella.scheduler.service.UpdateMemory.Watched;
import dev.cella.scheduler.service.UpdateRecord.Surge;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Note;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a job's rolling update: it replaces tasks of older generations a few at a time ({@link GroupUpdate}), an update
 * without progress fails, and a failed update is reverted. Between updates, the tasks that {@link Rebalancing} names are moved
 * the same way: each is replaced by an attempt elsewhere.
 *
 * <p>The tasks themselves show the progress. So it does not matter how many updates came one after the other, whether a
 * machine was lost, or whether an instance of the scheduler ended in the middle. {@link UpdateRecord}, which the cell stores,
 * has what the tasks cannot show.
 *
 * <p>A group whose {@code minHealthy} leaves no task to spare gets additional tasks during the update. Without room for them,
 * it is updated in place. Belongs to one plan.
 */
final class JobUpdate {
    /** A revert whose request did not arrive is repeated. */
    private static final long REVERT_AGAIN_MILLIS = 5_000;

    private static final long LEAVE_MILLIS = 1_000;

    /** A turn that comes late shows that nobody could work: the more of them are due, the less of that time counts. */
    private static final int LOOKS_BEFORE_DEADLINE = 8;

    private final JobWork work;
    private final JobRow job;
    private final PlanningView cell;
    private final Rebalancing rebalancing;
    private final CellTime now;
    private final UpdateRecord before;
    private final Optional<Watched> watched;
    private final Map<TaskId, Seen> running = new HashMap<>();
    private final List<Wake> wakes = new ArrayList<>();
    private final List<GroupUpdate> groups = new ArrayList<>();
    private UpdateRecord record;
    private Moves moves = Moves.NONE;
    private Optional<Revert> revert = Optional.empty();
    private @Nullable Watched watch;
    private boolean leaves;
    private String note = "";

    JobUpdate(
            JobWork work,
            JobRow job,
            PlanningView cell,
            Rebalancing rebalancing,
            CellTime now,
            Optional<Watched> watched) {
        this.work = work;
        this.job = job;
        this.cell = cell;
        this.rebalancing = rebalancing;
        this.now = now;
        this.before = UpdateRecord.of(job.progress());
        this.watched = watched.filter(known -> known.generation() == job.generation());
        this.record = before;
    }

    List<Wake> wakes() {
        return wakes;
    }

    Optional<Revert> revert() {
        return revert;
    }

    Optional<Note> note() {
        return note.isEmpty() ? Optional.empty() : Optional.of(new Note(work.key(), note));
    }

    /** What the update or the moves wait for; empty if none is under way. */
    Optional<Watched> watch() {
        return Optional.ofNullable(watch);
    }

    /** Returns whether the job is not known to be complete in its generation. */
    private boolean isUpdate() {
        return record.stable() != job.generation();
    }

    /**
     * Takes the update on, or the moves of a job that needs none.
     *
     * @param left the tasks of the job that found no room in this plan
     */
    void goOn(List<Unplaced> left) {
        knowContents();
        if (isUpdate()) {
            takeOn(left);
        }
        if (!isUpdate()) {
            moves = rebalancing.moves(cell, job);
            if (!moves.isEmpty() || !record.surges().isEmpty()) {
                takeOn(left);
            }
            rebalancing.again(moves, now).ifPresent(at -> wakes.add(new Wake.At(work.key(), at)));
        }
        if (!record.equals(before)) {
            cell.remember(job.id(), record.toProgress());
        }
    }

    private void takeOn(List<Unplaced> left) {
        groups.clear();
        forgetScaledSurges();
        lookAtGroups();
        leaveSurges(left);
        decide();
    }

    /** Records the tasks' specifications in this generation. The first generation has no update. */
    private void knowContents() {
        if (!record.knows(job.generation())) {
            List<Long> contents = job.groups().stream()
                    .map(group -> cell.life(group).content())
                    .toList();
            record = record.withContent(job.generation(), contents);
        }
        if (record.stable() == 0 && !before.knows(job.generation()) && hasOnlyNewTasks()) {
            record = record.withStable(job.generation());
        }
    }

    private boolean hasOnlyNewTasks() {
        return cell.tasksOf(job.id()).stream().allMatch(task -> task.generation() == job.generation());
    }

    // ---- how far it is

    private void lookAtGroups() {
        Set<TaskId> mayEnd = new HashSet<>();
        Set<Integer> withOld = new HashSet<>();
        for (TaskRow task : cell.tasksOf(job.id())) {
            mayEnd.add(task.id());
            if (isOld(task)) {
                withOld.add(task.id().group());
            }
        }
        for (GroupRow group : job.groups()) {
            boolean surges = record.surges().containsKey(group.place());
            boolean changes = surges || withOld.contains(group.place()) || (isUpdate() && isChanged(group));
            if (group.header().count() > 0 && changes) {
                UpdatePolicy policy = cell.life(group).update();
                groups.add(new GroupUpdate(
                        cell,
                        group,
                        isUpdate() ? policy : policy.withoutCanary(),
                        base(group),
                        mayEnd,
                        this::isOld,
                        this::isHealthy,
                        this::isOver));
            }
        }
    }

    /** Returns whether the group's tasks differ from those in the last complete generation. */
    private boolean isChanged(GroupRow group) {
        long content = cell.life(group).content();
        return content == 0 || content != record.content(record.stable(), group.place());
    }

    /** Returns whether the task must be replaced: it runs an older specification, or has to move. */
    private boolean isOld(TaskRow task) {
        return isUpdate() ? isOutdated(task) : moves.tasks().contains(task.id());
    }

    private boolean isOutdated(TaskRow task) {
        if (task.generation() == job.generation()) {
            return false;
        }
        long content = record.content(task.generation(), task.id().group());
        return content == 0
                || content != record.content(job.generation(), task.id().group());
    }

    /** A task of the newest generation that fails for good counts: its update is not complete. */
    private boolean isOver(TaskRow task) {
        return task.failedForGood() && (!isUpdate() || isOutdated(task));
    }

    /** A task whose agent reports its check is not healthy before that has passed. Others have to run for long enough. */
    private boolean isHealthy(TaskRow task) {
        if (task.reason() == TaskReason.AWAITS_CHECK) {
            return false;
        }
        UpdatePolicy policy = cell.life(job.group(task.id().group())).update();
        long healthyAfterMillis =
                task.reason() == TaskReason.CHECKED ? policy.checkedAfterMillis() : policy.healthyAfterMillis();
        CellTime since = watched.map(known -> known.running().get(task.id()))
                .filter(seen -> seen.attempt() == task.attempt())
                .map(Seen::since)
                .orElse(now);
        running.put(task.id(), new Seen(task.attempt(), since));
        CellTime healthyAt = since.plusMillis(healthyAfterMillis);
        if (healthyAt.compareTo(now) > 0) {
            wakes.add(new Wake.At(work.key(), healthyAt));
            return false;
        }
        return true;
    }

    /** How many tasks the group has outside of an update. */
    private int base(GroupRow group) {
        Surge surge = record.surges().get(group.place());
        return surge == null ? group.header().count() : surge.base();
    }

    // ---- tasks beside the others

    /**
     * Forgets the additional tasks of a group that a person has scaled, to 0 too, or that a person's update has dropped: its
     * number of tasks is the person's.
     */
    private void forgetScaledSurges() {
        for (GroupRow group : job.groups()) {
            Surge surge = record.surges().get(group.place());
            if (surge != null && !surge.isOf(group)) {
                record = record.withoutSurge(group.place());
            }
        }
    }

    /**
     * Gives up the additional tasks of a group that needs them no longer, that finds no room for them, or of which one has
     * failed for good. Moves then go on in place. An update tries others, of its own generation.
     */
    private void leaveSurges(List<Unplaced> left) {
        for (GroupUpdate each : List.copyOf(groups)) {
            int place = each.group().place();
            Surge surge = record.surges().get(place);
            if (surge == null) {
                continue;
            }
            boolean noRoom = left.stream().anyMatch(unplaced -> unplaced.group() == place);
            boolean lost = each.hasLostExtra();
            if (noRoom || lost || needsNoMore(each)) {
                record = record.withoutSurge(place);
                record = noRoom || (lost && !isUpdate()) ? record.withInPlace(job.generation()) : record;
                cell.scale(job.id(), place, surge.base());
                groups.remove(each);
                leaves = true;
                awaitNext();
            }
        }
    }

    /**
     * The additional tasks stand in until the last replaced one is healthy, too. If the update has failed, that may never be.
     */
    private boolean needsNoMore(GroupUpdate update) {
        return update.isDone() || (update.old() == 0 && record.failed() == job.generation());
    }

    private void surge(GroupUpdate update, int more) {
        GroupRow group = update.group();
        Surge surge = new Surge(group.header().count(), more, group.askedVersion());
        record = record.withSurge(group.place(), surge);
        cell.scale(job.id(), group.place(), surge.count());
    }

    // ---- what is next

    private void decide() {
        if (groups.stream().allMatch(GroupUpdate::isDone)
                && !leaves
                && record.surges().isEmpty()) {
            record = record.withStable(job.generation());
            wakes.clear();
            return;
        }
        if (isUpdate()) {
            decideUpdate();
        } else {
            decideMoves();
        }
    }

    /** Moves have no deadline: a task that stays where it is has not failed. */
    private void decideMoves() {
        awaitNext();
        replaceSome();
        note = moves.isEmpty() ? "" : moves.text();
        watch = new Watched(job.generation(), running, 0, now, now, CellTime.ZERO);
    }

    private void decideUpdate() {
        int healthy = groups.stream().mapToInt(GroupUpdate::healthy).sum();
        boolean waits = groups.stream().anyMatch(GroupUpdate::awaitsPromotion)
                && groups.stream().allMatch(each -> each.awaitsPromotion() || each.isDone());
        CellTime progressAt = watched.filter(known -> !waits && known.healthy() >= healthy)
                .map(known -> known.progressAt(now))
                .orElse(now);
        CellTime deadline = progressAt.plusMillis(deadlineMillis());
        CellTime dueAt = earlier(deadline, now.plusMillis(deadlineMillis() / LOOKS_BEFORE_DEADLINE));
        boolean isLate = deadline.compareTo(now) <= 0;
        if (isLate && record.failed() != job.generation()) {
            record = record.withFailed(job.generation());
            awaitLeave();
        }
        boolean failed = record.failed() == job.generation();
        awaitNext();
        if (failed) {
            fail();
        } else {
            replaceSome();
            note = waits ? "the canaries run; promote the update, or revert it" : describe(healthy);
            if (!waits) {
                wakes.add(new Wake.At(work.key(), dueAt));
            }
        }
        int most = Math.max(healthy, watched.map(Watched::healthy).orElse(0));
        CellTime asked =
                revert.isPresent() ? now : watched.map(Watched::revertAskedAt).orElse(CellTime.ZERO);
        watch = new Watched(job.generation(), running, most, progressAt, dueAt, asked);
    }

    private static CellTime earlier(CellTime one, CellTime other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private void awaitNext() {
        wakes.add(new Wake.On(work.key(), Happening.STARTED));
        wakes.add(new Wake.On(work.key(), Happening.ENDED));
        wakes.add(new Wake.On(work.key(), Happening.CHANGED));
    }

    /** The turn after the one in which the update fails gives up additional tasks, although nothing of the job changes. */
    private void awaitLeave() {
        if (!record.surges().isEmpty()) {
            wakes.add(new Wake.At(work.key(), now.plusMillis(LEAVE_MILLIS)));
        }
    }

    private void replaceSome() {
        int room = JobHeader.TASKS_MAX - job.header().tasks();
        for (GroupUpdate each : groups) {
            boolean surges = record.surges().containsKey(each.group().place());
            boolean inPlace = record.inPlace() == job.generation() && !surges;
            each.next(inPlace).forEach(cell::replace);
            int lacks = surges ? 0 : each.lacks(inPlace);
            int more = Math.min(lacks, room);
            if (more > 0) {
                surge(each, more);
                room -= more;
            } else if (lacks > 0 && !othersGiveRoomBack()) {
                record = record.withInPlace(job.generation());
                each.next(true).forEach(cell::replace);
            }
        }
    }

    /** Additional tasks of other groups end, or will without a promotion. Then the job may have additional tasks in this group. */
    private boolean othersGiveRoomBack() {
        return leaves
                || groups.stream()
                        .anyMatch(
                                each -> record.surges().containsKey(each.group().place()) && !each.awaitsPromotion());
    }

    private String describe(int healthy) {
        int old = groups.stream().mapToInt(GroupUpdate::old).sum();
        int all =
                groups.stream().mapToInt(each -> each.group().header().count()).sum();
        return healthy + " of " + all + " tasks are updated and healthy, " + old + " are of an older generation";
    }

    // ---- when it fails

    private long deadlineMillis() {
        return groups.stream()
                .mapToLong(each -> each.policy().deadlineMillis())
                .min()
                .orElse(Long.MAX_VALUE / 2);
    }

    private void fail() {
        boolean wanted = groups.stream().anyMatch(each -> each.policy().revert());
        boolean known = record.stable() > 0 && record.stable() < job.generation();
        if (!wanted || !known) {
            note = "the update to generation " + job.generation() + " has failed: no task became healthy before its"
                    + " deadline" + (known ? "; revert it, or update the job" : "; update the job");
            return;
        }
        note = "the update to generation " + job.generation() + " has failed and is reverted to generation "
                + record.stable();
        CellTime again =
                watched.map(Watched::revertAskedAt).orElse(CellTime.ZERO).plusMillis(REVERT_AGAIN_MILLIS);
        if (again.compareTo(now) <= 0) {
            revert = Optional.of(new Revert(work.key(), job.generation(), record.stable()));
            again = now.plusMillis(REVERT_AGAIN_MILLIS);
        }
        wakes.add(new Wake.At(work.key(), again));
    }
}
