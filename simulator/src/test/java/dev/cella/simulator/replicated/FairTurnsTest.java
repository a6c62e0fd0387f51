package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often a fair scheduler plans the jobs of a cell of which half is free. */
class FairTurnsTest {
    private static final int MACHINES = 500;
    private static final long WAIT_MILLIS = 5_000;

    private final AtomicLong turns = new AtomicLong();

    private record Counted<M>(Scheduler<M> fair, AtomicLong turns) implements Scheduler<M> {
        @Override
        public M start() {
            return fair.start();
        }

        @Override
        public Agenda<M> agenda() {
            return fair.agenda();
        }

        @Override
        public Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context) {
            turns.addAndGet(work.jobs().size());
            return fair.plan(cells, work, context);
        }
    }

    private final class Counting implements SchedulerProvider {
        private final SchedulerProvider fair = new FairSchedulerProvider();

        @Override
        public String type() {
            return fair.type();
        }

        @Override
        public List<SchedulerOption> options() {
            return fair.options();
        }

        @Override
        public Scheduler<?> create(SchedulerOptions options) {
            return new Counted<>(fair.create(options), turns);
        }
    }

    /** Its machines with input are taken, and tasks end elsewhere all the time: 50 in the five seconds that it waits. */
    @Test
    void jobThatWaitsForItsInput_isNotPlannedWheneverATaskEndsElsewhere() {
        RunParameters run = RunParameters.of("fair", ReferenceCell.A)
                .withGeometry(new Geometry(MACHINES, 1_000, 1_024, 1_000, 1_024, 0))
                .withBatch(setUp -> setUp.withMeans(new JobMeans(2, 5, 25)))
                .withService(setUp -> setUp.withMeans(setUp.means().withJobsPerSecond(0)))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withInput(new InputSetUp(JobKind.EXPONENTIAL, 1, 1, 3, WAIT_MILLIS, 0, 1))
                .lasting(0.01, 1);
        FairSharing architecture = new FairSharing(List.of(new Counting()));

        RunResult result = architecture.run(run, RunWork.of(architecture.adopt(run), List.of()), RunProgress.UNHEARD);

        int jobs = result.row(Workload.BATCH).jobsSubmitted();
        assertThat(result.inputs().orElseThrow().node()).isBetween(0.8, 0.999);
        assertThat((double) turns.get() / jobs).isBetween(1.0, 3.0);
    }
}
