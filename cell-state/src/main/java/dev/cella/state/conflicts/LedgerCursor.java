package dev.cella.state.conflicts;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TransactionId;
import java.util.Optional;

/**
 * Reads the lost claims of one segment of the {@link Ledger}, the oldest first, as numbers. Names are numbers of the segment.
 * Only a matching row becomes an object.
 */
final class LedgerCursor {
    private static final Reason[] REASONS = Reason.values();

    private final Segment segment;
    private final byte[] bytes;
    private final ByteReader in;
    private long number;

    long version;
    long millis;
    int jobName;
    int groupName;
    int index;
    int machine;
    int reason;
    int dimension;
    int loser;
    int winner;
    private long job;
    private int group;
    private long asked;
    private long free;
    private long basis;
    private int loserTextAt;
    private long loserSession;
    private long winnerVersion;
    private int winnerTextAt;
    private long winnerSession;

    LedgerCursor(Segment segment) {
        this.segment = segment;
        this.bytes = segment.bytesOfRows();
        this.in = new ByteReader(bytes);
        this.number = segment.firstRow() - 1;
        this.version = segment.firstVersion();
        this.millis = segment.firstMillis();
    }

    boolean next() {
        if (!in.hasRemaining()) {
            return false;
        }
        number++;
        version += in.readVarint();
        millis = Math.max(millis, millis + in.readSigned());
        job = in.readVarint();
        group = in.readInt();
        index = in.readInt();
        jobName = in.readInt();
        groupName = in.readInt();
        machine = in.readInt();
        reason = in.readByte();
        dimension = in.readInt();
        asked = in.readVarint();
        free = in.readSigned();
        basis = version - in.readSigned();
        loser = in.readInt();
        loserTextAt = skipText();
        loserSession = in.readVarint();
        winner = -1;
        if (in.readBoolean()) {
            winnerVersion = version - in.readSigned();
            winner = in.readInt();
            winnerTextAt = skipText();
            winnerSession = in.readVarint();
        }
        return true;
    }

    private int skipText() {
        int at = in.offset();
        in.readSlice(in.readInt());
        return at;
    }

    /** How many claims were lost before this one. */
    long number() {
        return number;
    }

    LostClaim lostClaim() {
        String dimensionName = segment.name(dimension);
        return new LostClaim(
                millis,
                new TaskId(new JobId(job), group, index),
                segment.name(jobName) + "/" + segment.name(groupName) + "/" + index,
                segment.name(machine),
                REASONS[reason],
                dimensionName.isEmpty() ? Optional.empty() : Optional.of(dimensionName),
                asked,
                free,
                basis,
                new Origin(transaction(loserTextAt), segment.name(loser), loserSession, version),
                winner < 0
                        ? Optional.empty()
                        : Optional.of(new Origin(
                                transaction(winnerTextAt), segment.name(winner), winnerSession, winnerVersion)));
    }

    private TransactionId transaction(int textAt) {
        return new TransactionId(new ByteReader(bytes, textAt, bytes.length - textAt).readText());
    }
}
