package dev.cella.state.web.feed;

import com.google.protobuf.Message;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.SessionRow;
import dev.cella.state.web.feed.ChangedRow.Belonging;
import dev.cella.state.web.feed.ChangedRow.Kind;
import dev.cella.state.web.rows.JobRows;
import dev.cella.state.web.rows.WireMachineRows;
import dev.cella.state.web.rows.WireTaskRows;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes the feed's rows from a view. Belongs to the owner of the view. */
final class RowMaker {
    private final JsonCodec codec;
    private final CellView view;
    private final boolean isBrief;

    /** @param brief whether machines have the number of their tasks in place of the names */
    RowMaker(JsonCodec codec, CellView view, boolean brief) {
        this.codec = codec;
        this.view = view;
        this.isBrief = brief;
    }

    Optional<ChangedRow> machine(int slot) {
        return view.machineExists(slot) ? Optional.of(existingMachine(slot)) : Optional.empty();
    }

    private ChangedRow existingMachine(int slot) {
        String name = view.machineName(slot);
        return isBrief
                ? row(Kind.MACHINE, name, Belonging.toMachine(name), WireMachineRows.brief(view, slot))
                : row(Kind.MACHINE, name, Belonging.toMachine(name), WireMachineRows.of(view, slot));
    }

    private ChangedRow row(Kind kind, String name, Belonging belongs, Supplier<? extends Message> row) {
        return ChangedRow.of(kind, name, belongs, new RowImage(row, codec));
    }

    private ChangedRow row(Kind kind, String name, Belonging belongs, Message row) {
        return row(kind, name, belongs, () -> row);
    }

    Optional<ChangedRow> job(JobId id) {
        return view.job(id).map(job -> row(Kind.JOB, job.name(), belonging(job), JobRows.of(view, job)));
    }

    /** The job as it is now, for a row whose message is made later. */
    ChangedRow keptJob(JobRow job) {
        return row(Kind.JOB, job.name(), belonging(job), JobRows.kept(view, job));
    }

    Optional<ChangedRow> task(TaskId id) {
        return view.job(id.job())
                .filter(job -> id.group() < job.groups().size())
                .map(job -> task(job.group(id.group()), id.index()));
    }

    private ChangedRow task(GroupRow group, int index) {
        TaskRow task = view.task(group, index);
        return row(Kind.TASK, task.text(), belonging(group.job(), task), WireTaskRows.of(view, group.job(), task));
    }

    static Belonging belonging(JobRow job) {
        return Belonging.toJob(job.name(), job.header().scheduler());
    }

    static Belonging belonging(JobRow job, TaskRow task) {
        return new Belonging(task.machineName(), Optional.of(job.header().scheduler()), Optional.of(task.jobName()));
    }

    Optional<ChangedRow> session(SessionId id) {
        return view.session(id).map(this::session);
    }

    ChangedRow session(dev.cella.transactions.cell.tables.SessionRow session) {
        SessionRow row = SessionRow.newBuilder()
                .setScheduler(session.scheduler())
                .setInstance(session.instance())
                .setType(session.type())
                .setSession(session.id().version())
                .setChangedVersion(session.changedVersion())
                .build();
        return row(Kind.SESSION, name(session), Belonging.toScheduler(session.scheduler()), row);
    }

    static String name(dev.cella.transactions.cell.tables.SessionRow session) {
        return session.scheduler() + "/" + session.instance();
    }
}
