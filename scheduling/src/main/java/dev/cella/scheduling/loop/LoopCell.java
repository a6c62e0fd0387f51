package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import java.util.HashMap;
import java.util.Map;

/**
 * One of the cells of a loop: its private copy, what is in flight there, which jobs sleep until a machine has room, and which
 * tasks run again. Owned by {@link SchedulerLoop}.
 */
final class LoopCell implements OpenJob.Open {
    final int place;
    final SessionId session;
    final OwnOffers offers;
    final OfferReplies replies;
    final InFlight inFlight;
    final WorkingView working;
    final SleepingJobs sleeping;
    final Restarts restarts;
    final RunTimes runTimes = new RunTimes();
    private final Map<PoolRow, Amounts> headroom = new HashMap<>();
    private Rights rights = Rights.UNSET;
    private boolean newWork;

    LoopCell(int place, LoopSeat seat, LoopOptions options, boolean perPool) {
        this.place = place;
        this.session = seat.session();
        this.offers = new OwnOffers(seat.session(), seat.view());
        this.replies = new OfferReplies(this);
        this.inFlight = new InFlight(options.transactionsInFlightMax(), offers);
        this.working = new WorkingView(
                place, options.scheduler(), seat.view(), inFlight, offers, seat.placements(), options.within());
        this.sleeping = new SleepingJobs(working::fits, perPool);
        this.restarts = new Restarts(options.lost(), options.seed());
    }

    CellView view() {
        return working.view();
    }

    @Override
    public int pending(OpenJob job) {
        return working.tasksToPlan(job);
    }

    @Override
    public Amounts asks(OpenJob job) {
        return working.asks(job);
    }

    /** A job has tasks to place that it had not before. */
    void newWork() {
        newWork = true;
    }

    /** Whether that was so since this was asked last. */
    boolean takeNewWork() {
        boolean was = newWork;
        newWork = false;
        return was;
    }

    // ---- changes that policies wait for

    /** Whether the scheduler's rights changed since the last call. */
    boolean rightsMoved(String scheduler) {
        Rights now = view().rights(scheduler);
        boolean moved = !now.equals(rights);
        rights = now;
        return moved;
    }

    /** Whether the headroom of the pool or an ancestor changed since the last call. */
    boolean poolMoved(String path) {
        boolean moved = false;
        for (PoolRow pool = view().pool(path).orElse(null);
                pool != null;
                pool = pool.parent().orElse(null)) {
            Amounts now = headroom(pool);
            Amounts before = headroom.put(pool, now);
            moved |= !now.equals(before);
        }
        return moved;
    }

    private static Amounts headroom(PoolRow pool) {
        long[] left = new long[pool.limits().size()];
        for (int dimension = 0; dimension < left.length; dimension++) {
            long limit = Math.min(Amounts.AMOUNT_MAX, pool.limits().at(dimension));
            left[dimension] = Math.max(0, limit - pool.use(dimension));
        }
        return Amounts.of(left);
    }
}
