package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.PoolStanding;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Serves the pool first that uses least for its weight, and within a pool by priority. Its jobs get one task a turn. */
public final class FairHeads implements Scheduler<Integer> {
    private static final String CPU = "cpuMilli";

    private final Placing placing = new Placing(Choice.FIRST_FIT);

    @Override
    public Integer start() {
        return 0;
    }

    @Override
    public Agenda<Integer> agenda() {
        return new Agenda<>() {
            @Override
            public boolean perPool() {
                return true;
            }

            @Override
            public List<JobKey> next(Standing standing, Integer memory) {
                List<PoolStanding> pools = new ArrayList<>(standing.pools());
                pools.sort(Comparator.comparingLong(pool -> pool.use(CPU) / pool.weight()));
                for (PoolStanding pool : pools) {
                    if (standing.first(pool).isPresent()) {
                        return List.of(standing.first(pool).get().key());
                    }
                }
                return List.of();
            }
        };
    }

    @Override
    public Plan<Integer> plan(List<PlanningView> cells, Work work, PlanContext<Integer> context) {
        return Plan.of(placing.placeAtMost(1, cells, work, context.seed()), List.of(), context.memory() + 1);
    }
}
