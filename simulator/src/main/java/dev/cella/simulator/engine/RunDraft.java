package dev.cella.simulator.engine;

import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.DecentralSetUp.ApolloSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Binding;
import dev.cella.simulator.engine.DecentralSetUp.MeghaSetUp;
import dev.cella.simulator.engine.DecentralSetUp.SparrowSetUp;
import dev.cella.simulator.engine.DecentralSetUp.Variant;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a run that were given so far, in people's units. Nothing is checked before {@link #build}, because one
 * parameter may be possible only with another. Belongs to the reader of the flags.
 */
public final class RunDraft {
    static final double MILLI = 1000;
    static final double MIB_PER_GIB = 1024;

    /** This architecture has one decision time, whichever of the two was given. */
    private static final String ONE_PATH = "monolithic";

    /** All schedulers of this architecture are of the type of this name. */
    private static final String FAIR = "fair";

    /** The parameters of one workload; null means the cell's. */
    static final class OfWorkload {
        @Nullable
        Double jobsPerSecond;

        @Nullable
        Double tasksPerJob;

        @Nullable
        Double taskSeconds;

        @Nullable
        DecisionTime decisionTime;

        int schedulers = 1;

        @Nullable
        String schedulerType;

        final Map<String, String> schedulerOptions = new TreeMap<>();

        private WorkloadSetUp build(JobMeans means, DecisionTime time, String type) {
            return new WorkloadSetUp(
                    new JobMeans(
                            jobsPerSecond == null ? means.jobsPerSecond() : jobsPerSecond,
                            tasksPerJob == null ? means.tasksPerJob() : tasksPerJob,
                            taskSeconds == null ? means.taskSeconds() : taskSeconds),
                    time,
                    new SchedulerChoice(schedulers, type, new TreeMap<>(schedulerOptions)));
        }
    }

    String architecture;
    ReferenceCell cell;

    @Nullable
    Integer machines;

    double machineCores;
    double machineMemoryGib;
    double taskCores;
    double taskMemoryGib;

    @Nullable
    Double prefill;

    Atomicity atomicity;
    ConflictRule conflictRule;
    Optional<RetryOrder> retry;
    int attemptsWithoutProgressMax;
    int attemptsMax;

    /** Null means the default of the command. */
    @Nullable
    Double days;

    long seed;
    double batchPart;
    JobKind jobKind;
    int jobs;
    int racks;
    OptionalInt replicas;
    long waitMachineMillis;
    long waitRackMillis;
    double remoteFactor;
    int globalMasters;
    int localMasters;
    OptionalLong heartbeatNanos;
    Variant variant;
    List<Double> shares;
    long workerNanos;
    double probes;
    Binding binding;
    int tokens;
    double sparePerToken;
    long hopNanos;

    @Nullable
    Integer slotsPerMachine;

    private final OfWorkload batch = new OfWorkload();
    private final OfWorkload service = new OfWorkload();

    /** A run without any given parameters. */
    public RunDraft() {
        RunParameters untold = RunParameterTable.UNTOLD;
        Geometry geometry = untold.geometry();
        architecture = untold.architecture();
        cell = untold.cell();
        machineCores = geometry.machineCpuMilli() / MILLI;
        machineMemoryGib = geometry.machineMemoryMib() / MIB_PER_GIB;
        taskCores = geometry.taskCpuMilli() / MILLI;
        taskMemoryGib = geometry.taskMemoryMib() / MIB_PER_GIB;
        atomicity = untold.modes().atomicity();
        conflictRule = untold.modes().conflictRule();
        retry = untold.retry().order();
        attemptsWithoutProgressMax = untold.retry().limits().withoutProgressMax();
        attemptsMax = untold.retry().limits().max();
        seed = untold.seed();
        batchPart = untold.batchPart();
        InputSetUp input = untold.input();
        jobKind = input.jobs();
        jobs = input.count();
        racks = input.racks();
        replicas = input.saidReplicas();
        waitMachineMillis = input.waitMachineMillis();
        waitRackMillis = input.waitRackMillis();
        remoteFactor = input.remoteFactor();
        DecentralSetUp decentral = untold.decentral();
        globalMasters = decentral.megha().globalMasters();
        localMasters = decentral.megha().localMasters();
        heartbeatNanos = decentral.saidHeartbeatNanos();
        variant = decentral.megha().variant();
        shares = decentral.megha().shares();
        workerNanos = decentral.megha().workerNanos();
        probes = decentral.sparrow().probes();
        binding = decentral.sparrow().binding();
        tokens = decentral.apollo().tokens();
        sparePerToken = decentral.apollo().sparePerToken();
        hopNanos = decentral.hopNanos();
    }

