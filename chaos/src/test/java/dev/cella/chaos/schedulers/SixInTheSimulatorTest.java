package dev.cella.chaos.schedulers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunWork;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.replicated.Replicated;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of the six runs in the simulator as it is, and so does a scheduler with several plans under way. */
class SixInTheSimulatorTest {
    private static final String TYPE = "mine";

    private record Provider(Supplier<Scheduler<?>> schedulers) implements SchedulerProvider {
        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public List<SchedulerOption> options() {
            return List.of();
        }

        @Override
        public Scheduler<?> create(SchedulerOptions options) {
            return schedulers.get();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.cella.chaos.schedulers.Six#schedulers")
    void places(Supplier<Scheduler<?>> schedulers) {
        SchedulerRow row = run(schedulers);
        assertThat(row.jobsFullyScheduled()).isGreaterThan(row.jobsSubmitted() / 3);
    }

    @Test
    void severalPlansUnderWay_doMoreThanOne() {
        SchedulerRow one = run(() -> new Thinker(1, Duration.ofSeconds(1), () -> {}));
        SchedulerRow four = run(() -> new Thinker(4, Duration.ofSeconds(1), () -> {}));
        assertThat(four.meanWaitFirstAttemptSeconds().orElseThrow())
                .isLessThan(one.meanWaitFirstAttemptSeconds().orElseThrow());
    }

    /** Both workloads have a scheduler of the type. Returns the row of the batch jobs. */
    private static SchedulerRow run(Supplier<Scheduler<?>> schedulers) {
        SchedulerChoice choice = new SchedulerChoice(1, TYPE, new TreeMap<>());
        RunParameters parameters = RunParameters.of("replicated", ReferenceCell.A)
                .withGeometry(Geometry.ofMachines(2_000))
                .withBatch(setUp -> setUp.withSchedulers(choice))
                .withService(setUp -> setUp.withSchedulers(choice))
                .lasting(0.01, 1);
        return new Replicated(List.of(new Provider(schedulers)))
                .run(parameters, RunWork.of(parameters, List.of()), RunProgress.UNHEARD)
                .row(Workload.BATCH);
    }
}
