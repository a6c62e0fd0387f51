package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.LongPlans;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A scheduler of long plans: it thinks, for as long as its thought takes, and then places first fit. */
public final class Thinker implements Scheduler<String> {
    private final Placing placing = new Placing(Choice.FIRST_FIT);
    private final LongPlans longPlans;
    private final Runnable thought;

    public Thinker(int plansMax, Duration timeMax, Runnable thought) {
        this.longPlans = new LongPlans(plansMax, timeMax);
        this.thought = thought;
    }

    @Override
    public String start() {
        return "";
    }

    @Override
    public Optional<LongPlans> longPlans() {
        return Optional.of(longPlans);
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        thought.run();
        return Plan.of(placing.place(cells, work, context.seed()), List.of(), context.memory());
    }
}
