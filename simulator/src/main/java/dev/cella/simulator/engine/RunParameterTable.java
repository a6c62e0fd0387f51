package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.DecentralSetUp.Binding;
import dev.cella.simulator.engine.DecentralSetUp.Variant;
import dev.cella.simulator.engine.RunParameter.Times;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of all parameters of a run: the flags, their help and the result's list come from here. */
public final class RunParameterTable {
    /** The flag that names the architecture. */
    public static final String ARCHITECTURE = "architecture";

    /** The run with all defaults. */
    static final RunParameters UNTOLD = RunParameters.of("replicated", ReferenceCell.A);

    private static final String OF_THE_CELL = "the cell's";

    private static final Set<String> ALL = Set.of();
    private static final Set<String> MEGHA = Set.of("megha");
    private static final Set<String> SPARROW = Set.of("sparrow");
    private static final Set<String> APOLLO = Set.of("apollo");
    private static final Set<String> PARTITIONED = Set.of("partitioned");

    /** Those that run the schedulers of the live system. */
    private static final Set<String> ON_LOOPS = Set.of("replicated", "partitioned", "fair", "offers-live");

    /** Those that try a job again after others. */
    private static final Set<String> RETRYING =
            Set.of("monolithic", "monolithic-multipath", "offers", "replicated", "partitioned", "fair");

    private final List<RunParameter> rows = new ArrayList<>();

    /** The architectures that use the next rows. */
    private Set<String> users = ALL;

    private RunParameterTable() {}

    /** In the order of the help and the result. */
    public static List<RunParameter> all() {
        RunParameterTable table = new RunParameterTable();
        table.putCell();
        table.putSlots();
        for (Workload workload : Workload.values()) {
            table.putWorkload(workload);
        }
        table.putTransactions();
        table.putInput();
        table.putDecentral();
        table.putRun();
        return List.copyOf(table.rows);
    }

    private void putCell() {
        put(
                ARCHITECTURE,
                "NAME",
                "architecture",
                "one of those that cella simulate list shows",
                (draft, said) -> draft.architecture = said,
                RunParameters::architecture);
        put(
                "cell",
                "A|B|C",
                "cell",
                "the cell of Table 3.1 whose work arrives",
                (draft, said) -> draft.cell = word("cell", said, ReferenceCell.values()),
                run -> run.cell().name());
        put(
                "machines",
                "N",
                "machines",
                "10000, of cell B 30000",
                "the number of machines",
                (draft, said) -> draft.machines = Integer.valueOf(said),
                run -> run.geometry().machines());
        put(
                "machine-cores",
                "CORES",
                "machineCores",
                "the cores of each machine",
                (draft, said) -> draft.machineCores = Double.parseDouble(said),
                run -> run.geometry().machineCpuMilli() / RunDraft.MILLI);
        put(
                "machine-memory-gib",
                "GIB",
                "machineMemoryGib",
                "the memory of each machine",
                (draft, said) -> draft.machineMemoryGib = Double.parseDouble(said),
                run -> run.geometry().machineMemoryMib() / RunDraft.MIB_PER_GIB);
        put(
                "task-cores",
                "CORES",
                "taskCores",
                "the cores that each task takes",
                (draft, said) -> draft.taskCores = Double.parseDouble(said),
                run -> run.geometry().taskCpuMilli() / RunDraft.MILLI);
        put(
                "task-memory-gib",
                "GIB",
                "taskMemoryGib",
                "the memory that each task takes",
                (draft, said) -> draft.taskMemoryGib = Double.parseDouble(said),
                run -> run.geometry().taskMemoryMib() / RunDraft.MIB_PER_GIB);
        put(
                "prefill",
                "PART",
                "prefill",
                UNTOLD.geometry().prefill() + ", with --slots-per-machine 0",
                "the fraction of the cores that everlasting tasks hold",
                (draft, said) -> draft.prefill = Double.parseDouble(said),
                run -> run.geometry().prefill());
    }

    private void putSlots() {
        put(
                "slots-per-machine",
                "N",
                "slotsPerMachine",
                "as --task-cores and --task-memory-gib say",
                "how many tasks a machine holds; each takes an equal part of it",
                (draft, said) -> draft.slotsPerMachine = Integer.valueOf(said),
                run -> run.geometry().slots() / run.geometry().machines());
    }

