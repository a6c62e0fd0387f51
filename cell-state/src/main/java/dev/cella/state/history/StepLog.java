package dev.cella.state.history;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The newest steps of all tasks. Bounded in bytes; guarded by {@link CellHistory}. */
final class StepLog {
    /** The index of a step of a whole job. */
    static final int WHOLE_JOB = -1;

    private static final HistoryStep.Kind[] KINDS = HistoryStep.Kind.values();
    private static final TaskReason[] REASONS = TaskReason.values();

    private final RowRing rows;

    StepLog(long bytesMax) {
        rows = new RowRing(bytesMax);
    }

    /** The fields of one row before it becomes bytes. Reused for each row. */
    static final class Row {
        long version;
        long millis;
        HistoryStep.Kind kind = HistoryStep.Kind.PENDING;
        String job = "";
        String group = "";
        int index;
        int ordinal;
        String machine = "";
        TaskReason reason = TaskReason.NONE;
        String why = "";
        boolean exited;
        int exitCode;

        @Nullable
        Origin origin;

        @SuppressWarnings("EnumOrdinal") // a row is read by the program that wrote it
        private void write(ByteWriter out, Segment names) {
            out.writeByte(kind.ordinal());
            out.writeVarint(names.numberOf(job));
            out.writeVarint(names.numberOf(group));
            out.writeSigned(index);
            out.writeVarint(ordinal);
            out.writeVarint(names.numberOf(machine));
            out.writeByte(reason.ordinal());
            out.writeVarint(names.numberOf(why));
            out.writeBoolean(exited);
            out.writeSigned(exitCode);
            out.writeBoolean(origin != null);
            if (origin != null) {
                out.writeVarint(names.numberOf(origin.scheduler()));
                out.writeVarint(names.numberOf(origin.transaction().text()));
            }
        }
    }

    void add(Row row) {
        rows.add(row.version, row.millis, row::write);
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
        while (row.next()) {
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
        return rows.oldestAfterADrop().map(Segment::firstVersion).orElse(0L);
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
        private int transaction;

        Cursor(Segment segment) {
            this.segment = segment;
            this.in = segment.reader();
            this.version = segment.firstVersion();
            this.millis = segment.firstMillis();
        }

        boolean next() {
            if (!in.hasRemaining()) {
                return false;
            }
            version += in.readVarint();
            millis = Math.max(millis, millis + in.readSigned());
            kind = in.readByte();
            job = in.readInt();
            group = in.readInt();
            index = (int) in.readSigned();
            ordinal = in.readInt();
            machine = in.readInt();
            reason = in.readByte();
            why = in.readInt();
            exited = in.readBoolean();
            exitCode = (int) in.readSigned();
            boolean hasOrigin = in.readBoolean();
            scheduler = hasOrigin ? in.readInt() : -1;
            transaction = hasOrigin ? in.readInt() : -1;
            return true;
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
                    transaction < 0 ? Optional.empty() : text(transaction));
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
