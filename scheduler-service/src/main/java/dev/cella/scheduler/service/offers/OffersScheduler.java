package dev.cella.scheduler.service.offers;

import dev.cella.scheduler.service.ServicePlanner;
import dev.cella.scheduler.service.offers.Allocation.FreeMachine;
import dev.cella.scheduler.service.offers.Allocation.MadeOffer;
import dev.cella.scheduler.service.offers.OffersMemory.Name;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The allocator of two-level scheduling (dissertation, chapter 4; Hindman et al., "Mesos", NSDI 2011). In each round it offers
 * free machines, as wholes, to schedulers that take part in offers. An offer is a hold for a session of another scheduler: the
 * commit reserves it for that one, and the framework claims from it by an ordinary transaction. So pessimistic concurrency is
 * optimistic concurrency over reserved amounts.
 *
 * <p>A round takes back offers of machines that take no claims, ends the tasks of frameworks that did not come back in time,
 * divides what is free ({@link Allocation}), and takes back what another role is guaranteed ({@link Revocation}). The cell
 * state has everything that a second instance needs; only times are remembered.
 *
 * <p>It places its own jobs as a service scheduler does.
 */
final class OffersScheduler implements Scheduler<OffersMemory> {
    private static final int DRAWS = 4;

    private final AllocationPolicy policy;
    private final Rounds rounds;
    private final int outstandingMax;
    private final long timeoutMillis;
    private final long failoverMillis;
    private final ServicePlanner ownJobs = new ServicePlanner(DRAWS, List.of());

    /**
     * @param failoverMillis how long tasks of a framework without a session may run; 0 means forever
     */
    OffersScheduler(
            AllocationPolicy policy, Rounds rounds, int outstandingMax, long timeoutMillis, long failoverMillis) {
        this.policy = policy;
        this.rounds = rounds;
        this.outstandingMax = outstandingMax;
        this.timeoutMillis = timeoutMillis;
        this.failoverMillis = failoverMillis;
    }

    @Override
    public OffersMemory start() {
        return OffersMemory.NOTHING;
    }

    @Override
    public Optional<Rounds> rounds() {
        return Optional.of(rounds);
    }

    @Override
    public Plan<OffersMemory> plan(List<PlanningView> cells, Work work, PlanContext<OffersMemory> context) {
        return work.jobs().isEmpty() ? round(cells, context) : place(cells, work, context);
    }

    private Plan<OffersMemory> place(List<PlanningView> cells, Work work, PlanContext<OffersMemory> context) {
        List<Unplaced> unplaced = new ArrayList<>();
        for (JobWork job : work.jobs()) {
            long seed = Digests.mix(context.seed(), job.id().version());
            unplaced.addAll(ownJobs.plan(job, job.in(cells), new SplittableRandom(seed)));
        }
        return Plan.of(unplaced, List.of(), context.memory());
    }

    // ---- a round

    private Plan<OffersMemory> round(List<PlanningView> cells, PlanContext<OffersMemory> context) {
        Set<Name> known = new HashSet<>(context.memory().known());
        Map<Name, CellTime> gone = new HashMap<>();
        Map<Name, CellTime> lacking = new HashMap<>();
        for (PlanningView cell : cells) {
            Frameworks frameworks = Frameworks.of(cell, outstandingMax, context.now());
            forgetPresent(cell, known);
            frameworks.all().forEach(each -> known.add(new Name(cell.place(), each.name())));
            boolean mayAsk = !cell.view().isPaused(cell.scheduler());
            if (mayAsk) {
                rescindUnready(cell);
            }
            goneSince(cell, frameworks, known, context).forEach((name, since) -> {
                if (mayAsk && isOver(since, context.now()) && Revocation.mayEvict(cell)) {
                    endTasksOf(name.name(), cell);
                    known.remove(name);
                } else {
                    gone.put(name, since);
                }
            });
            if (mayAsk && !frameworks.all().isEmpty() && cell.rights().offers()) {
                divide(cell, frameworks, context);
                lacking.putAll(new Revocation(cell, frameworks, context).revoke());
            }
        }
        return Plan.of(List.of(), List.of(), new OffersMemory(known, gone, lacking));
    }

    private static void rescindUnready(PlanningView cell) {
        for (HoldRow offer : List.copyOf(cell.view().offers())) {
            if (isOwn(offer, cell) && !cell.view().isReady(offer.slot())) {
                cell.rescind(offer);
            }
        }
    }

    static boolean isOwn(HoldRow offer, PlanningView cell) {
        return offer.origin().scheduler().equals(cell.scheduler());
    }

    private void divide(PlanningView cell, Frameworks frameworks, PlanContext<OffersMemory> context) {
        SplittableRandom random = new SplittableRandom(Digests.mix(context.seed(), cell.place()));
        List<FreeMachine> free = frameworks.free();
        Allocation.shuffle(free, random);
        for (MadeOffer offer : new Allocation(frameworks.roles(), policy, random).divide(free)) {
            cell.offer(offer.to(), offer.machine().slot(), offer.machine().amounts(), timeoutMillis);
        }
    }

    // ---- frameworks that left

    /** Forgets the schedulers that have a session. Those that take part are known again; others look after their tasks. */
    private static void forgetPresent(PlanningView cell, Set<Name> known) {
        cell.view().sessions().forEach(session -> known.remove(new Name(cell.place(), session.scheduler())));
    }

    private static Map<Name, CellTime> goneSince(
            PlanningView cell, Frameworks frameworks, Set<Name> known, PlanContext<OffersMemory> context) {
        Map<Name, CellTime> gone = new HashMap<>();
        for (Name name : known) {
            boolean isHere = name.cell() == cell.place();
            if (isHere && frameworks.find(name.name()).isEmpty()) {
                gone.put(name, context.memory().gone().getOrDefault(name, context.now()));
            }
        }
        return gone;
    }

    private boolean isOver(CellTime since, CellTime now) {
        return failoverMillis > 0 && now.millis() - since.millis() >= failoverMillis;
    }

    private static void endTasksOf(String framework, PlanningView cell) {
        CellView view = cell.view();
        for (JobRow job : List.copyOf(view.jobs())) {
            if (job.header().scheduler().equals(framework)) {
                cell.tasksOf(job.id()).forEach(cell::evict);
            }
        }
    }
}
