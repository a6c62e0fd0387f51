package dev.cella.chaos;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.check.Twin;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.simulated.SimulatedRun;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of a scenario in the simulated world with one seed, and its checks: every checker over its history, a canary that
 * proves that the checkers work, and, on request, the fault-free twin.
 */
public final class ChaosRun {
    /** The cost of a run compared with its twin. */
    public record TwinCosts(Twin.Cost withFaults, Twin.Cost without) {}

    /** A checked run. */
    public record Checked(
            Scenario scenario,
            long seed,
            List<PlannedFault> planned,
            SimulatedRun.Result result,
            List<Verdict> verdicts,
            boolean canarySeen,
            Optional<TwinCosts> twin) {
        /** Returns whether every checker held. */
        public boolean holds() {
            return verdicts.stream().allMatch(Verdict::held);
        }

        /** Returns whether any fault had an effect; a run without faults needs none. */
        public boolean bit() {
            return planned.isEmpty() || result.faults().stream().anyMatch(SimulatedRun.FaultRun::bit);
        }
    }

    private final Scenario scenario;
    private final SchedulerTypes types;

    public ChaosRun(Scenario scenario, SchedulerTypes types) {
        this.scenario = scenario;
        this.types = types;
    }

    /** Runs the scenario's faults under the seed. */
    public Checked run(long seed, boolean withTwin) {
        return run(seed, scenario.faultsOf(seed), withTwin);
    }

    /** Runs exactly these faults under the seed. */
    public Checked run(long seed, List<PlannedFault> faults, boolean withTwin) {
        SimulatedRun.Result result = new SimulatedRun(scenario, faults, seed, types).run();
        Evidence evidence = Evidence.of(result.history());
        List<Verdict> verdicts = new ArrayList<>(Checkers.check(evidence));
        Optional<TwinCosts> costs = Optional.empty();
        if (withTwin) {
            Twin twin = twin(seed, evidence);
            verdicts.add(twin.verdict());
            costs = Optional.of(new TwinCosts(twin.costWithFaults(), twin.costWithout()));
        }
        verdicts.removeIf(verdict -> !scenario.asks(verdict.checker()));
        return new Checked(scenario, seed, faults, result, verdicts, Canary.isSeen(evidence), costs);
    }

    private Twin twin(long seed, Evidence evidence) {
        SimulatedRun.Result sound = new SimulatedRun(scenario, List.of(), seed, types).run();
        return new Twin(evidence, Evidence.of(sound.history()));
    }
}