    private void putWorkload(Workload workload) {
        String word = workload.word();
        put(
                word + "-rate",
                "JOBS",
                word + "JobsPerSecond",
                OF_THE_CELL,
                word + " jobs a second",
                (draft, said) -> draft.of(workload).jobsPerSecond = Double.valueOf(said),
                run -> run.setUp(workload).means().jobsPerSecond());
        put(
                word + "-tasks",
                "MEAN",
                word + "TasksPerJob",
                OF_THE_CELL,
                "the mean number of tasks of a " + word + " job",
                (draft, said) -> draft.of(workload).tasksPerJob = Double.valueOf(said),
                run -> run.setUp(workload).means().tasksPerJob());
        put(
                word + "-duration",
                "SECONDS",
                word + "TaskSeconds",
                OF_THE_CELL,
                "the mean run time of a " + word + " task",
                (draft, said) -> draft.of(workload).taskSeconds = Double.valueOf(said),
                run -> run.setUp(workload).means().taskSeconds());
        put(
                word + "-decision-time",
                "TIME",
                word + "DecisionTime",
                "how long a " + word
                        + " job is thought about; the architecture monolithic has one for all jobs, the service jobs'",
                (draft, said) -> draft.of(workload).decisionTime = DecisionTime.parse(said),
                run -> run.setUp(workload).decisionTime().toString());
        users = ON_LOOPS;
        put(
                word + "-schedulers",
                "N",
                word + "Schedulers",
                "how many schedulers share the " + word + " jobs",
                (draft, said) -> draft.of(workload).schedulers = Integer.parseInt(said),
                run -> run.setUp(workload).schedulers().count());
        put(
                word + "-scheduler-type",
                "TYPE",
                word + "SchedulerType",
                "the type of the " + word + " schedulers",
                (draft, said) -> draft.of(workload).schedulerType = said,
                run -> run.setUp(workload).schedulers().type());
        rows.add(new RunParameter(
                word + "-option",
                "NAME=VALUE",
                word + "SchedulerOptions",
                "the type's",
                "an option of the " + word + " scheduler type; may be given again",
                Times.OFTEN,
                users,
                (draft, said) -> putOption(draft, workload, said),
                run -> run.setUp(workload).schedulers().options()));
        users = ALL;
    }

    private static void putOption(RunDraft draft, Workload workload, String said) {
        int equals = said.indexOf('=');
        if (equals < 1) {
            throw new ImpossibleParameterException(
                    "an option must have the form NAME=VALUE, not '" + said + "'",
                    "--" + workload.word() + "-option NAME=VALUE");
        }
        draft.of(workload).schedulerOptions.put(said.substring(0, equals), said.substring(equals + 1));
    }

    private void putTransactions() {
        users = ON_LOOPS;
        put(
                "atomicity",
                "WORD",
                "atomicity",
                "incremental or all-or-nothing",
                (draft, said) -> draft.atomicity = word("atomicity", said, Atomicity.values()),
                run -> run.modes().atomicity().name());
        put(
                "conflict-rule",
                "WORD",
                "conflictRule",
                "resource or machine",
                (draft, said) -> draft.conflictRule = word("conflict rule", said, ConflictRule.values()),
                run -> run.modes().conflictRule().name());
        users = RETRYING;
        put(
                "retry",
                "WORD",
                "retry",
                "behind-others, but keeps-place where a decision takes no time",
                "behind-others: a job that was not placed whole is tried again after those that wait; keeps-place: first"
                        + " come, first served, as in the live system",
                (draft, said) -> draft.retry = Optional.of(word("retry order", said, RetryOrder.values())),
                run -> run.retryOrder().name());
        put(
                "attempts-without-progress-max",
                "N",
                "attemptsWithoutProgressMax",
                "after this many attempts that placed nothing a job is abandoned",
                (draft, said) -> draft.attemptsWithoutProgressMax = Integer.parseInt(said),
                run -> run.retry().limits().withoutProgressMax());
        put(
                "attempts-max",
                "N",
                "attemptsMax",
                "after this many attempts a job is abandoned",
                (draft, said) -> draft.attemptsMax = Integer.parseInt(said),
                run -> run.retry().limits().max());
    }

