package dev.cella.chaos.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.scenario.Load;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many cheap seeds over all processors: 49 of 50 run the small swarm, the others the shipped scenarios in turn with few jobs.
 * {@code -Dcella.chaos.small=20000} runs that many, from the seed {@code -Dcella.chaos.seed} on.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ManySeedsTest {
    private static final long FIRST = Long.getLong("cella.chaos.seed", 7);
    private static final int SEEDS = Integer.getInteger("cella.chaos.small", 2_000);
    private static final int ONE_IN = 50;
    private static final int JOBS = 10;
    private static final SchedulerTypes TYPES = SchedulerTypes.installed();

    private final Scenario swarm = ScenarioFiles.shipped("small-swarm").orElseThrow();

    /** Without those that are long, or that the simulated world has no faults for. */
    private final List<Scenario> others = ScenarioFiles.SHIPPED.stream()
            .filter(name -> !List.of("farm", "bad-credentials", "small-swarm").contains(name))
            .map(name -> ScenarioFiles.shipped(name).orElseThrow().withLoad(Load.USUAL.withJobs(JOBS)))
            .toList();

    @BeforeAll
    static void giveWay() throws IOException, InterruptedException {
        Niceness.raise();
    }

    @Test
    void manySeeds_everythingHolds() throws InterruptedException, ExecutionException {
        ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        List<String> failed = new ArrayList<>();
        try {
            for (Future<List<String>> problems : processors.invokeAll(runs())) {
                failed.addAll(problems.get());
            }
        } finally {
            processors.shutdownNow();
        }
        assertThat(failed).isEmpty();
    }

    /** A seed at a time, so that no processor is idle while another has many left. */
    private List<Callable<List<String>>> runs() {
        return LongStream.range(FIRST, FIRST + SEEDS)
                .<Callable<List<String>>>mapToObj(seed -> () -> run(seed))
                .toList();
    }

    private List<String> run(long seed) {
        Checked run = new ChaosRun(scenario(seed), TYPES).run(seed, Second.NONE);
        return run.holds() && run.canarySeen() ? List.of() : problems(run).toList();
    }

    private Scenario scenario(long seed) {
        return seed % ONE_IN == 0 ? others.get((int) (seed / ONE_IN % others.size())) : swarm;
    }

    private static Stream<String> problems(Checked run) {
        String of = run.scenario().name() + " seed " + run.seed() + ": ";
        if (!run.canarySeen()) {
            return Stream.of(of + "the canary is missed");
        }
        return run.verdicts().stream().filter(verdict -> !verdict.held()).map(verdict -> of + describe(verdict));
    }

    private static String describe(Verdict verdict) {
        return verdict.checker() + " " + verdict.violations().get(0);
    }
}
