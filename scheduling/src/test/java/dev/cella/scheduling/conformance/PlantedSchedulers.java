package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Unplaced.Cause;
import dev.cella.scheduling.Unplaced.Kind;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A correct scheduler, and one with each mistake that the kit must catch. */
final class PlantedSchedulers {
    static final JobPlanner FIRST_FIT = (work, cell, random) -> {
        List<Unplaced> left = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            firstFit(cell, group, 0);
            if (group.hasNext()) {
                left.add(group.explain());
            }
        }
        return left;
    };

    /** Claims the first machine, fit or not. */
    static final JobPlanner OVER_CLAIMS = (work, cell, random) -> {
        cell.pendingGroups(work.id()).forEach(group -> group.claimNext(0));
        return List.of();
    };

    /** Gives up at once, and claims that nothing fits. */
    static final JobPlanner SAYS_FULL = (work, cell, random) -> cell.pendingGroups(work.id()).stream()
            .map(PendingGroup::explain)
            .map(left -> copy(left, List.of(new Cause(Kind.LACKS, "cpuMilli", machines(cell), "m0")), false))
            .toList();

    /** Places what it can, and claims that no machine could ever hold the rest. */
    static final JobPlanner SAYS_NEVER = (work, cell, random) -> FIRST_FIT.plan(work, cell, random).stream()
            .map(left -> copy(left, left.causes(), true))
            .toList();

    /** Looks at one machine only. */
    static final JobPlanner COUNTS_ONE = (work, cell, random) -> FIRST_FIT.plan(work, cell, random).stream()
            .map(left -> copy(left, List.of(new Cause(Kind.LACKS, "cpuMilli", 1, "m0")), false))
            .toList();

    /** Looks at the whole cell, whatever its view is narrowed to. */
    static final JobPlanner LOOKS_AROUND = (work, cell, random) -> {
        List<Unplaced> left = new ArrayList<>();
        for (PendingGroup group : cell.pendingGroups(work.id())) {
            for (int machine = 0; machine < cell.machines(); machine++) {
                while (group.hasNext() && cell.view().isReady(machine) && hasRoom(cell, machine, group)) {
                    group.claimNext(machine);
                }
            }
            if (group.hasNext()) {
                left.add(group.explain());
            }
        }
        return left;
    };

    private static boolean hasRoom(PlanningView cell, int machine, PendingGroup group) {
        return List.of("cpuMilli", "memoryMib").stream()
                .allMatch(dimension -> cell.free(machine, dimension) >= group.asks(dimension));
    }

    /** After one conflict it claims nothing more for that job. */
    static final JobPlanner DESPAIRS = (work, cell, random) ->
            work.last().filter(Outcome::isConflicted).isPresent() ? List.of() : FIRST_FIT.plan(work, cell, random);

    /** Begins at another machine each time, by a counter that no seed sets. */
    static Supplier<Scheduler<?>> countingItsPlans() {
        AtomicInteger plans = new AtomicInteger();
        JobPlanner planner = (work, cell, random) -> {
            List<Unplaced> left = new ArrayList<>();
            for (PendingGroup group : cell.pendingGroups(work.id())) {
                firstFit(cell, group, plans.incrementAndGet() % cell.machines());
                firstFit(cell, group, 0);
                if (group.hasNext()) {
                    left.add(group.explain());
                }
            }
            return left;
        };
        return planner::scheduler;
    }

    private PlantedSchedulers() {}

    private static void firstFit(PlanningView cell, PendingGroup group, int from) {
        for (int machine = from; machine < cell.machines(); machine++) {
            while (group.hasNext() && cell.fits(machine, group.shape())) {
                group.claimNext(machine);
            }
        }
    }

    private static int machines(PlanningView cell) {
        int machines = 0;
        for (int slot = 0; slot < cell.machines(); slot++) {
            machines += cell.view().machineExists(slot) ? 1 : 0;
        }
        return machines;
    }

    private static Unplaced copy(Unplaced of, List<Cause> causes, boolean never) {
        return new Unplaced(of.job(), of.group(), of.tasks(), of.asked(), causes, of.roomiest(), never);
    }

    /** The plan of a correct scheduler without memory. */
    private static <R, M> Plan<R> rightPlan(
            Scheduler<R> right, List<PlanningView> cells, Work work, PlanContext<M> context) {
        return Planning.plan(right, cells, work, context.withMemory(right.start()));
    }

    /** Claims machine 0 in its transactions, whatever it found. */
    static final class Unseeing implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            Plan<?> right = rightPlan(FIRST_FIT.scheduler(), cells, work, context);
            List<Proposal> proposals = right.proposals().stream()
                    .map(each -> new Proposal(each.cell(), onTheFirst(each.transaction())))
                    .toList();
            return new Plan<>(proposals, right.unplaced(), right.wakes(), "");
        }

        private static Transaction onTheFirst(Transaction right) {
            Transaction.Builder wrong = Transaction.builder(right.id(), right.scheduler())
                    .session(right.session().orElseThrow())
                    .incarnation(right.incarnation())
                    .basis(right.basis())
                    .seesOwn(true);
            for (int claim = 0; claim < right.claims(); claim++) {
                wrong.claim(right.task(claim), right.generation(claim), 0);
            }
            return wrong.build();
        }
    }

    /** Waits for room for every job that it ever left incomplete. */
    static final class Hoarding implements Scheduler<List<Wake>> {
        @Override
        public List<Wake> start() {
            return List.of();
        }

        @Override
        public Plan<List<Wake>> plan(List<PlanningView> cells, Work work, PlanContext<List<Wake>> context) {
            Plan<?> right = rightPlan(FIRST_FIT.scheduler(), cells, work, context);
            List<Wake> all = new ArrayList<>(context.memory());
            all.addAll(right.wakes());
            return new Plan<>(right.proposals(), right.unplaced(), all, List.copyOf(all));
        }
    }

    /** Claims one task of a gang, in a transaction of its own. */
    static final class Impatient implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            JobWork job = work.jobs().get(0);
            if (!job.job().hasGangs()) {
                Plan<?> right = rightPlan(FIRST_FIT.scheduler(), cells, work, context);
                return new Plan<>(right.proposals(), right.unplaced(), right.wakes(), "");
            }
            PlanningView cell = job.in(cells);
            List<Unplaced> left = new ArrayList<>();
            for (PendingGroup group : cell.pendingGroups(job.id())) {
                if (group.takes(0)) {
                    group.claimNext(0);
                }
                left.add(group.explain());
            }
            return new Plan<>(cell.propose(job.job()), left, List.of(), "");
        }
    }

    /** Waits only for a change of its job. */
    static final class Forgetful implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            Plan<?> right = rightPlan(FIRST_FIT.scheduler(), cells, work, context);
            List<Wake> wakes = right.unplaced().stream()
                    .map(left -> (Wake) new Wake.On(left.key(), Happening.CHANGED))
                    .toList();
            return new Plan<>(right.proposals(), right.unplaced(), wakes, "");
        }
    }
}
