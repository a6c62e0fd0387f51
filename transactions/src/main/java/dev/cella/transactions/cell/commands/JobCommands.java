package dev.cella.transactions.cell.commands;

import static dev.cella.transactions.model.Command.SubmitMode.CREATE;

import dev.cella.transactions.cell.rule.ScaleRule;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies commands to jobs: submit, update, scale, stop, and forget a day after the end. */
public final class JobCommands {
    private final Tables tables;
    private final TaskEnds ends;
    private final Answers answers;
    private final int rowsMax;

    public JobCommands(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
        this.answers = new Answers(tables);
        this.rowsMax = limits.rowsMax();
    }

    public CommandResult submit(Command.SubmitJob submit) {
        if (submit.checkVersion().isPresent() && tables.featureLevel() < EntryCodec.UPDATED_VERSION_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "a version is checked from feature level " + EntryCodec.UPDATED_VERSION_LEVEL
                            + " on, the cell is at " + tables.featureLevel());
        }
        CommandResult settled = settled(submit);
        if (settled != null) {
            return settled;
        }
        JobRow before = tables.jobs.find(submit.header().name());
        if (before == null) {
            return create(submit, 1, 0);
        }
        return before.isEnded()
                ? create(submit, before.generation() + 1, before.attemptMax())
                : update(submit, before, groupsAfter(before.header(), submit.header()));
    }

    /**
     * The answer that {@link #submit} would give at the feature level that it needs. A door raises the cell to that level
     * before it submits.
     */
    public CommandResult preview(Command.SubmitJob submit) {
        CommandResult settled = settled(submit);
        if (settled != null) {
            return settled;
        }
        JobRow before = tables.jobs.find(submit.header().name());
        if (before == null || before.isEnded()) {
            return answers.created(before == null ? 1 : before.generation() + 1);
        }
        return answers.changed(before.id().version(), before.generation() + 1);
    }

    // ---- submissions that change nothing: refused, or already done

    private @Nullable CommandResult settled(Command.SubmitJob submit) {
        CommandResult refused = refuseGroups(submit.header());
        if (refused != null) {
            return refused;
        }
        JobRow before = tables.jobs.find(submit.header().name());
        if (before != null && !before.isEnded()) {
            return settledAgain(submit, before);
        }
        CommandResult changed = refuseChanged(submit, before);
        if (changed != null) {
            return changed;
        }
        return submit.header().tasks() == 0
                ? answers.refused(Reason.BAD_COMMAND, "a new job has at least one task")
                : null;
    }

    private @Nullable CommandResult refuseGroups(JobHeader header) {
        if (asksUnknownDimension(header)) {
            return answers.refused(Reason.BAD_COMMAND, "a group asks for a dimension that the cell does not know");
        }
        for (GroupHeader group : header.groups()) {
            int named = tables.dimensions().firstNamedInVain(group.shape());
            if (named >= 0) {
                return answers.refused(
                        Reason.BAD_COMMAND, tables.dimensions().nameAt(named) + " is no set: it has no members");
            }
            if (group.isOfCopies()) {
                return answers.refused(Reason.BAD_COMMAND, "a job brings no group of copies");
            }
            if (!group.mayHave(group.count())) {
                return answers.refused(Reason.BAD_COMMAND, "the gang of group " + group.name() + " is larger than it");
            }
        }
        return null;
    }

    private boolean asksUnknownDimension(JobHeader header) {
        return header.groups().stream()
                .anyMatch(group -> group.shape().size() > tables.dimensions().size());
    }

    private @Nullable CommandResult settledAgain(Command.SubmitJob submit, JobRow live) {
        if (live.isStopped()) {
            return answers.refused(Reason.JOB_DIFFERS, live.name() + " is still stopping");
        }
        List<GroupHeader> groups = groupsAfter(live.header(), submit.header());
        boolean sameHeader = groups.equals(live.askedGroups())
                && submit.header().withGroups(groups).equals(live.header().withGroups(groups));
        if (sameHeader && live.specification().equals(submit.specification())) {
            return answers.unchanged(live.id().version(), live.generation());
        }
        CommandResult changed = refuseChanged(submit, live);
        if (changed != null) {
            return changed;
        }
        return submit.mode() == CREATE
                ? answers.refused(Reason.JOB_DIFFERS, "a live job " + live.name() + " differs from this one")
                : refuseUpdate(submit.header(), live, groups);
    }

    /**
     * A retry of an update that was already applied names an older version. It never gets here, because a submission equal to
     * the current job is answered before.
     */
    private @Nullable CommandResult refuseChanged(Command.SubmitJob submit, @Nullable JobRow there) {
        if (submit.checkVersion().isEmpty()) {
            return null;
        }
        long asked = submit.checkVersion().getAsLong();
        String name = submit.header().name();
        if (there == null) {
            return asked == 0
                    ? null
                    : refuseChanged("there is no job " + name + ", so none was updated at version " + asked);
        }
        if (there.updatedVersion() == 0) {
            return refuseChanged(
                    "job " + name + " was last updated before the cell kept at which version: an update without"
                            + " a version to check makes it known");
        }
        return there.updatedVersion() == asked
                ? null
                : refuseChanged("job " + name + " was updated at version " + there.updatedVersion() + ", not " + asked);
    }

    private CommandResult refuseChanged(String message) {
        return answers.refused(Reason.JOB_CHANGED, message);
    }

    private @Nullable CommandResult refuseUpdate(JobHeader next, JobRow live, List<GroupHeader> groups) {
        if (live.header().type() != next.type()) {
            return answers.refused(Reason.NOT_ALLOWED, "an update cannot change the type of " + live.name());
        }
        return groups.size() <= JobHeader.GROUPS_MAX
                ? null
                : answers.refused(
                        Reason.NOT_ALLOWED,
                        live.name() + " would have " + groups.size()
                                + " groups, those it once had included, and may have " + JobHeader.GROUPS_MAX
                                + ": stop it, and submit it again");
    }

    // ---- a new job, or a live one's next generation

    private CommandResult create(Command.SubmitJob submit, int generation, int attemptsBefore) {
        tables.jobSubmitted(submit.header(), submit.specification(), generation, attemptsBefore);
        return answers.created(generation);
    }

    /**
     * The groups after an update. Tasks are named by their group's place, so groups keep their places for the life of a job.
     * First come the former groups, with no tasks where the update drops them, then the new ones.
     */
    private static List<GroupHeader> groupsAfter(JobHeader before, JobHeader next) {
        List<GroupHeader> groups = new ArrayList<>();
        for (GroupHeader group : before.groups()) {
            int place = next.findGroup(group.name());
            groups.add(place < 0 ? group.withCount(0) : next.groups().get(place));
        }
        for (GroupHeader group : next.groups()) {
            if (before.findGroup(group.name()) < 0) {
                groups.add(group);
            }
        }
        return groups;
    }

    private CommandResult update(Command.SubmitJob submit, JobRow live, List<GroupHeader> groups) {
        tables.jobUpdated(live.id().version(), submit.header().withGroups(groups), submit.specification());
        ends.endIfTooManyFailed(live, rowsMax);
        ends.sweep(live, rowsMax);
        return answers.changed(live.id().version(), live.generation());
    }

    // ---- scale: another number of tasks in the same generation

    public CommandResult scale(Command.ScaleGroup command) {
        JobRow job = tables.jobs.find(command.job().version());
        if (job == null) {
            return refuseUnknown(command.job());
        }
        Reason refused = ScaleRule.refuse(job, command.group(), command.count());
        if (refused != null) {
            return answers.refused(refused, job.name() + " cannot have " + command.count() + " tasks in that group");
        }
        GroupRow group = job.group(command.group());
        boolean keepsAsked = tables.featureLevel() >= EntryCodec.ASKED_COUNT_LEVEL;
        boolean isKnown = !keepsAsked || (group.askedVersion() > 0 && group.askedCount() == command.count());
        if (isKnown && group.header().count() == command.count()) {
            return answers.unchanged(command.job().version(), job.generation());
        }
        if (keepsAsked) {
            tables.jobCountAsked(command.job().version(), command.group(), command.count());
        } else {
            tables.jobScaled(command.job().version(), command.group(), command.count());
        }
        ends.sweep(job, rowsMax);
        return answers.changed(command.job().version(), job.generation());
    }

    private CommandResult refuseUnknown(JobId id) {
        return answers.refused(Reason.UNKNOWN_JOB, "there is no job " + id);
    }

    // ---- stop

    /** A second stop may only shorten the time that the job's tasks have to end. */
    public CommandResult stop(Command.StopJob stop) {
        if (stop.graceMillis().isPresent() && tables.featureLevel() < EntryCodec.STOP_GRACE_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "a stop has a grace from feature level " + EntryCodec.STOP_GRACE_LEVEL + " on, the cell is at "
                            + tables.featureLevel());
        }
        JobId id = stop.job();
        JobRow job = tables.jobs.find(id.version());
        if (job == null) {
            return refuseUnknown(id);
        }
        boolean isShorter = stop.graceMillis().orElse(Long.MAX_VALUE)
                < job.stopGraceMillis().orElse(Long.MAX_VALUE);
        if (job.isEnded() || (job.isStopped() && !isShorter)) {
            return answers.unchanged(id.version(), job.generation());
        }
        if (!job.isStopped()) {
            tables.jobStopped(id.version(), TaskReason.KILLED);
        }
        if (isShorter) {
            tables.jobGrace(id.version(), stop.graceMillis().getAsLong());
        }
        ends.sweep(job, rowsMax);
        return answers.changed(id.version(), job.generation());
    }

    public CommandResult continueStop(JobId id) {
        JobRow job = tables.jobs.find(id.version());
        if (job == null || !ends.needsSweep(job)) {
            return answers.unchanged(id.version());
        }
        ends.sweep(job, rowsMax);
        return answers.changed(id.version());
    }

    // ---- forget: groups shrink from their ends until nothing is left

    /**
     * Forgets the job, in one command if the bound on rows allows it. The answer names the generation when nothing is left, so
     * that a keeper of the rest can drop it.
     */
    public CommandResult forget(JobId id) {
        JobRow job = tables.jobs.find(id.version());
        if (job == null) {
            return answers.unchanged(id.version());
        }
        if (!job.isEnded()) {
            return answers.refused(Reason.NOT_ALLOWED, job.name() + " has not ended");
        }
        if (job.rows() < rowsMax) {
            tables.forget(job);
            return answers.changed(id.version(), job.generation());
        }
        return forgetSome(job);
    }

    private CommandResult forgetSome(JobRow job) {
        int left = rowsMax;
        for (int place = job.groupCount() - 1; place >= 0 && left > 0; place--) {
            left -= forget(job.group(place), left);
        }
        if (!job.hasNoTasks()) {
            return answers.changed(job.id().version());
        }
        tables.jobForgotten(job.id().version());
        return answers.changed(job.id().version(), job.generation());
    }

    /** Drops at most {@code rowsAtMost} rows. Returns how many it dropped. */
    private int forget(GroupRow group, int rowsAtMost) {
        long job = group.job().id().version();
        int from = group.rowsEnd();
        int rows = 0;
        while (from > 0 && rows < rowsAtMost) {
            from--;
            rows += group.row(from) == TaskTable.NO_ROW ? 0 : 1;
        }
        if (from < group.header().count()) {
            tables.jobScaled(job, group.place(), from);
        }
        for (int index = from; index < group.rowsEnd(); index++) {
            if (group.row(index) != TaskTable.NO_ROW) {
                tables.taskForgotten(job, group.place(), index);
            }
        }
        return rows;
    }
}
