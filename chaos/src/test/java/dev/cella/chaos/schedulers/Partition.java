package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.placement.MachineSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Plans on a part of the cell, as a statically partitioned scheduler does; here a part of the slots. */
public final class Partition implements Scheduler<String> {
    private final Placing placing = new Placing(Choice.FIRST_FIT);
    private final IntPredicate isMine;

    public Partition(IntPredicate isMine) {
        this.isMine = isMine;
    }

    @Override
    public String start() {
        return "";
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        return Plan.of(placing.placeWithin(this::narrow, cells, work, context.seed()), List.of(), context.memory());
    }

    private PlanningView narrow(PlanningView cell) {
        return cell.within(MachineSet.of(IntStream.range(0, cell.machines()).filter(isMine)));
    }
}
