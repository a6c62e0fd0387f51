package dev.cella.cli.demo;

import dev.cella.agent.machine.MachineCapacity;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ConflictRule;
import dev.cella.scheduling.loop.DecisionTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** The script of the demo: the machines, the schedulers, the amount of work, and the failure. */
final class DemoScript {
    static final int MACHINES = 200;
    static final MachineCapacity CAPACITY = new MachineCapacity(4_000, 16_384, 102_400);

    /** Half a core each: eight fill a machine. */
    static final long TASK_CPU_MILLI = 500;

    static final long TASK_MEMORY_MIB = 512;
    static final int TASKS_BEFORE = MACHINES * 8 / 2;
    static final Duration TASK_RUNTIME_MEAN = Duration.ofSeconds(8);

    static final Duration LENGTH = Duration.ofSeconds(30);
    static final Duration LINE_EVERY = Duration.ofSeconds(5);

    static final String LOST_MACHINE = machineName(42);
    static final Duration LOST_AFTER = Duration.ofSeconds(16);

    /** The lost machine's lease is so short that its silence is noticed while somebody watches. */
    static final Duration LOST_LEASE = Duration.ofSeconds(1);

    /** The scheduler with the longest decision time, which therefore loses most. */
    static final String SLOWEST = "web";

    /** The scheduler name of the prefilled half. No instance plans for it. */
    static final String BEFORE = "before";

    private static final double BATCH_JOBS_A_SECOND = 4;
    private static final double WEB_JOBS_A_SECOND = 0.5;
    private static final double BATCH_TASKS_MEAN = 8;
    private static final double WEB_TASKS_MEAN = 12;
    private static final DecisionTime QUICK = DecisionTime.ofSeconds(0.05, 0.005);
    private static final DecisionTime SLOW = DecisionTime.ofSeconds(1, 0.005);

    /**
     * One of the schedulers and its work.
     *
     * @param options of its type: the service scheduler takes the first machine that it draws, because one that looks for the
     *     emptiest of several meets the others less often
     * @param thinks the injected decision time, because without it these planners are too fast to collide
     */
    record Planner(
            String name,
            String kind,
            Map<String, String> options,
            Atomicity atomicity,
            ConflictRule conflictRule,
            DecisionTime thinks,
            double jobsASecond,
            double tasksMean) {}

    static final List<Planner> PLANNERS = List.of(
            new Planner(
                    "batch-a",
                    "batch",
                    Map.of(),
                    Atomicity.ATOMICITY_INCREMENTAL,
                    ConflictRule.CONFLICT_RULE_RESOURCE,
                    QUICK,
                    BATCH_JOBS_A_SECOND,
                    BATCH_TASKS_MEAN),
            new Planner(
                    "batch-b",
                    "batch",
                    Map.of(),
                    Atomicity.ATOMICITY_ALL_OR_NOTHING,
                    ConflictRule.CONFLICT_RULE_MACHINE,
                    QUICK,
                    BATCH_JOBS_A_SECOND,
                    BATCH_TASKS_MEAN),
            new Planner(
                    SLOWEST,
                    "service",
                    Map.of("draws", "1"),
                    Atomicity.ATOMICITY_INCREMENTAL,
                    ConflictRule.CONFLICT_RULE_RESOURCE,
                    SLOW,
                    WEB_JOBS_A_SECOND,
                    WEB_TASKS_MEAN));

    private DemoScript() {}

    /** All machines but the one that is lost. */
    static List<String> lastingMachines() {
        return IntStream.rangeClosed(1, MACHINES)
                .mapToObj(DemoScript::machineName)
                .filter(name -> !name.equals(LOST_MACHINE))
                .toList();
    }

    private static String machineName(int number) {
        return String.format(Locale.ROOT, "m-%03d", number);
    }
}
