package dev.cella.state.core;

import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Decided;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The whole outcomes of one entry's transactions as bytes, one behind another: three arrays, however many there are, because
 * half a million wait for a checkpoint, and a collector would copy each.
 */
final class EntryOutcomes {
    private final long[] versions;
    private final int[] ends;
    private final byte[] bytes;

    private EntryOutcomes(long[] versions, int[] ends, byte[] bytes) {
        this.versions = versions;
        this.ends = ends;
        this.bytes = bytes;
    }

    /** Those that are kept, of the results of an entry. */
    static EntryOutcomes of(List<CommandResult> results) {
        long[] versions = new long[results.size()];
        int[] ends = new int[results.size()];
        int count = 0;
        ByteWriter rows = new ByteWriter();
        for (CommandResult result : results) {
            if (result instanceof Decided decided && decided.isKept()) {
                OutcomeCodec.write(rows, decided.outcome());
                versions[count] = decided.version().number();
                ends[count++] = rows.length();
            }
        }
        return new EntryOutcomes(Arrays.copyOf(versions, count), Arrays.copyOf(ends, count), rows.toBytes());
    }

    boolean isEmpty() {
        return versions.length == 0;
    }

    long firstVersion() {
        return versions[0];
    }

    Optional<byte[]> find(long version) {
        int place = Arrays.binarySearch(versions, version);
        return place < 0 ? Optional.empty() : Optional.of(row(place));
    }

    private byte[] row(int place) {
        return Arrays.copyOfRange(bytes, place == 0 ? 0 : ends[place - 1], ends[place]);
    }

    void forEach(BiConsumer<ColdKey, byte[]> rows) {
        for (int place = 0; place < versions.length; place++) {
            rows.accept(ColdKey.outcome(new CellVersion(versions[place])), row(place));
        }
    }
}
