package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.transactions.model.CellTime;
import java.util.List;

/**
 * A scheduler at work on sample cells, for tests of its policy: the live loop drives it, its
 * transactions are decided at once, and time passes only while there is nothing else to do.
 *
 * <pre>{@code
 * SampleCell cell = SampleCell.of(3, 4_000, 8_192).withTasksThatRun(1_000);
 * cell.submit(SampleCell.batch("j", 100, 1_000, 512));
 * SampleRun.of(new MyPlanner().scheduler(), cell).run();
 * assertEquals(JobState.FINISHED, cell.view().job("j").orElseThrow().state());
 * }</pre>
 */
public final class SampleRun {
    private static final long SEED = 1;

    private final DrivenScheduler<?> driven;

    private SampleRun(DrivenScheduler<?> driven) {
        this.driven = driven;
    }

    /** A run of the scheduler {@link SampleCell#SCHEDULER}, over the cells in this order. */
    public static SampleRun of(Scheduler<?> scheduler, SampleCell... cells) {
        return new SampleRun(new DrivenScheduler<>(List.of(cells), scheduler, SampleCell.SCHEDULER, SEED, List.of()));
    }

    /** Runs until only an outside event could cause more steps. */
    public SampleRun run() {
        driven.run();
        return this;
    }

    /** Runs until that time of the cells. */
    public SampleRun runUntil(long millis) {
        driven.runUntil(new CellTime(millis));
        return this;
    }

    /** Its repartitions so far, in the cell of that place. */
    public long repartitions(int cell) {
        return driven.repartitions(cell);
    }

    /** The state of its loop. */
    public LoopStatus status() {
        return driven.status();
    }
}
