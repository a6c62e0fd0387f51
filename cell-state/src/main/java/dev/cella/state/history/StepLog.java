package dev.cella.state.history;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The newest steps of all tasks. Tasks of one group that took a step together are one row. Bounded in bytes; guarded by {@link
 * CellHistory}.
 */
final class StepLog {
    /** The index of a step of a whole job. */
    static final int WHOLE_JOB = -1;

    private static final HistoryStep.Kind[] KINDS = HistoryStep.Kind.values();
    private static final TaskReason[] REASONS = TaskReason.values();

    private final RowRing rows;

    /** The first version that can have a step here; 0 without a bound. */
    private long beganAt;

    StepLog(long bytesMax) {
        rows = new RowRing(bytesMax);
    }

    /** The step that tasks of one group took, before it becomes bytes. Reused for each row. */
    static final class Row {
        private final CellView view;
        private final MachineNames machineNames;

        long version;
        long millis;
        HistoryStep.Kind kind = HistoryStep.Kind.PENDING;
        String job = "";
        String group = "";
        TaskReason reason = TaskReason.NONE;
        String why = "";
        boolean exited;
        int exitCode;

        @Nullable
        Origin origin;

        /** The machines have their names in that view. */
        Row(CellView view, MachineNames machineNames) {
            this.view = view;
            this.machineNames = machineNames;
        }

        @SuppressWarnings("EnumOrdinal") // a row is read by the program that wrote it
        private void write(ByteWriter out, Segment names, GroupPlacements tasks) {
            out.writeByte(kind.ordinal());
            out.writeVarint(names.numberOf(job));
            out.writeVarint(names.numberOf(group));
            out.writeByte(reason.ordinal());
            out.writeVarint(names.numberOf(why));
            out.writeBoolean(exited);
            out.writeSigned(exitCode);
            out.writeBoolean(origin != null);
            if (origin != null) {
                out.writeVarint(names.numberOf(origin.scheduler()));
                // Each transaction has a name of its own: a table of names would only grow.
                out.writeText(origin.transaction().text());
            }
            out.writeVarint(tasks.count());
            int before = 0;
            for (int place = 0; place < tasks.count(); place++) {
                out.writeSigned(tasks.index(place) - before);
                out.writeVarint(tasks.ordinal(place));
                out.writeVarint(machineNames.numberIn(names, tasks.slot(place), view));
                before = tasks.index(place);
            }
        }
    }

    /** Adds the step of these tasks. The slot of one without a machine is {@link MachineNames#NONE}. */
    void add(Row row, GroupPlacements tasks) {
        if (tasks.count() > 0) {
            rows.add(row.version, row.millis, (out, names) -> row.write(out, names, tasks));
        }
    }

    /** The newest steps of a job, of one of its tasks, or on a machine, in order of time. */
    List<HistoryStep> of(Asked asked, int stepsMax) {
        List<HistoryStep> found = new ArrayList<>();
        rows.newestFirst(segment -> {
            if (!asked.span().touches(segment)) {
                return segment.lastVersion() >= asked.span().fromVersion();
            }
            List<HistoryStep> here = in(segment, asked);
            Collections.reverse(here);
            found.addAll(here);
            return found.size() < stepsMax;
        });
        List<HistoryStep> kept = new ArrayList<>(found.subList(0, Math.min(stepsMax, found.size())));
        Collections.reverse(kept);
        return kept;
    }

    /** Selects steps: those that match everything named. */
    record Asked(Optional<String> job, Optional<String> machine, Span span) {}

    private static List<HistoryStep> in(Segment segment, Asked asked) {
        int job = asked.job().map(segment::find).orElse(Integer.MAX_VALUE);
        int machine = asked.machine().map(segment::find).orElse(Integer.MAX_VALUE);
        List<HistoryStep> found = new ArrayList<>();
        if (job < 0 || machine < 0) {
            return found;
        }
        Cursor row = new Cursor(segment);
        while (row.nextTask()) {
            boolean isAsked = (job == Integer.MAX_VALUE || row.job == job)
                    && (machine == Integer.MAX_VALUE || row.machine == machine)
                    && asked.span().has(row.version, row.millis);
            if (isAsked) {
                found.add(row.step());
            }
        }
        return found;
    }

    /** The version from which no step is missing. */
    long keptFromVersion() {
        return rows.oldestAfterADrop().map(Segment::firstVersion).orElse(beganAt);
    }

    /** Drops all steps. Those up to that version are not known here. */
    void beginAfter(long version) {
        rows.clear();
        beganAt = version + 1;
    }

    /** Reads the rows of one segment. Only matching rows become objects. */
    private static final class Cursor {
        private final Segment segment;
        private final ByteReader in;
        long version;
        long millis;
        int job;
        int machine;
        private int kind;
        private int group;
        private int index;
        private int ordinal;
        private int reason;
        private int why;
        private boolean exited;
        private int exitCode;
        private int scheduler;
        private byte[] transaction = {};
        /** How many tasks of the row are not read yet. */
        private int tasksLeft;

        Cursor(Segment segment) {
            this.segment = segment;
            this.in = segment.reader();
            this.version = segment.firstVersion();
            this.millis = segment.firstMillis();
        }

        boolean nextTask() {
            if (tasksLeft == 0) {
                if (!in.hasRemaining()) {
                    return false;
                }
                readRow();
            }
            tasksLeft--;
            index += (int) in.readSigned();
            ordinal = in.readInt();
            machine = in.readInt();
            return true;
        }

        private void readRow() {
            version += in.readVarint();
            millis = Math.max(millis, millis + in.readSigned());
            kind = in.readByte();
            job = in.readInt();
            group = in.readInt();
            reason = in.readByte();
            why = in.readInt();
            exited = in.readBoolean();
            exitCode = (int) in.readSigned();
            boolean hasOrigin = in.readBoolean();
            scheduler = hasOrigin ? in.readInt() : -1;
            transaction = hasOrigin ? in.readBytes() : transaction;
            tasksLeft = in.readInt();
            index = 0;
        }

        HistoryStep step() {
            return new HistoryStep(
                    millis,
                    version,
                    KINDS[kind],
                    task(),
                    ordinal,
                    text(machine),
                    REASONS[reason],
                    text(why),
                    exited ? OptionalInt.of(exitCode) : OptionalInt.empty(),
                    scheduler < 0 ? Optional.empty() : text(scheduler),
                    scheduler < 0 ? Optional.empty() : Optional.of(new String(transaction, StandardCharsets.UTF_8)));
        }

        private String task() {
            String name = segment.name(job);
            return index == WHOLE_JOB ? name : name + "/" + segment.name(group) + "/" + index;
        }

        private Optional<String> text(int name) {
            return Optional.of(segment.name(name)).filter(text -> !text.isEmpty());
        }
    }
}