    private void putInput() {
        users = PARTITIONED;
        put(
                "partition",
                "batch=PART",
                "partition",
                "batch=" + UNTOLD.batchPart(),
                "the fraction of the machines for the batch schedulers in the architecture partitioned; the rest is for the"
                        + " service schedulers",
                (draft, said) -> draft.batchPart = part(said),
                run -> "batch=" + run.batchPart());
        users = ALL;
        put(
                "batch-jobs",
                "KIND",
                "batchJobs",
                "exponential; scans: --jobs at once, which read one file; probes: jobs of --batch-tasks beside others"
                        + " that keep the cell full; facebook: --jobs with the sizes of Table 2 of Delay Scheduling",
                (draft, said) -> draft.jobKind = word("kind of jobs", said, JobKind.values()),
                run -> run.input().jobs().name());
        put(
                "jobs",
                "N",
                "jobs",
                "how many, of the kinds scans and facebook",
                (draft, said) -> draft.jobs = Integer.parseInt(said),
                run -> run.input().count());
        users = ON_LOOPS;
        put(
                "racks",
                "N",
                "racks",
                "that the machines are in",
                (draft, said) -> draft.racks = Integer.parseInt(said),
                run -> run.input().racks());
        put(
                "replicas",
                "N",
                "replicas",
                "0, of the architecture fair 3",
                "on how many machines the block is that a batch task reads; 0: it reads nothing",
                (draft, said) -> draft.replicas = OptionalInt.of(Integer.parseInt(said)),
                run -> run.input().replicas());
        put(
                "wait-machine",
                "TIME",
                "waitMachine",
                "5s",
                "how long a job waits for a machine with a block of it (W1); schedulers of type fair do",
                (draft, said) -> draft.waitMachineMillis = millis("wait-machine", said),
                run -> run.input().waitMachineMillis() + "ms");
        put(
                "wait-rack",
                "TIME",
                "waitRack",
                "10s",
                "how long it waits after that for a machine in a rack with one (W2)",
                (draft, said) -> draft.waitRackMillis = millis("wait-rack", said),
                run -> run.input().waitRackMillis() + "ms");
        put(
                "remote-factor",
                "TIMES",
                "remoteFactor",
                "how much longer a task runs that is not on a machine with its block",
                (draft, said) -> draft.remoteFactor = Double.parseDouble(said),
                run -> run.input().remoteFactor());
    }

