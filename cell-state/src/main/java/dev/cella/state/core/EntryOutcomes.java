package dev.cella.state.core;

import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Decided;
import java.util.List;
import java.util.Optional;

/**
 * The whole outcomes of one entry's transactions as bytes, each after its version: one array and one cold row. Half a million
 * outcomes wait for a checkpoint, and the collector would copy each of them as an object. As single rows, a database would
 * sort and drop hundreds of rows that come and are forgotten together.
 */
public final class EntryOutcomes {
    private final CellVersion lastVersion;
    private final byte[] bytes;

    private EntryOutcomes(CellVersion lastVersion, byte[] bytes) {
        this.lastVersion = lastVersion;
        this.bytes = bytes;
    }

    /** The outcomes to keep among the results of an entry. */
    public static EntryOutcomes of(List<CommandResult> results) {
        ByteWriter outcomes = new ByteWriter();
        ByteWriter outcome = new ByteWriter();
        CellVersion last = CellVersion.NONE;
        for (CommandResult result : results) {
            if (result instanceof Decided decided && decided.isKept()) {
                outcome.truncate(0);
                OutcomeCodec.write(outcome, decided.outcome());
                outcomes.writeVarint(decided.version().number() - last.number());
                outcomes.writeVarint(outcome.length());
                outcomes.writeFrom(outcome);
                last = decided.version();
            }
        }
        return new EntryOutcomes(last, outcomes.toBytes());
    }

    boolean isEmpty() {
        return bytes.length == 0;
    }

    /** The highest version, which is the key of the row. */
    CellVersion lastVersion() {
        return lastVersion;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The outcome of the transaction that was decided at that version, if it is one of them. */
    public static Optional<byte[]> find(byte[] outcomes, CellVersion version) {
        ByteReader in = new ByteReader(outcomes);
        long each = CellVersion.NONE.number();
        while (in.hasRemaining() && each < version.number()) {
            each += in.readVarint();
            byte[] outcome = in.readBytes();
            if (each == version.number()) {
                return Optional.of(outcome);
            }
        }
        return Optional.empty();
    }
}
