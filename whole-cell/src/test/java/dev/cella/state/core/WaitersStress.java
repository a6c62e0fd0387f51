package dev.cella.state.core;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.model.CellVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A caller that waits for a version while it is applied is woken. */
@JCStressTest
@State
@Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "the version waited for")
public class WaitersStress {
    private static final CellVersion WANTED = new CellVersion(SharedCell.VERSION + 1);

    private final SharedCell shared = new SharedCell();
    private final Entry claim = SharedCell.claim();
    private final Waiters waiters = new Waiters(shared.cell, Runnable::run, FeedStress.StillTime.STILL);
    private @Nullable CompletableFuture<CellVersion> answer;

    @Actor
    public void apply() {
        shared.apply(claim);
        waiters.entryApplied();
    }

    @Actor
    public void await() {
        answer = waiters.await(CellView::version, version -> !WANTED.isAfter(version), Duration.ofSeconds(1));
    }

    @Arbiter
    public void look(J_Result result) {
        CellVersion version = answer == null ? null : answer.getNow(null);
        result.r1 = version == null ? 0 : version.number();
    }
}
