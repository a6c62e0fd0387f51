package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.SessionRow;
import dev.cella.state.web.feed.ChangedRow.Kind;
import dev.cella.state.web.rows.JobRows;
import dev.cella.state.web.rows.MachineRows;
import dev.cella.state.web.rows.TaskRows;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Renders rows of a view as the feed shows them. It remembers what machines and sessions were called, for the change that says that
 * one is gone comes when its row is empty. Belongs to the owner of the view.
 */
final class RowText {
    private final JsonCodec codec;
    private final CellView view;
    private final Map<Integer, ChangedRow> goneMachines = new HashMap<>();
    private final Map<SessionId, ChangedRow> goneSessions = new HashMap<>();

    RowText(JsonCodec codec, CellView view) {
        this.codec = codec;
        this.view = view;
        IntStream.range(0, view.machineSlots()).filter(view::machineExists).forEach(this::rememberMachine);
        view.sessions().forEach(this::rememberSession);
    }

    private void rememberMachine(int slot) {
        String name = view.machineName(slot);
        goneMachines.put(slot, gone(Kind.MACHINE, name, Optional.of(name), Optional.empty()));
    }

    private void rememberSession(dev.cella.transactions.cell.SessionRow session) {
        goneSessions.put(
                session.id(), gone(Kind.SESSION, name(session), Optional.empty(), Optional.of(session.scheduler())));
    }

    private static ChangedRow gone(Kind kind, String name, Optional<String> machine, Optional<String> scheduler) {
        return new ChangedRow(kind, name, machine, scheduler, Optional.empty(), Optional.empty());
    }

    private static String name(dev.cella.transactions.cell.SessionRow session) {
        return session.scheduler() + "/" + session.instance();
    }

    Stream<ChangedRow> all() {
        return Stream.of(
                        IntStream.range(0, view.machineSlots()).boxed().flatMap(slot -> machine(slot).stream()),
                        view.jobs().stream().flatMap(job -> job(job.id()).stream()),
                        view.jobs().stream().flatMap(this::tasks),
                        view.sessions().stream().flatMap(session -> session(session.id()).stream()))
                .flatMap(rows -> rows);
    }

    /** Those that were placed once: the others are as their group says. */
    private Stream<ChangedRow> tasks(JobRow job) {
        return job.groups().stream()
                .flatMap(group -> IntStream.range(0, group.header().count())
                        .filter(index -> view.task(group, index).attempt() > 0)
                        .mapToObj(index -> task(group, index)));
    }

    Optional<ChangedRow> machine(int slot) {
        if (!view.machineExists(slot)) {
            return Optional.ofNullable(goneMachines.remove(slot));
        }
        rememberMachine(slot);
        String name = view.machineName(slot);
        return Optional.of(new ChangedRow(
                Kind.MACHINE,
                name,
                Optional.of(name),
                Optional.empty(),
                Optional.empty(),
                Optional.of(codec.write(MachineRows.of(view, slot)))));
    }

    Optional<ChangedRow> job(JobId id) {
        return view.job(id)
                .map(job -> new ChangedRow(
                        Kind.JOB,
                        job.name(),
                        Optional.empty(),
                        Optional.of(job.header().scheduler()),
                        Optional.of(job.name()),
                        Optional.of(codec.write(JobRows.of(view, job)))));
    }

    Optional<ChangedRow> task(TaskId id) {
        return view.job(id.job())
                .filter(job -> id.group() < job.groups().size())
                .map(job -> task(job.group(id.group()), id.index()));
    }

    private ChangedRow task(GroupRow group, int index) {
        TaskRow task = view.task(group, index);
        return new ChangedRow(
                Kind.TASK,
                task.text(),
                task.machineName(),
                Optional.of(group.job().header().scheduler()),
                Optional.of(task.jobName()),
                Optional.of(codec.write(TaskRows.of(view, group.job(), task))));
    }

    Optional<ChangedRow> session(SessionId id) {
        return view.session(id).map(this::session).or(() -> Optional.ofNullable(goneSessions.remove(id)));
    }

    private ChangedRow session(dev.cella.transactions.cell.SessionRow session) {
        rememberSession(session);
        SessionRow row = SessionRow.newBuilder()
                .setScheduler(session.scheduler())
                .setInstance(session.instance())
                .setType(session.type())
                .setSession(session.id().version())
                .setChangedVersion(session.changedVersion())
                .build();
        return new ChangedRow(
                Kind.SESSION,
                name(session),
                Optional.empty(),
                Optional.of(session.scheduler()),
                Optional.empty(),
                Optional.of(codec.write(row)));
    }
}
