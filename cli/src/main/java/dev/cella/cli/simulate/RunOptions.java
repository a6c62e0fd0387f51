package dev.cella.cli.simulate;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.json.NearestName;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.AttemptLimits;
import dev.cella.simulator.engine.DecisionTime;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.ImpossibleParameterException;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.experiment.Experiments;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Every parameter of a run as a flag. What is not said is the dissertation's: the means and the machines of the cell, and
 * of everything else what {@link RunParameters#of} has.
 */
final class RunOptions {
    private static final double MILLI = 1000;
    private static final double MIB_PER_GIB = 1024;

    @Option(
            names = "--architecture",
            paramLabel = "NAME",
            defaultValue = "replicated",
            description = "one of those that cella simulate list shows (default: ${DEFAULT-VALUE})")
    private String architecture = "replicated";

    @Option(
            names = "--cell",
            paramLabel = "A|B|C",
            defaultValue = "A",
            description = "the cell of Table 3.1 whose work arrives (default: ${DEFAULT-VALUE})")
    private String cell = "A";

    @Option(names = "--machines", paramLabel = "N", description = "default: 10000, of cell B 30000")
    private @Nullable Integer machines;

    @Option(
            names = "--machine-cores",
            paramLabel = "CORES",
            defaultValue = "4",
            description = "of each machine (default: ${DEFAULT-VALUE})")
    private double machineCores = 4;

    @Option(
            names = "--machine-memory-gib",
            paramLabel = "GIB",
            defaultValue = "16",
            description = "of each machine (default: ${DEFAULT-VALUE})")
    private double machineMemoryGib = 16;

    @Option(
            names = "--task-cores",
            paramLabel = "CORES",
            defaultValue = "1.1",
            description = "of each task (default: ${DEFAULT-VALUE})")
    private double taskCores = 1.1;

    @Option(
            names = "--task-memory-gib",
            paramLabel = "GIB",
            defaultValue = "1.5",
            description = "of each task (default: ${DEFAULT-VALUE})")
    private double taskMemoryGib = 1.5;

    @Option(
            names = "--prefill",
            paramLabel = "PART",
            defaultValue = "0.6",
            description = "of the cores, held by everlasting tasks (default: ${DEFAULT-VALUE})")
    private double prefill = 0.6;

    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description =
                    "a trace in the place of the exponential work: .tr or SWIM; a Google cell state in the place of"
                            + " the prefill; may be given again")
    private List<String> traces = List.of();

    @Option(names = "--batch-rate", paramLabel = "JOBS", description = "batch jobs a second (default: the cell's)")
    private @Nullable Double batchRate;

    @Option(names = "--service-rate", paramLabel = "JOBS", description = "service jobs a second (default: the cell's)")
    private @Nullable Double serviceRate;

    @Option(names = "--batch-tasks", paramLabel = "MEAN", description = "tasks a batch job (default: the cell's)")
    private @Nullable Double batchTasks;

    @Option(names = "--service-tasks", paramLabel = "MEAN", description = "tasks a service job (default: the cell's)")
    private @Nullable Double serviceTasks;

    @Option(
            names = "--batch-duration",
            paramLabel = "SECONDS",
            description = "of a batch task, on average (default: the cell's)")
    private @Nullable Double batchSeconds;

    @Option(
            names = "--service-duration",
            paramLabel = "SECONDS",
            description = "of a service task, on average (default: the cell's)")
    private @Nullable Double serviceSeconds;

    @Option(
            names = "--batch-decision-time",
            paramLabel = "TIME",
            description = "how long a batch job is thought about (default: 0.1s+5ms*tasks)")
    private @Nullable String batchDecisionTime;

    @Option(
            names = "--service-decision-time",
            paramLabel = "TIME",
            description = "how long a service job is thought about, and every job of the architecture monolithic"
                    + " (default: 0.1s+5ms*tasks)")
    private @Nullable String serviceDecisionTime;

    @Option(
            names = "--batch-schedulers",
            paramLabel = "N",
            defaultValue = "1",
            description = "that share the batch jobs (default: ${DEFAULT-VALUE})")
    private int batchSchedulers = 1;

    @Option(
            names = "--service-schedulers",
            paramLabel = "N",
            defaultValue = "1",
            description = "that share the service jobs (default: ${DEFAULT-VALUE})")
    private int serviceSchedulers = 1;

    @Option(
            names = "--batch-scheduler-type",
            paramLabel = "TYPE",
            defaultValue = "batch",
            description = "of the batch schedulers (default: ${DEFAULT-VALUE})")
    private String batchSchedulerType = "batch";

    @Option(
            names = "--service-scheduler-type",
            paramLabel = "TYPE",
            defaultValue = "batch",
            description = "of the service schedulers (default: ${DEFAULT-VALUE})")
    private String serviceSchedulerType = "batch";

    @Option(names = "--batch-option", paramLabel = "NAME=VALUE", description = "an option of the batch scheduler type")
    private Map<String, String> batchOptions = Map.of();

    @Option(
            names = "--service-option",
            paramLabel = "NAME=VALUE",
            description = "an option of the service scheduler type")
    private Map<String, String> serviceOptions = Map.of();

    @Option(names = "--plugin", paramLabel = "JAR", description = "a scheduler type of your own; may be given again")
    private List<String> plugins = List.of();

    @Option(
            names = "--atomicity",
            paramLabel = "WORD",
            defaultValue = "incremental",
            description = "incremental or all-or-nothing (default: ${DEFAULT-VALUE})")
    private String atomicity = "incremental";

    @Option(
            names = "--conflict-rule",
            paramLabel = "WORD",
            defaultValue = "resource",
            description = "resource or machine (default: ${DEFAULT-VALUE})")
    private String conflictRule = "resource";

    @Option(
            names = "--retry",
            paramLabel = "WORD",
            description = "behind-others: a job that was not placed whole is tried again after those that wait;"
                    + " keeps-place: first come, first served, as in the live system (default: behind-others, but"
                    + " keeps-place where a decision takes no time)")
    private @Nullable String retry;

    @Option(
            names = "--attempts-without-progress-max",
            paramLabel = "N",
            defaultValue = "100",
            description = "then a job is abandoned (default: ${DEFAULT-VALUE})")
    private int attemptsWithoutProgressMax = 100;

    @Option(
            names = "--attempts-max",
            paramLabel = "N",
            defaultValue = "1000",
            description = "then a job is abandoned (default: ${DEFAULT-VALUE})")
    private int attemptsMax = 1000;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            defaultValue = "7",
            description = "of virtual time (default: ${DEFAULT-VALUE})")
    private double days = 7;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "the same seed gives the same result (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    List<String> traces() {
        return traces;
    }

    List<String> plugins() {
        return plugins;
    }

    /** Whether the user gave the two workloads different decision times. */
    boolean saysTwoDecisionTimes() {
        return batchDecisionTime != null
                && serviceDecisionTime != null
                && !DecisionTime.parse(batchDecisionTime).equals(DecisionTime.parse(serviceDecisionTime));
    }

    /** The run as asked for, whose words are all known and whose parameters are all possible. */
    RunParameters parameters(Experiments experiments, List<SchedulerProvider> types) {
        try {
            return build(experiments, types);
        } catch (ImpossibleParameterException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), impossible.hint());
        } catch (IllegalArgumentException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), "see cella simulate run --help");
        }
    }

    /** The run, of another length and seed. */
    static RunParameters possible(RunParameters parameters, double days, long seed) {
        try {
            return parameters.lasting(days, seed);
        } catch (ImpossibleParameterException impossible) {
            throw CommandFailure.usage(String.valueOf(impossible.getMessage()), impossible.hint());
        }
    }

    private RunParameters build(Experiments experiments, List<SchedulerProvider> types) {
        String known = known(
                "architecture",
                architecture,
                experiments.architectures().stream().map(Architecture::label));
        ReferenceCell reference = word("cell", cell, ReferenceCell.values());
        DecisionTime ofBatch = decisionTime(batchDecisionTime, serviceDecisionTime, known);
        DecisionTime ofService = decisionTime(serviceDecisionTime, batchDecisionTime, known);
        return new RunParameters(
                known,
                reference,
                geometry(reference),
                means(reference.means(Workload.BATCH), batchRate, batchTasks, batchSeconds),
                means(reference.means(Workload.SERVICE), serviceRate, serviceTasks, serviceSeconds),
                ofBatch,
                ofService,
                schedulers(batchSchedulers, batchSchedulerType, batchOptions, types),
                schedulers(serviceSchedulers, serviceSchedulerType, serviceOptions, types),
                word("atomicity", atomicity, Atomicity.values()),
                word("conflict rule", conflictRule, ConflictRule.values()),
                Optional.ofNullable(retry).map(typed -> word("retry order", typed, RetryOrder.values())),
                new AttemptLimits(attemptsWithoutProgressMax, attemptsMax),
                days,
                seed);
    }

    /** One path of code has one decision time, whichever of the two was said. */
    private static DecisionTime decisionTime(@Nullable String own, @Nullable String other, String architecture) {
        String said = own == null && architecture.equals("monolithic") ? other : own;
        return said == null ? RunParameters.DECISION_TIME : DecisionTime.parse(said);
    }

    private Geometry geometry(ReferenceCell reference) {
        return new Geometry(
                machines == null ? reference.machines() : machines,
                whole(machineCores * MILLI),
                whole(machineMemoryGib * MIB_PER_GIB),
                whole(taskCores * MILLI),
                whole(taskMemoryGib * MIB_PER_GIB),
                prefill);
    }

    private static long whole(double amount) {
        return Math.round(amount);
    }

    private static JobMeans means(
            JobMeans reference, @Nullable Double rate, @Nullable Double tasks, @Nullable Double seconds) {
        return new JobMeans(
                rate == null ? reference.jobsPerSecond() : rate,
                tasks == null ? reference.tasksPerJob() : tasks,
                seconds == null ? reference.taskSeconds() : seconds);
    }

    private static SchedulerChoice schedulers(
            int count, String type, Map<String, String> options, List<SchedulerProvider> types) {
        known("scheduler type", type, types.stream().map(SchedulerProvider::type));
        SchedulerProvider provider = types.stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
        for (String option : options.keySet()) {
            known("option of " + type, option, provider.options().stream().map(SchedulerOption::name));
        }
        return new SchedulerChoice(count, type, new TreeMap<>(options));
    }

    private static <E extends Enum<E>> E word(String what, String typed, E[] values) {
        String name = typed.toUpperCase(Locale.ROOT).replace('-', '_');
        return Stream.of(values)
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(what, typed, Stream.of(values).map(RunOptions::written)));
    }

    private static String written(Enum<?> value) {
        return value instanceof ReferenceCell
                ? value.name()
                : value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String known(String what, String typed, Stream<String> names) {
        List<String> all = names.toList();
        if (!all.contains(typed)) {
            throw unknown(what, typed, all.stream());
        }
        return typed;
    }

    static CommandFailure unknown(String what, String typed, Stream<String> names) {
        List<String> all = names.toList();
        return CommandFailure.usage(
                "there is no " + what + " '" + typed + "'",
                NearestName.to(typed, all)
                        .map(name -> "did you mean " + name + "?")
                        .orElse(all.isEmpty() ? "it has none" : "one of " + String.join(", ", all)));
    }
}