    OfWorkload of(Workload workload) {
        return switch (workload) {
            case BATCH -> batch;
            case SERVICE -> service;
        };
    }

    /** Returns whether the two workloads were given different decision times. */
    public boolean saysTwoDecisionTimes() {
        return batch.decisionTime != null
                && service.decisionTime != null
                && !batch.decisionTime.equals(service.decisionTime);
    }

    /** Returns whether the length of the run was given. */
    public boolean saysDays() {
        return days != null;
    }

    /** The run with these parameters, if it is possible. */
    public RunParameters build() {
        return new RunParameters(
                architecture,
                cell,
                geometry(),
                setUp(Workload.BATCH, Workload.SERVICE),
                setUp(Workload.SERVICE, Workload.BATCH),
                new Modes(atomicity, conflictRule),
                new Retry(retry, new AttemptLimits(attemptsWithoutProgressMax, attemptsMax)),
                days == null ? RunParameterTable.UNTOLD.days() : days,
                seed,
                batchPart,
                new InputSetUp(jobKind, jobs, racks, replicas, waitMachineMillis, waitRackMillis, remoteFactor),
                new DecentralSetUp(
                        heartbeatNanos,
                        hopNanos,
                        new MeghaSetUp(globalMasters, localMasters, variant, shares, workerNanos),
                        new SparrowSetUp(probes, binding),
                        new ApolloSetUp(tokens, sparePerToken)));
    }

    /** Tasks of one slot each divide a machine evenly. A cell of slots begins empty by default. */
    private Geometry geometry() {
        if (slotsPerMachine != null) {
            return geometryOfSlots(slotsPerMachine);
        }
        return new Geometry(
                machines == null ? cell.machines() : machines,
                Math.round(machineCores * MILLI),
                Math.round(machineMemoryGib * MIB_PER_GIB),
                Math.round(taskCores * MILLI),
                Math.round(taskMemoryGib * MIB_PER_GIB),
                prefill == null ? RunParameterTable.UNTOLD.geometry().prefill() : prefill);
    }

    private Geometry geometryOfSlots(int slots) {
        if (slots < 1) {
            throw new ImpossibleParameterException(
                    "a machine has at least one slot, not " + slots, "--slots-per-machine 1");
        }
        long cpuMilli = Math.round(machineCores * MILLI);
        long memoryMib = Math.round(machineMemoryGib * MIB_PER_GIB);
        return new Geometry(
                machines == null ? cell.machines() : machines,
                cpuMilli,
                memoryMib,
                cpuMilli / slots,
                memoryMib / slots,
                prefill == null ? 0 : prefill);
    }

    private WorkloadSetUp setUp(Workload workload, Workload other) {
        WorkloadSetUp untold = RunParameterTable.UNTOLD.setUp(workload);
        DecisionTime said = of(workload).decisionTime;
        if (said == null && architecture.equals(ONE_PATH)) {
            said = of(other).decisionTime;
        }
        return of(workload)
                .build(cell.means(workload), said == null ? untold.decisionTime() : said, type(of(workload)));
    }

    private String type(OfWorkload workload) {
        String said = workload.schedulerType;
        if (!architecture.equals(FAIR)) {
            return said == null ? SchedulerChoice.one().type() : said;
        }
        if (said != null && !said.equals(FAIR)) {
            throw new ImpossibleParameterException(
                    "the schedulers of the architecture " + FAIR + " are of type " + FAIR + ", not " + said,
                    "--architecture replicated takes any type");
        }
        return FAIR;
    }
}
