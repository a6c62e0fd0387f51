package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.offers.OffersSchedulerProvider;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.offers.TwoLevel;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.cell.CellView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The live allocator and live frameworks in virtual time, beside the dissertation's model of offers. */
class OffersOnLoopsTest {
    private static final OffersOnLoops LIVE =
            new OffersOnLoops(List.of(new BatchSchedulerProvider(), new OffersSchedulerProvider()));
    private static final int OUTSTANDING_MAX = 50;

    private static RunParameters run(double serviceSeconds, double days) {
        return RunParameters.of("offers-live", ReferenceCell.A)
                .withGeometry(new Geometry(1_000, 4000, 16_384, 1100, 1536, 0.6))
                .withBatch(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0.05)))
                .withService(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0.005)))
                .withDecisionTimes(DecisionTime.ofSeconds(0.1, 0.005), DecisionTime.ofSeconds(serviceSeconds, 0.005))
                .lasting(days, 1);
    }

    private static RunResult result(Architecture architecture, RunParameters run) {
        return architecture.run(run, RunWork.of(run, List.of()), RunProgress.UNHEARD);
    }

    /** An allocator with at most 50 offers outstanding cannot give away the whole cell, as the one of Figure 4.4 does. */
    @Test
    void longDecisions_lockTheDissertationsCell_butNotOneWithFewOffersOutstanding() {
        SchedulerRow locked = result(new TwoLevel(), run(100, 0.02)).row(Workload.BATCH);
        SchedulerRow live = result(LIVE, run(100, 0.02)).row(Workload.BATCH);
        assertThat(locked.jobsAbandoned()).isPositive();
        assertThat(locked.meanWaitFullyScheduledSeconds().orElseThrow())
                .isGreaterThan(5 * live.meanWaitFullyScheduledSeconds().orElseThrow());
        assertThat(live.jobsFullyScheduled()).isEqualTo(live.jobsSubmitted());
    }

    @Test
    void sameSeed_sameResult_andNoMoreOffersOutstandingThanAllowed() {
        RunParameters run = run(1, 0.005);
        ReplicatedCell cell = LIVE.simulate(run, RunWork.of(run, List.of()), RunProgress.UNHEARD);
        assertThat(cell.result()).isEqualTo(result(LIVE, run));
        assertThat(cell.result().placements()).isPositive();
        assertThat(cell.result().events().get("offersDeclined"))
                .isPositive()
                .isLessThanOrEqualTo(cell.result().events().get("offersMade"));
        CellView view = cell.view();
        view.sessions()
                .forEach(session -> assertThat(view.offersTo(session.id())).hasSizeLessThanOrEqualTo(OUTSTANDING_MAX));
    }
}
