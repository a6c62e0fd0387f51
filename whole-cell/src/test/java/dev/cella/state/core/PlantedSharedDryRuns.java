package dev.cella.state.core;

import dev.cella.transactions.model.Transaction;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A planted race, which was once a real one: dry runs in parallel, like reads. */
@JCStressTest
@State
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "each as if it were alone")
public class PlantedSharedDryRuns {
    private static final int RUNS = 20;

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
        int accepted = SharedCell.CORES_OF_THE_POOL;
        for (int run = 0; run < RUNS && accepted == SharedCell.CORES_OF_THE_POOL; run++) {
            accepted =
                    shared.cell.<Integer>read(view -> view.preview(transaction).accepted());
        }
        return accepted;
    }
}
