package dev.cella.chaos;

import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.SchedulerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes a failing run smaller while one of its checkers still fails: fewer faults, fewer schedulers, fewer jobs. Each step is
 * a separate run with the same seed, so the result is a run that fails, not a guess. Among processes a smaller run may hold by
 * chance; then the larger one stays.
 */
public final class Shrinking {
    /** The smallest failing run that was found. */
    public record Shrunk(Scenario scenario, List<PlannedFault> faults, ChaosRun.Checked run, int runs) {}

    private final CellWorld world;
    private final long seed;
    private final Set<String> wanted;
    private final ChaosRun.Second second;
    private final Consumer<Shrunk> found;
    private Scenario scenario;
    private List<PlannedFault> faults;
    private ChaosRun.Checked smallest;
    private int runs;

    /**
     * @param failing the run to make smaller; each smaller one has its command
     * @param second what each run is compared with, as the failing one was
     * @param found called with each smaller run at once, so that an interruption loses nothing
     */
    public Shrinking(ChaosRun.Checked failing, CellWorld world, ChaosRun.Second second, Consumer<Shrunk> found) {
        this.world = world;
        this.seed = failing.seed();
        this.scenario = failing.scenario();
        this.faults = failing.planned();
        this.smallest = failing;
        this.wanted = failing.failed();
        this.second = second;
        this.found = found;
    }

    public Shrunk shrink() {
        boolean smaller = true;
        while (smaller) {
            boolean fewerFaults = dropFaults();
            boolean fewerSchedulers = dropSchedulers();
            boolean fewerJobs = halveJobs();
            smaller = fewerFaults || fewerSchedulers || fewerJobs;
        }
        return smallest();
    }

    private Shrunk smallest() {
        return new Shrunk(scenario, faults, smallest, runs);
    }

    private boolean dropFaults() {
        boolean dropped = false;
        for (int place = faults.size() - 1; place >= 0; place--) {
            List<PlannedFault> fewer = new ArrayList<>(faults);
            fewer.remove(place);
            dropped |= stillFails(scenario, fewer);
        }
        return dropped;
    }

    private boolean dropSchedulers() {
        boolean dropped = false;
        for (int place = scenario.schedulers().size() - 1;
                place >= 0 && scenario.schedulers().size() > 1;
                place--) {
            List<SchedulerSpec> fewer = new ArrayList<>(scenario.schedulers());
            fewer.remove(place);
            dropped |= stillFails(scenario.withSchedulers(fewer), faults);
        }
        return dropped;
    }

    private boolean halveJobs() {
        int jobs = scenario.load().jobs();
        return jobs > 1 && stillFails(scenario.withLoad(scenario.load().withJobs(jobs / 2)), faults);
    }

    private boolean stillFails(Scenario candidate, List<PlannedFault> fewer) {
        runs++;
        ChaosRun.Checked tried = new ChaosRun(candidate, world)
                .withCommand(again -> smallest.command())
                .run(seed, fewer, second);
        Set<String> failed = tried.failed();
        failed.retainAll(wanted);
        if (failed.isEmpty()) {
            return false;
        }
        scenario = candidate;
        faults = List.copyOf(fewer);
        smallest = tried;
        found.accept(smallest());
        return true;
    }
}
