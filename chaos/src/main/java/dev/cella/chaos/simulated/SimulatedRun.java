package dev.cella.chaos.simulated;

import dev.cella.chaos.history.WorldResult;
import dev.cella.chaos.scenario.FaultRun;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.scheduling.plugin.SchedulerTypes;
import java.util.List;

/** One run of a scenario in the simulated world, from its first event to its history. */
public final class SimulatedRun {
    /** The time in which everything settles before the core is checked for progress. */
    private static final long FOUNDING_MILLIS = 2_000;

    /** At the end tasks go on as they are, so that reports under way arrive. */
    private static final long QUIET_MILLIS = 15_000;

    private final Scenario scenario;
    private final List<PlannedFault> faults;
    private final long seed;
    private final SchedulerTypes types;

    public SimulatedRun(Scenario scenario, List<PlannedFault> faults, long seed, SchedulerTypes types) {
        this.scenario = scenario;
        this.faults = List.copyOf(faults);
        this.seed = seed;
        this.types = types;
    }

    /** The safety phase with its faults, then the liveness phase without those of the core. */
    public WorldResult run() {
        SimulatedCell cell = new SimulatedCell(scenario, seed, types);
        Injector injector = new Injector(cell, cell.split());
        cell.start(scenario.safetyMillis());
        injector.plan(faults.stream()
                .map(fault -> new PlannedFault(
                        fault.kind(), fault.on(), FOUNDING_MILLIS + fault.fromMillis(), fault.forMillis()))
                .toList());
        cell.runUntil(FOUNDING_MILLIS + scenario.safetyMillis());
        cell.submitter().end();
        injector.beginLiveness();
        cell.history().healed(cell.heap().nowNanos());
        long end = FOUNDING_MILLIS + scenario.safetyMillis() + scenario.livenessMillis();
        cell.runUntil(end);
        cell.quiet();
        cell.runUntil(end + QUIET_MILLIS);
        cell.finish();
        return new WorldResult(
                cell.history(),
                cell.timeline(),
                injector.injected().stream().map(SimulatedRun::faultRun).toList(),
                cell.digest(),
                cell.heap().events(),
                cell.group().elections());
    }

    private static FaultRun faultRun(Injector.Injected injected) {
        return new FaultRun(
                injected.kind(), injected.on(), injected.fromMillis(), injected.untilMillis(), injected.bit(), "");
    }
}
