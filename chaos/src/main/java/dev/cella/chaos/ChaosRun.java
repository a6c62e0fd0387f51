package dev.cella.chaos;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Violation;
import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.check.Twin;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Timeline;
import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.processes.CouldNotRunException;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.World;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.transactions.cell.tables.CellLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * One run of a scenario in a world with one seed, and its checks: every checker over its history, a canary that
 * proves that the checkers work, and, on request, the fault-free twin.
 */
public final class ChaosRun {
    /**
     * The cost of a run.
     *
     * @param without the cost of its fault-free twin, if that was run
     */
    public record TwinCosts(Twin.Cost withFaults, Optional<Twin.Cost> without) {}

    /**
     * A checked run.
     *
     * @param command the command that runs it again
     */
    public record Checked(
            Scenario scenario,
            World world,
            long seed,
            List<PlannedFault> planned,
            WorldResult result,
            List<Verdict> verdicts,
            boolean canarySeen,
            TwinCosts twin,
            String command) {
        /** Returns whether every checker held. */
        public boolean holds() {
            return verdicts.stream().allMatch(Verdict::held);
        }

        /** The numbers of the checkers that did not hold. */
        public Set<String> failed() {
            return verdicts.stream()
                    .filter(verdict -> !verdict.held())
                    .map(Verdict::checker)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Returns whether any fault had an effect; a run without faults needs none. */
        public boolean bit() {
            return planned.isEmpty() || result.faults().stream().anyMatch(FaultRun::bit);
        }
    }

    /** A second run with the same seed, that one more checker compares with the first. */
    public enum Second {
        NONE,
        /** The fault-free twin, for C18. */
        TWIN,
        /** The same run, which must be the same bit for bit. */
        SAME;

        /** Returns what these checkers need. */
        public static Second neededBy(Collection<String> checkers) {
            return checkers.contains(RERUN) ? SAME : checkers.contains(Twin.NUMBER) ? TWIN : NONE;
        }
    }

    private static final String PLANS = "plans";
    private static final String RERUN = "rerun";
    private static final String END = "end";
    private static final int FRAMES_MAX = 5;

    private final Scenario scenario;
    private final CellWorld world;
    private LongFunction<String> command;

    /** In the simulated world. */
    public ChaosRun(Scenario scenario, SchedulerTypes types) {
        this(scenario, new SimulatedWorlds(types));
    }

    public ChaosRun(Scenario scenario, CellWorld world) {
        this.scenario = scenario;
        this.world = world;
        String in = world.world() == World.SIMULATED
                ? ""
                : " --world " + world.world().words();
        this.command = seed -> "cella chaos run " + scenario.name() + in + " --seed " + seed;
    }

    /** Takes the command that runs a seed again, if the scenario's name is not enough for it. */
    public ChaosRun withCommand(LongFunction<String> again) {
        command = again;
        return this;
    }

    /** Runs the scenario's faults under the seed. */
    public Checked run(long seed, Second second) {
        return run(seed, scenario.faultsOf(seed, world.world()), second);
    }

    /**
     * Runs exactly these faults under the seed. A run that fails inside is a failed run like others: what its world, a replay or
     * a checker threw is the violation.
     *
     * @throws CouldNotRunException if this machine does not let it be made
     */
    public Checked run(long seed, List<PlannedFault> faults, Second second) {
        try {
            return judged(seed, faults, second);
        } catch (CouldNotRunException here) {
            throw here;
        } catch (RuntimeException failure) {
            return ended(seed, faults, failure);
        }
    }

    private Checked judged(long seed, List<PlannedFault> faults, Second second) {
        WorldResult result = withUnbegun(world.run(scenario, faults, seed), faults);
        faults.forEach(fault -> result.history().faults.add(fault.kind().words()));
        Evidence evidence = Evidence.of(result.history());
        List<Verdict> verdicts = new ArrayList<>(Checkers.check(evidence));
        TwinCosts costs = new TwinCosts(Twin.costOf(evidence), Optional.empty());
        if (second == Second.TWIN) {
            Twin twin = twin(seed, evidence);
            verdicts.add(twin.verdict());
            costs = new TwinCosts(twin.costWithFaults(), Optional.of(twin.costWithout()));
        }
        if (world.world() == World.SIMULATED) {
            verdicts.add(plans(result.history()));
        }
        verdicts.removeIf(verdict -> !scenario.asks(verdict.checker()));
        if (second == Second.SAME) {
            verdicts.add(rerun(seed, faults, result.digest()));
        }
        return checked(seed, faults, result, verdicts, Canary.isSeen(evidence), costs);
    }

    /** A scheduler tries a job again when its planner has failed, so nothing else shows it. */
    private static Verdict plans(History history) {
        List<Violation> failed = history.schedulers.stream()
                .filter(figures -> figures.failedPlans() > 0)
                .map(figures -> new Violation(
                        "some moment",
                        figures.failedPlans() + " of " + figures.plans() + " plans of scheduler " + figures.scheduler()
                                + " failed, the last one by "
                                + figures.lastFailure().orElse("an unknown failure")))
                .toList();
        return new Verdict(PLANS, "No planner throws or has to be given up.", !history.schedulers.isEmpty(), failed);
    }

    private Verdict rerun(long seed, List<PlannedFault> faults, long digest) {
        long again = world.run(scenario, faults, seed).digest();
        List<Violation> differences = digest == again
                ? List.of()
                : List.of(new Violation(
                        "the end",
                        String.format("the first run has the digest %016x, the second one %016x", digest, again)));
        return new Verdict(RERUN, "The same seed gives the same run, bit for bit.", differences);
    }

    /** Nothing of the run is left to judge. */
    private Checked ended(long seed, List<PlannedFault> faults, RuntimeException failure) {
        History nothing = new History(CellLimits.STANDARD);
        String what = "the run ended: " + failure + " " + frames(failure);
        Verdict verdict = new Verdict(END, "The run comes to its end.", List.of(new Violation("some moment", what)));
        return checked(
                seed,
                faults,
                new WorldResult(nothing, new Timeline(), List.of(), 0, 0, 0),
                List.of(verdict),
                false,
                new TwinCosts(Twin.costOf(Evidence.of(nothing)), Optional.empty()));
    }

    private static String frames(RuntimeException failure) {
        return Arrays.stream(failure.getStackTrace())
                .limit(FRAMES_MAX)
                .map(frame -> "at " + frame)
                .collect(Collectors.joining(" "));
    }

    private Checked checked(
            long seed,
            List<PlannedFault> faults,
            WorldResult result,
            List<Verdict> verdicts,
            boolean canarySeen,
            TwinCosts costs) {
        return new Checked(
                scenario, world.world(), seed, faults, result, verdicts, canarySeen, costs, command.apply(seed));
    }

    /** A fault that was due when the time of faults was over is VOID, and not left out. */
    private static WorldResult withUnbegun(WorldResult result, List<PlannedFault> planned) {
        List<FaultKind> begun =
                new ArrayList<>(result.faults().stream().map(FaultRun::kind).toList());
        List<FaultRun> all = new ArrayList<>(result.faults());
        planned.stream()
                .sorted(Comparator.comparingLong(PlannedFault::fromMillis))
                .filter(fault -> !begun.remove(fault.kind()))
                .map(fault -> new FaultRun(
                        fault.kind(),
                        fault.on(),
                        fault.fromMillis(),
                        fault.fromMillis(),
                        false,
                        "the time of faults was over before it"))
                .forEach(all::add);
        return result.withFaults(all);
    }

    private Twin twin(long seed, Evidence evidence) {
        WorldResult sound = world.run(scenario, List.of(), seed);
        return new Twin(evidence, Evidence.of(sound.history()));
    }
}
