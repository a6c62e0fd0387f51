package dev.cella.scheduler.service;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Score;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.WorstFit;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Places a service so that little of it is lost at once. Tasks go over failure domains as the job asks, or by default evenly
 * over the scheduler's configured ones. Within a domain it draws a few machines and takes the one with the fewest tasks of the
 * service, and among equals the emptiest.
 *
 * <p>"Service jobs might be very picky about the resources they can use in order to meet stringent availability and
 * performance targets" (dissertation, section 3.1): here the job states its requirements, and the candidates respect them.
 * Drawing keeps two planners from choosing the same machine. This class does not keep a service at its {@code count}: the loop
 * makes an ended task pending again, and it is planned like any other.
 */
public final class ServicePlanner implements JobPlanner {
    /** More than the largest difference in free amounts, so that another task of the service always weighs more. */
    private static final long APART = 10_000;

    private final int draws;
    private final List<Spread> domains;
    private final Score emptiest = new WorstFit();

    /**
     * A planner of services.
     *
     * @param draws how many machines of a domain are compared
     * @param domains attributes to spread over when the group names none
     */
    public ServicePlanner(int draws, List<String> domains) {
        this.draws = draws;
        this.domains = domains.stream().map(Spread::evenly).toList();
    }

    @Override
    public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
        List<Unplaced> unplaced = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id(), this::spreadOut)) {
            group.place(Choice.bestOf(draws, apart(group)), random);
            if (group.hasNext()) {
                unplaced.add(group.explain());
            }
        }
        return unplaced;
    }

    /** A group with {@code together} is not spread. */
    GroupPlacement spreadOut(GroupPlacement asked) {
        boolean says = !asked.spreads().isEmpty() || asked.together().isPresent();
        return says ? asked : asked.with(domains.toArray(Spread[]::new));
    }

    private Score apart(PendingGroup group) {
        return (cell, machine, shape) -> emptiest.of(cell, machine, shape) - APART * group.tasksOn(machine);
    }
}
