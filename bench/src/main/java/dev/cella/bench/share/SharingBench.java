package dev.cella.bench.share;

import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduler.service.offers.OffersSchedulerProvider;
import dev.cella.transactions.model.Amounts;
import java.util.List;

/**
 * The cost of sharing out a whole empty cell, in CPU time of one thread. The first rounds warm up. It compares with two
 * published figures: Mesos made 10,000 offers to 1,000 frameworks in 1.06 s, and Hadoop's fair scheduler scheduled 3,200 tasks
 * a second on 2,500 nodes for 100 jobs in 20 pools.
 */
public final class SharingBench {
    private static final int ROLES = 20;
    private static final Amounts MACHINE = Amounts.of(8_000, 32_768);
    private static final int SLOTS = 4;
    private static final Amounts SLOT = Amounts.of(1_000, 4_096);
    private static final Amounts NODE = Amounts.of(SLOTS * 1_000L, SLOTS * 4_096L);
    private static final int ROUNDS_MAX = 10_000;

    private final int rounds;

    /** @param rounds how often each is planned */
    public SharingBench(int rounds) {
        if (rounds < 1 || rounds > ROUNDS_MAX) {
            throw new IllegalArgumentException("there are 1 to " + ROUNDS_MAX + " rounds, not " + rounds);
        }
        this.rounds = rounds;
    }

    /** Rounds of type {@code offers}: every machine is offered to one of the frameworks, which have 20 roles. */
    public List<PlannedRound> offers(int machines, int frameworks) {
        PlannedCell cell = new PlannedCell(machines, MACHINE);
        for (int framework = 0; framework < frameworks; framework++) {
            cell.framework("f" + framework, "r" + framework % ROLES);
        }
        return cell.plan(new OffersSchedulerProvider(), rounds);
    }

    /** Rounds of type {@code fair}: every slot of machines with four goes to one of the jobs, which fill the cell twice. */
    public List<PlannedRound> fair(int machines, int jobs, int pools) {
        PlannedCell cell = new PlannedCell(machines, NODE);
        FairSchedulerProvider type = new FairSchedulerProvider();
        int tasks = Math.max(1, 2 * machines * SLOTS / jobs);
        for (int job = 0; job < jobs; job++) {
            cell.job("j" + job, type.type(), "p" + job % pools, tasks, SLOT);
        }
        return cell.plan(type, rounds);
    }
}