    private void putDecentral() {
        users = MEGHA;
        put(
                "global-masters",
                "N",
                "globalMasters",
                "schedulers of the architecture megha, with a view of all workers",
                (draft, said) -> draft.globalMasters = Integer.parseInt(said),
                run -> run.decentral().megha().globalMasters());
        put(
                "local-masters",
                "N",
                "localMasters",
                "clusters of the architecture megha, each with a master that verifies placements",
                (draft, said) -> draft.localMasters = Integer.parseInt(said),
                run -> run.decentral().megha().localMasters());
        users = Set.of("megha", "apollo");
        put(
                "heartbeat",
                "TIME",
                "heartbeat",
                "10s, of megha's public variant 30s, of apollo 1s",
                "between the reports of a local master or machine",
                (draft, said) -> draft.heartbeatNanos = OptionalLong.of(nanos("heartbeat", said)),
                run -> shown(run.decentral().saidHeartbeatNanos()));
        users = MEGHA;
        put(
                "variant",
                "WORD",
                "variant",
                "megha as in its paper, or as in the simulator of its authors: paper, public, or original",
                (draft, said) -> draft.variant = word("variant", said, Variant.values()),
                run -> run.decentral().megha().variant().name());
        put(
                "shares",
                "PERCENT,...",
                "shares",
                "the shares of megha's users, who submit jobs in turns",
                (draft, said) -> draft.shares =
                        Stream.of(said.split(",")).map(Double::valueOf).toList(),
                run -> run.decentral().megha().shares().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")));
        put(
                "worker-time",
                "TIME",
                "workerTime",
                "how long a master of megha works on each worker of a state that it sends or gets",
                (draft, said) -> draft.workerNanos = nanos("worker-time", said),
                run -> run.decentral().megha().workerNanos() + "ns");
        users = SPARROW;
        put(
                "probes",
                "N",
                "probesPerTask",
                "machines that the architecture sparrow asks, for each task",
                (draft, said) -> draft.probes = Double.parseDouble(said),
                run -> run.decentral().sparrow().probes());
        put(
                "binding",
                "WORD",
                "binding",
                "when a task of sparrow gets its machine: late, when a machine has room; or early, when the probed machines have said how long their"
                        + " queues are",
                (draft, said) -> draft.binding = word("binding", said, Binding.values()),
                run -> run.decentral().sparrow().binding().name());
        users = Set.of("apollo", "sparrow", "megha");
        put(
                "hop",
                "TIME",
                "hop",
                "0.5ms",
                "how long a message takes in the architectures apollo, sparrow and megha",
                (draft, said) -> draft.hopNanos = nanos("hop", said),
                run -> run.decentral().hopNanos() + "ns");
        users = APOLLO;
        put(
                "tokens",
                "N",
                "tokens",
                "tasks of a job that the architecture apollo queues and runs as regular work at a time; others run as spare work, which ends"
                        + " first; 0: any number",
                (draft, said) -> draft.tokens = Integer.parseInt(said),
                run -> run.decentral().apollo().tokens());
        put(
                "spare-per-token",
                "TIMES",
                "sparePerToken",
                "how many tasks more of a job of apollo are spare work, for each of its tokens",
                (draft, said) -> draft.sparePerToken = Double.parseDouble(said),
                run -> run.decentral().apollo().sparePerToken());
    }

    private static double part(String said) {
        String batch = Workload.BATCH.word() + "=";
        if (!said.startsWith(batch)) {
            throw new ImpossibleParameterException(
                    "write a partition as batch=PART, not '" + said + "'", "--partition batch=0.5");
        }
        return Double.parseDouble(said.substring(batch.length()));
    }

    /** Whole milliseconds as such. */
    private static String shown(OptionalLong heartbeatNanos) {
        if (heartbeatNanos.isEmpty()) {
            return "the architecture's";
        }
        long nanos = heartbeatNanos.getAsLong();
        return nanos % VirtualTime.NANOS_PER_MILLI == 0 ? nanos / VirtualTime.NANOS_PER_MILLI + "ms" : nanos + "ns";
    }

    private static long millis(String flag, String said) {
        long nanos = nanos(flag, said);
        if (nanos % VirtualTime.NANOS_PER_MILLI != 0) {
            throw new ImpossibleParameterException(
                    "--" + flag + " takes whole milliseconds, not '" + said + "'", "--" + flag + " 5s");
        }
        return nanos / VirtualTime.NANOS_PER_MILLI;
    }

    /** A decision time without a part for each task. */
    private static long nanos(String flag, String said) {
        Optional<DecisionTime> time = time(said).filter(each -> each.perTaskNanos() == 0);
        return time.orElseThrow(() -> new ImpossibleParameterException(
                        "--" + flag + " takes a time such as 5s or 250ms, not '" + said + "'", "--" + flag + " 5s"))
                .perJobNanos();
    }

    private static Optional<DecisionTime> time(String said) {
        try {
            return Optional.of(DecisionTime.parse(said));
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }

    private void putRun() {
        users = ALL;
        put(
                "days",
                "DAYS",
                "days",
                "how much virtual time the run covers",
                (draft, said) -> draft.days = Double.parseDouble(said),
                RunParameters::days);
        put(
                "seed",
                "N",
                "seed",
                "the same seed gives the same result",
                (draft, said) -> draft.seed = Long.parseLong(said),
                RunParameters::seed);
    }

    /** Adds a parameter whose default is its value in the run with all defaults. */
    private void put(
            String flag,
            String value,
            String field,
            String description,
            BiConsumer<RunDraft, String> read,
            Function<RunParameters, Object> shown) {
        put(flag, value, field, fallback(shown.apply(UNTOLD)), description, read, shown);
    }

    private void put(
            String flag,
            String value,
            String field,
            String fallback,
            String description,
            BiConsumer<RunDraft, String> read,
            Function<RunParameters, Object> shown) {
        rows.add(new RunParameter(flag, value, field, fallback, description, Times.ONCE, users, read, shown));
    }

    /** In a form for people: 4 rather than 4.0, all-or-nothing rather than ALL_OR_NOTHING. */
    private static String fallback(Object shown) {
        if (shown instanceof Double number) {
            return number == Math.rint(number) ? String.valueOf(number.longValue()) : number.toString();
        }
        String text = shown.toString();
        return text.length() > 1 && text.equals(text.toUpperCase(Locale.ROOT)) ? written(text) : text;
    }

    private static String written(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> E word(String what, String said, E[] values) {
        String name = said.toUpperCase(Locale.ROOT).replace('-', '_');
        return Stream.of(values)
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new UnknownWordException(what, said, Stream.of(values).map(value -> fallback(value.name()))));
    }
}
