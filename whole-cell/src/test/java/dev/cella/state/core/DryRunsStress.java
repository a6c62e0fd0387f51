package dev.cella.state.core;

import dev.cella.transactions.model.Transaction;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two dry runs at the same time do not see each other's drafts: each is accepted up to the pool's limit. */
@JCStressTest
@State
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "each as if it were alone")
public class DryRunsStress {
    private final SharedCell shared = new SharedCell();
    private final Transaction transaction = SharedCell.transaction(SharedCell.CORES);

    @Actor
    public void one(II_Result result) {
        result.r1 = accepted();
    }

    @Actor
    public void other(II_Result result) {
        result.r2 = accepted();
    }

    private int accepted() {
        return shared.cell.<Integer>readAlone(view -> view.preview(transaction).accepted());
    }
}
