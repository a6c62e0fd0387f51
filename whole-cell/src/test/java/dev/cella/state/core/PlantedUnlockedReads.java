package dev.cella.state.core;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.Entry;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A planted race: the view is used outside of its lock. The suite must see a half-applied entry. */
@JCStressTest
@State
@Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "one version, whole")
public class PlantedUnlockedReads {
    private static final int LOOKS = 50;

    private final SharedCell shared = new SharedCell();
    private final Entry claim = SharedCell.claim();
    private final CellView view = shared.cell.<CellView>read(given -> given);

    @Actor
    public void apply() {
        shared.apply(claim);
    }

    /** Looks while the entry is applied, or until it has seen enough. */
    @Actor
    public void read(I_Result result) {
        int cores = SharedCell.coresAddedUp(view);
        for (int look = 0; look < LOOKS && cores == SharedCell.CORES; look++) {
            cores = SharedCell.coresAddedUp(view);
        }
        result.r1 = cores;
    }
}
