package dev.cella.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Binding;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queues at machines of which some are held by tasks that were there before. */
class PrefilledQueuesTest {
    private static final int MACHINES = 100;
    private static final int HELD = 60;
    private static final int JOBS = 100;
    private static final double HELD_SECONDS = 500;
    private static final double FOR_EVER = Double.POSITIVE_INFINITY;

    /**
     * Its probes of held machines wait until these are free. The others start at once. With early binding, a held machine and one
     * that runs a task look alike.
     */
    @ParameterizedTest
    @EnumSource(Binding.class)
    void sparrow_waitsWhereBothProbesAreHeld_andEndsEveryJob(Binding binding) {
        RunResult result = run(new SparrowSimulation(), HELD, HELD_SECONDS, binding);
        assertThat(result.jobs().ended()).isEqualTo(JOBS);
        assertThat(result.jobs().delay().orElseThrow().p50()).isLessThan(1);
        assertThat(result.jobs().delay().orElseThrow().max()).isBetween(1.0, HELD_SECONDS + 1);
        double late = JOBS * Math.pow(HELD / (double) MACHINES, 2);
        assertThat(result.jobs().delay().orElseThrow().mean()).isBetween(0.5, 1.1 * late * HELD_SECONDS / JOBS);
    }

    /** A reservation on a machine that is held for ever would never be reached. */
    @ParameterizedTest
    @EnumSource(Binding.class)
    void sparrow_probesNoMachineThatIsHeldForEver(Binding binding) {
        RunResult result = run(new SparrowSimulation(), HELD, FOR_EVER, binding);
        assertThat(result.jobs().ended()).isEqualTo(JOBS);
        assertThat(result.jobsNotPlaced()).isZero();
        assertThat(result.jobs().delay().orElseThrow().p50()).isLessThan(1);
    }

    @Test
    void jobsThatFitNowhere_areNotPlaced() {
        for (Architecture architecture : List.of(new SparrowSimulation(), new ApolloSimulation())) {
            RunResult result = run(architecture, MACHINES, FOR_EVER, Binding.LATE);
            assertThat(result.jobsNotPlaced()).isEqualTo(JOBS);
            assertThat(result.jobs().waits()).isEmpty();
        }
    }

    /** It knows which machines are held. */
    @Test
    void apollo_sendsNothingToHeldMachines() {
        RunResult result = run(new ApolloSimulation(), HELD, HELD_SECONDS, Binding.LATE);
        assertThat(result.jobs().ended()).isEqualTo(JOBS);
        assertThat(result.jobs().delay().orElseThrow().max()).isLessThan(1);
    }

    /** Its job managers look again, until a machine says when it will have room. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void apollo_keepsJobsThatFitNowhere_andRunsThemLater() {
        RunResult result = run(new ApolloSimulation(), MACHINES, HELD_SECONDS, Binding.LATE);
        assertThat(result.jobs().ended()).isEqualTo(JOBS);
        assertThat(result.jobs().delay().orElseThrow().max()).isBetween(HELD_SECONDS - JOBS, HELD_SECONDS + 10);
    }

    /** Jobs of one task that runs 10 s, one each second: a tenth of the cell. */
    private static RunResult run(Architecture architecture, int held, double heldSeconds, Binding binding) {
        List<SimulatedJob> jobs = new ArrayList<>();
        for (int number = 0; number < JOBS; number++) {
            jobs.add(new SimulatedJob(
                    Workload.BATCH, number, VirtualTime.nanos(1.0 + number), 1, VirtualTime.nanos(10.0)));
        }
        long endNanos = heldSeconds == FOR_EVER ? VirtualTime.NEVER : VirtualTime.nanos(heldSeconds);
        List<StandingJob> standing = List.of(new StandingJob(held, 1000, 1024, endNanos));
        RunParameters run = RunParameters.of(architecture.label(), ReferenceCell.A)
                .withGeometry(new Geometry(MACHINES, 1000, 1024, 1000, 1024, 0))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withDecentral(DecentralSetUp.DEFAULT.withProbes(2, binding))
                .lasting(0.1, 1);
        List<Trace> traces = List.of(new Trace.Arrivals(jobs), new Trace.Standing(standing));
        return architecture.run(run, RunWork.of(run, traces), RunProgress.UNHEARD);
    }
}
