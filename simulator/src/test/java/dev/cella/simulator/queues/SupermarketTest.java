package dev.cella.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.simulator.engine.DecentralSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Binding;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Trace;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Single tasks on machines of one slot that join the shortest of d queues: the supermarket model, whose mean response is
 * the sum over i of rho^((d^i - d)/(d - 1)) service times.
 */
class SupermarketTest {
    private static final int MACHINES = 500;

    @ParameterizedTest
    @CsvSource({
        "0.5,1,400000",
        "0.9,1,2400000",
        "0.5,2,200000",
        "0.7,2,200000",
        "0.9,2,400000",
        "0.5,4,200000",
        "0.9,4,400000"
    })
    void shortestOfDQueues_respondsAsTheSupermarketModel(double rho, int d, int jobs) {
        RunResult result = run(rho, d, jobs, Binding.EARLY);
        double response = 1 + result.jobs().delay().orElseThrow().mean();
        assertThat(response).isCloseTo(formula(rho, d), within(0.03 * formula(rho, d)));
    }

    /** A single queue at rho 0.9 needs many more jobs: {@code -Dcella.long=true}. */
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "cella.long", matches = "true")
    @CsvSource({
        "0.6,1,1000000",
        "0.7,1,1000000",
        "0.8,1,2000000",
        "0.9,1,4000000",
        "0.6,2,400000",
        "0.8,2,400000",
        "0.7,4,400000",
        "0.8,4,400000"
    })
    void manyJobs_respondAsTheSupermarketModel(double rho, int d, int jobs) {
        shortestOfDQueues_respondsAsTheSupermarketModel(rho, d, jobs);
    }

    /** A machine that has room is never wrong about its queue; the length of a queue can be. */
    @ParameterizedTest
    @CsvSource({"0.9,2"})
    void lateBinding_waitsLessThanTheShortestQueue(double rho, int d) {
        double late =
                run(rho, d, 100_000, Binding.LATE).jobs().delay().orElseThrow().mean();
        double early =
                run(rho, d, 100_000, Binding.EARLY).jobs().delay().orElseThrow().mean();
        assertThat(late).isLessThan(0.9 * early);
    }

    private static double formula(double rho, int d) {
        if (d == 1) {
            return 1 / (1 - rho);
        }
        double sum = 0;
        for (int i = 1; i < 40; i++) {
            sum += Math.pow(rho, (Math.pow(d, i) - d) / (d - 1));
        }
        return sum;
    }

    private static RunResult run(double rho, int d, int jobs, Binding binding) {
        RunParameters run = RunParameters.of("sparrow", ReferenceCell.A)
                .withGeometry(new Geometry(MACHINES, 1000, 1024, 1000, 1024, 0))
                .withDecisionTimes(DecisionTime.NONE, DecisionTime.NONE)
                .withDecentral(DecentralSetUp.DEFAULT.withProbes(d, binding).withTimes(0, 0))
                .lasting(1, 1);
        return new SparrowSimulation()
                .run(run, RunWork.of(run, List.of(new Trace.Arrivals(poisson(rho, jobs)))), RunProgress.UNHEARD);
    }

    private static List<SimulatedJob> poisson(double rho, int jobs) {
        Random random = new Random(1);
        List<SimulatedJob> made = new ArrayList<>(jobs);
        double seconds = 0;
        for (int job = 0; job < jobs; job++) {
            seconds += exponential(random) / (rho * MACHINES);
            made.add(new SimulatedJob(
                    Workload.BATCH, job, VirtualTime.nanos(seconds), 1, VirtualTime.nanos(exponential(random))));
        }
        return made;
    }

    private static double exponential(Random random) {
        return -Math.log(1 - random.nextDouble());
    }
}
