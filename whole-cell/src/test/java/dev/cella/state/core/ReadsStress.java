package dev.cella.state.core;

import dev.cella.transactions.codec.Entry;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader of the cell sees one whole version of it. */
@JCStressTest
@State
@Outcome(id = "4, 4", expect = Expect.ACCEPTABLE, desc = "before the entry")
@Outcome(id = "5, 4", expect = Expect.ACCEPTABLE, desc = "after it")
public class ReadsStress {
    private final SharedCell shared = new SharedCell();
    private final Entry claim = SharedCell.claim();

    @Actor
    public void apply() {
        shared.apply(claim);
    }

    @Actor
    public void read(II_Result result) {
        shared.cell.<Boolean>read(view -> {
            result.r1 = (int) view.version().number();
            result.r2 = SharedCell.coresAddedUp(view);
            return true;
        });
    }
}
