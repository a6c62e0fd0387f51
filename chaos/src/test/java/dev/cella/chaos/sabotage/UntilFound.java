package dev.cella.chaos.sabotage;

import dev.cella.chaos.ChaosRun;
import dev.cella.chaos.ChaosRun.Checked;
import dev.cella.chaos.ChaosRun.Second;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.scenario.ScenarioFiles;
import dev.cella.chaos.simulated.UpdateWorld;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Runs seeds of a scenario, from 1 on, until one fails. Loaded by the class loader of a sabotaged build. */
public final class UntilFound {
    /** Stands for an {@link UpdateWorld} where a patch names its scenario. */
    private static final String UPDATES = "updates";

    private UntilFound() {}

    /**
     * Answers the number of seeds, the checkers that failed and the first violation, with tabs between; nothing if all seeds
     * held that fit into that many seconds of a processor. A run that ends with an exception fails, too.
     */
    public static String run(String scenario, long secondsMax) {
        long until = cpuNanos() + TimeUnit.SECONDS.toNanos(secondsMax);
        LongFunction<String> world = world(scenario);
        for (int seed = 1; cpuNanos() < until; seed++) {
            String found = run(world, seed);
            if (!found.isEmpty()) {
                return seed + "\t" + found;
            }
        }
        return "";
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static LongFunction<String> world(String scenario) {
        if (scenario.equals(UPDATES)) {
            return seed -> UpdateWorld.problems(seed).stream().findFirst().orElse("");
        }
        ChaosRun chaos = new ChaosRun(ScenarioFiles.shipped(scenario).orElseThrow(), SchedulerTypes.installed());
        return seed -> failed(chaos.run(seed, Second.NONE));
    }

    private static String run(LongFunction<String> world, long seed) {
        try {
            return world.apply(seed);
        } catch (RuntimeException failure) {
            return "the run ends\t" + failure;
        }
    }

    private static String failed(Checked run) {
        List<Verdict> failed =
                run.verdicts().stream().filter(verdict -> !verdict.held()).toList();
        return failed.isEmpty()
                ? ""
                : failed.stream().map(Verdict::checker).collect(Collectors.joining(", ")) + "\t"
                        + failed.get(0).violations().get(0).what();
    }
}
