package dev.cella.state.core;

import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.cell.tables.CellLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The apply thread takes a copy for a checkpoint and goes on, and takes one for a reader of the feed: each is one whole
 * version of the cell.
 */
@JCStressTest
@State
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are whole")
public class CopiesStress {
    private final SharedCell shared = new SharedCell();
    private final LogPosition position = new LogPosition(1, SharedCell.VERSION);
    private @Nullable SealedCell sealed;
    private @Nullable CellSnapshot snapshot;

    @Actor
    public void apply() {
        sealed = shared.cell.seal(position);
        shared.apply(SharedCell.claim());
    }

    @Actor
    public void readTheFeed() {
        snapshot = shared.cell.snapshot();
    }

    @Arbiter
    public void load(ZZ_Result result) {
        result.r1 = sealed != null && isWhole(sealed);
        result.r2 = snapshot != null && isWhole(snapshot);
    }

    private static boolean isWhole(SealedCell taken) {
        Chunks chunks = new Chunks();
        taken.pages().forEach(chunks);
        try {
            new CommonCell(CellLimits.STANDARD).load(new Checkpoint(taken.head(), chunks.list));
            return true;
        } catch (DamagedCheckpointException damaged) {
            return false;
        }
    }

    /** The pages in the order of their keys. */
    private static final class Chunks implements CellCopy.Pages {
        final List<byte[]> list = new ArrayList<>();

        @Override
        public void page(long key, byte[] bytes) {
            list.add(bytes);
        }

        @Override
        public void gone(long key) {
            throw new IllegalStateException("nothing is gone of all pages");
        }
    }

    /** Loading checks the digests that came with it. */
    private static boolean isWhole(CellSnapshot taken) {
        CellReplica loaded = new CellReplica();
        loaded.load(taken.chunks());
        return loaded.view().version().equals(taken.version())
                && SharedCell.coresAddedUp(loaded.view()) == SharedCell.CORES;
    }
}
