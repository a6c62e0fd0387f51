package dev.cella.state.conflicts;

import dev.cella.state.history.RowRing;
import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.model.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All lost claims in the kept time. None is sampled away, and the oldest are dropped at a bound of bytes. A lost claim takes
 * about 80 bytes.
 *
 * <p>Guarded by {@link ConflictLog}.
 */
final class Ledger {
    private final RowRing rows;
    private long beganAtMillis;

    Ledger(long bytesMax) {
        rows = new RowRing(bytesMax);
    }

    void add(LostClaim lost) {
        rows.add(lost.version(), lost.atMillis(), (out, names) -> write(lost, out, names));
    }

    @SuppressWarnings("EnumOrdinal") // a row is read by the program that wrote it
    private static void write(LostClaim lost, ByteWriter out, Segment names) {
        String[] task = lost.taskName().split("/", 3);
        out.writeVarint(lost.task().job().version());
        out.writeVarint(lost.task().group());
        out.writeVarint(lost.task().index());
        out.writeVarint(names.numberOf(task[0]));
        out.writeVarint(names.numberOf(task[1]));
        out.writeVarint(names.numberOf(lost.machine()));
        out.writeByte(lost.reason().ordinal());
        out.writeVarint(names.numberOf(lost.dimension().orElse("")));
        out.writeVarint(lost.asked());
        out.writeSigned(lost.free());
        out.writeSigned(lost.version() - lost.basis());
        writeOrigin(lost.loser(), out, names);
        out.writeBoolean(lost.winner().isPresent());
        lost.winner().ifPresent(winner -> {
            out.writeSigned(lost.version() - winner.version());
            writeOrigin(winner, out, names);
        });
    }

    private static void writeOrigin(Origin origin, ByteWriter out, Segment names) {
        out.writeVarint(names.numberOf(origin.scheduler()));
        out.writeText(origin.transaction().text());
        out.writeVarint(origin.session());
    }

    /** The newest matching lost claims before that row number, newest first. */
    List<Numbered> newest(LedgerFilter filter, long beforeRow, int limit) {
        List<Numbered> found = new ArrayList<>();
        rows.newestFirst(segment -> {
            if (segment.firstRow() < beforeRow && filter.span().touches(segment)) {
                addNewest(segment, filter, beforeRow, limit, found);
            }
            return found.size() < limit
                    && segment.lastVersion() >= filter.span().fromVersion();
        });
        return found;
    }

    /** A lost claim and how many were lost before it. */
    record Numbered(long row, LostClaim lost) {}

    private static void addNewest(
            Segment segment, LedgerFilter filter, long beforeRow, int limit, List<Numbered> found) {
        Optional<LedgerFilter.InSegment> here = filter.in(segment);
        if (here.isEmpty()) {
            return;
        }
        List<Numbered> inOrder = new ArrayList<>();
        LedgerCursor row = new LedgerCursor(segment);
        while (row.next() && row.number() < beforeRow) {
            if (here.get().accepts(row)) {
                inOrder.add(new Numbered(row.number(), row.lostClaim()));
            }
        }
        for (int at = inOrder.size() - 1; at >= 0 && found.size() < limit; at--) {
            found.add(inOrder.get(at));
        }
    }

    /** Counts the matching lost claims. */
    void count(LedgerFilter filter, LedgerCounts counts) {
        for (Segment segment : rows.oldestFirst()) {
            if (filter.span().touches(segment)) {
                filter.in(segment).ifPresent(here -> counts.add(segment, here));
            }
        }
    }

    long kept() {
        return rows.kept();
    }

    /** The time from which no lost claim is missing, by the wall clock; 0 if none was ever dropped. */
    long keptFromMillis() {
        return rows.oldestAfterADrop().map(Segment::firstMillis).orElse(beganAtMillis);
    }

    /** Drops all lost claims. Those up to that time are not known here. */
    void beginAt(long wallMillis) {
        rows.clear();
        beganAtMillis = wallMillis;
    }
}
