package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Command.SubmitMode.CREATE;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskReason;

/** What commands do to jobs: submit, update, stop. */
final class JobCommands {
    private final Tables tables;
    private final TaskEnds ends;
    private final Answers answers;
    private final int rowsMax;

    JobCommands(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
        this.answers = new Answers(tables);
        this.rowsMax = limits.rowsMax();
    }

    CommandResult submit(Command.SubmitJob submit) {
        JobRow before = tables.jobs.find(submit.header().name());
        if (asksUnknownDimension(submit.header())) {
            return answers.refused(Reason.BAD_COMMAND, "a group asks for a dimension that the cell does not know");
        }
        if (before == null) {
            return create(submit, 1, 0);
        }
        if (before.isEnded()) {
            return create(submit, before.generation() + 1, before.attemptMax());
        }
        return submitAgain(submit, before);
    }

    private boolean asksUnknownDimension(JobHeader header) {
        return header.groups().stream()
                .anyMatch(group -> group.shape().size() > tables.dimensions().size());
    }

    private CommandResult create(Command.SubmitJob submit, int generation, int attemptsBefore) {
        tables.jobSubmitted(submit.header(), submit.specification(), generation, attemptsBefore);
        return answers.created(generation);
    }

    private CommandResult submitAgain(Command.SubmitJob submit, JobRow live) {
        boolean same =
                live.header().equals(submit.header()) && live.specification().equals(submit.specification());
        if (live.isStopped()) {
            return answers.refused(Reason.JOB_DIFFERS, live.name() + " is still stopping");
        }
        if (same) {
            return answers.unchanged(live.id().version(), live.generation());
        }
        return submit.mode() == CREATE
                ? answers.refused(Reason.JOB_DIFFERS, "a live job " + live.name() + " is another one")
                : update(submit, live);
    }

    private CommandResult update(Command.SubmitJob submit, JobRow live) {
        if (!isUpdatable(live.header(), submit.header())) {
            return answers.refused(
                    Reason.NOT_ALLOWED,
                    "an update that changes type, scheduler or pool, drops a group or shrinks one is not supported yet");
        }
        tables.jobUpdated(live.id().version(), submit.header(), submit.specification());
        ends.endIfTooManyFailed(live, rowsMax);
        return answers.changed(live.id().version(), live.generation());
    }

    private static boolean isUpdatable(JobHeader before, JobHeader next) {
        if (before.type() != next.type()
                || !before.scheduler().equals(next.scheduler())
                || !before.pool().equals(next.pool())) {
            return false;
        }
        for (int place = 0; place < before.groups().size(); place++) {
            GroupHeader group = before.groups().get(place);
            if (next.findGroup(group.name()) != place
                    || next.groups().get(place).count() < group.count()) {
                return false;
            }
        }
        return true;
    }

    CommandResult stop(JobId id) {
        JobRow job = tables.jobs.find(id.version());
        if (job == null) {
            return answers.refused(Reason.UNKNOWN_JOB, "there is no job " + id);
        }
        if (job.isEnded() || job.isStopped()) {
            return answers.unchanged(id.version(), job.generation());
        }
        tables.jobStopped(id.version(), TaskReason.KILLED);
        ends.stopTasksOf(job, rowsMax);
        return answers.changed(id.version(), job.generation());
    }

    CommandResult continueStop(JobId id) {
        JobRow job = tables.jobs.find(id.version());
        if (job == null || !job.isStopped() || TaskEnds.isToldToStop(job)) {
            return answers.unchanged(id.version());
        }
        ends.stopTasksOf(job, rowsMax);
        return answers.changed(id.version(), job.generation());
    }
}
