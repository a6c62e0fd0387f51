package dev.cella.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.InputStats;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Delay scheduling by the live scheduler, against closed forms; the long form is the figures of {@code DelayFigures}. */
class LocalityTest {
    private static final int SEEDS = 5;
    private static final double POINTS = 0.03;
    private static final Experiments EXPERIMENTS =
            new Experiments(List.of(new BatchSchedulerProvider(), new FairSchedulerProvider()));

    /** "Setting W1 as low as 1 second improves locality to 68%" for jobs of 4 maps (5.3). */
    @Test
    void jobsOfFourMapsThatWaitOneSecond_areAsLocalAsTheClosedFormSays() {
        RunParameters run = DelayFigures.probes(4, 1);
        assertThat(locality(run, 0.006)).isCloseTo(LocalityTheory.waiting(run), within(POINTS));
    }

    /** "without delay scheduling, both 4-map jobs and 12-map jobs have poor locality (5% and 11%)" (5.3). */
    @Test
    void jobsThatDoNotWait_areAsLocalAsTheSlotsHappenToBe() {
        RunParameters run = DelayFigures.probes(12, 0);
        assertThat(locality(run, 0.003)).isCloseTo(LocalityTheory.waiting(run), within(POINTS));
    }

    /** "in steady state, jobs never leave their original slots": at most 1 - (1 - f)^(RL) is local (3.3.2). */
    @Test
    void jobsThatShareAlike_stickToTheirSlots_unlessTheyWait() {
        double sticky = LocalityTheory.stickySlots(0.1, 3, 4);
        assertThat(run(DelayFigures.scans(10, 0).lasting(1, 1)).node()).isCloseTo(sticky, within(0.05));
        InputStats waiting = run(DelayFigures.scans(10, 10).lasting(1, 1));
        assertThat(waiting.node()).isGreaterThan(0.99);
        assertThat(waiting.finishedSeconds()).isPresent();
    }

    /** "Using static partitioning yields very low data locality (18%)" (dissertation, 5.5.3). */
    @Test
    void instancesInPartsOfTheirOwn_findFewOfTheirBlocksThere() {
        RunParameters run = DelayFigures.instances("partitioned", 0).lasting(1, 1);
        assertThat(run(run).node()).isCloseTo(LocalityTheory.partition(1.0 / 16, 3), within(POINTS));
    }

    @Test
    void theory_givesThePapersOwnExample() {
        assertThat(LocalityTheory.atLeast(23, 20, 3, 100)).isCloseTo(0.95, within(0.005));
        assertThat(LocalityTheory.stickySlots(1.0 / 30, 3, 4)).isLessThan(0.5);
    }

    /** Over five seeds. */
    private static double locality(RunParameters run, double days) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> run(run.lasting(days, seed)).node())
                .average()
                .orElseThrow();
    }

    private static InputStats run(RunParameters asked) {
        Architecture architecture = EXPERIMENTS.architecture(asked);
        RunParameters parameters = architecture.adopt(asked);
        return architecture
                .run(parameters, RunWork.of(parameters, List.of()), RunProgress.UNHEARD)
                .inputs()
                .orElseThrow();
    }
}
