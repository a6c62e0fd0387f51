package dev.cella.scheduling.loop;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.host.FullMachines;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.Optional;

/**
 * One of the cells that a loop works on: its private copy, what is in flight there, who sleeps until a machine of it has
 * room or a policy moves, and which of its tasks run again. Owned by {@link SchedulerLoop}.
 */
final class LoopCell implements OpenJob.Open {
    final int place;
    final SessionId session;
    final OwnOffers offers;
    final OfferReplies replies;
    final InFlight inFlight;
    final WorkingView working;
    final SleepingJobs sleeping;
    final PolicyWaits policies;
    final Restarts restarts;
    final RunTimes runTimes;
    private boolean newWork;

    LoopCell(int place, LoopSeat seat, LoopOptions options, Agenda<?> agenda) {
        this.place = place;
        this.session = seat.session();
        this.offers = new OwnOffers(seat.session(), seat.view());
        this.replies = new OfferReplies(this);
        this.inFlight = new InFlight(options.transactionsInFlightMax(), offers);
        this.working = new WorkingView(
                place,
                options.scheduler(),
                seat.view(),
                inFlight,
                offers,
                surroundings(seat, options),
                options.within());
        this.sleeping = new SleepingJobs(place, working, agenda.perPool(), agenda.wakesMax());
        this.policies = new PolicyWaits(working, options.scheduler());
        this.restarts = new Restarts(options.lost(), options.seed());
        this.runTimes = new RunTimes(() -> working.view().wallTimeMillis());
    }

    /** A loop that retries jobs at once may have a host that does not say which machines gained room. */
    private static Surroundings surroundings(LoopSeat seat, LoopOptions options) {
        boolean isTold = options.retryOrder() == RetryOrder.KEEPS_PLACE;
        return Surroundings.of(seat.view(), seat.placements())
                .with(options.explanations())
                .with(isTold ? Optional.of(new FullMachines()) : Optional.empty());
    }

    /** The machine may have more room than before. */
    void freed(int machine) {
        working.freed(machine);
        sleeping.freed(machine);
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

    /** Returns whether that was so since this was asked last. */
    boolean takeNewWork() {
        boolean was = newWork;
        newWork = false;
        return was;
    }
}
