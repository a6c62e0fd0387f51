package dev.cella.scheduler.batch.megha;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Exclusion;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimensions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Megha's global master at work on real cells. Each cell is a cluster, and its own transactions are the local master: they
 * verify each placement, and their answer brings the state that the next plan sees.
 *
 * <p>"The GM uses its global state ... to pick a worker node from one of its internal partitions", in round-robin. "When no
 * match is found, the GM looks at the external partitions" (IV-B2, IV-B3). A task that matches nothing waits, and is planned
 * again when one of the cells has room (IV-B5).
 *
 * <p>"User shares" hold only under contention (IV-C): a task of a user below its share that finds no machine takes the place of
 * one of the user that is furthest above its own. The local master verifies that as any placement.
 *
 * <p>Other cells take part if they are machines of the job's cell ({@code cella agent --cell}). A task whose place depends on
 * where the other tasks of its group are stays in its own cell.
 */
final class MeghaScheduler implements Scheduler<MeghaMemory> {
    /** The attribute of a machine that is a cell: which history of the cell it stands for. */
    static final String INCARNATION = "cell.incarnation";

    private final GlobalMaster.Choice choice;
    private final QueueOrder order;
    private final boolean preempts;
    private final long heartbeatMillis;

    /**
     * @param preempts whether a user below its share takes machines from users above theirs if nothing is free
     * @param heartbeatMillis how often the state of another cell comes; 0 if its feed is followed
     */
    MeghaScheduler(GlobalMaster.Choice choice, QueueOrder order, boolean preempts, long heartbeatMillis) {
        this.choice = choice;
        this.order = order;
        this.preempts = preempts;
        this.heartbeatMillis = heartbeatMillis;
    }

    @Override
    public MeghaMemory start() {
        return MeghaMemory.START;
    }

    @Override
    public Agenda<MeghaMemory> agenda() {
        return Agenda.inOrder(order);
    }

    @Override
    public long repartitions(int cell, MeghaMemory memory) {
        return memory.repartitions(cell);
    }

    @Override
    public Plan<MeghaMemory> plan(List<PlanningView> cells, Work work, PlanContext<MeghaMemory> context) {
        SplittableRandom random = new SplittableRandom(context.seed());
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        MeghaMemory memory = context.memory();
        for (JobWork job : work.jobs()) {
            Match match = new Match(job, cells, context.withMemory(memory), random);
            unplaced.addAll(match.place());
            wakes.addAll(match.wakes);
            memory = match.memory();
        }
        return Plan.of(unplaced, List.<Wake>of(), memory).wakingAlsoOn(wakes);
    }

    /** The match operation for one job. */
    private final class Match {
        private final JobWork job;
        private final PlanningView home;
        private final List<Cluster.Member> members = new ArrayList<>();
        private final List<Cluster> clusters = new ArrayList<>();
        private final List<Wake> wakes = new ArrayList<>();
        private final SplittableRandom random;
        private final MeghaMemory before;
        private final Map<Integer, StaleView> views = new HashMap<>();
        private final long[] repartitions;
        private int nextInternal;
        private int nextExternal;
        private JobUses uses;

        Match(JobWork job, List<PlanningView> cells, PlanContext<MeghaMemory> context, SplittableRandom random) {
            this.job = job;
            this.home = job.in(cells);
            this.random = random;
            this.before = context.memory();
            this.repartitions = new long[cells.size()];
            this.nextInternal = before.nextInternal();
            this.nextExternal = before.nextExternal();
            this.uses = before.usesIn(home.place());
            Map<String, Integer> gateways = cells.size() == 1 ? Map.of() : gateways();
            for (PlanningView cell : cells) {
                Integer gateway = gateways.get(cell.view().incarnation().toString());
                if (cell != home && gateway != null) {
                    members.add(new Cluster.Member(cell, home, job.id(), gateway, known(cell, gateway, context.now())));
                }
            }
            clusters.add(new Cluster.Home(
                    home, members.stream().map(member -> member.gateway).collect(Collectors.toSet())));
            clusters.addAll(members);
        }

        /** The view of the other cell; empty if its feed is followed. */
        private Optional<StaleView> known(PlanningView cell, int gateway, CellTime now) {
            if (heartbeatMillis == 0) {
                return Optional.empty();
            }
            StaleView view = Optional.ofNullable(before.views().get(cell.place()))
                    .filter(known -> known.isNewest(cell, home, gateway, now, heartbeatMillis))
                    .map(known -> known.awaiting(home, gateway))
                    .orElseGet(() -> StaleView.of(cell, home, gateway, now));
            views.put(cell.place(), view);
            return Optional.of(view);
        }

        /** The machines of the home that are cells, by the incarnation of the cell. */
        private Map<String, Integer> gateways() {
            Map<String, Integer> gateways = new HashMap<>();
            home.slots().filter(home::isReady).forEach(slot -> {
                String incarnation = home.view().attributes(slot).get(INCARNATION);
                if (incarnation != null) {
                    gateways.put(incarnation, slot);
                }
            });
            return gateways;
        }

        MeghaMemory memory() {
            return before.after(nextInternal, nextExternal, repartitions, views).withUses(home.place(), uses);
        }

        /**
         * The constraints of a group are about machines, not about the machine that is a cell. So a group that may leave its
         * cell is claimed for without them, and each cluster checks them.
         */
        List<Unplaced> place() {
            List<PendingGroup> asked = home.pendingGroups(job.id());
            List<PendingGroup> loose =
                    members.isEmpty() ? asked : home.pendingGroups(job.id(), any -> GroupPlacement.ANYWHERE);
            List<Unplaced> unplaced = new ArrayList<>();
            for (int place = 0; place < asked.size(); place++) {
                PendingGroup group = asked.get(place);
                boolean mayLeave = !members.isEmpty()
                        && group.header().gang().isEmpty()
                        && !group.placement().looksAtOthers();
                place(
                        mayLeave ? loose.get(place) : group,
                        group.placement(),
                        mayLeave ? clusters : clusters.subList(0, 1));
                if (group.left() > 0) {
                    unplaced.add(group.explain(noRoomInCells(mayLeave)));
                    wakeOnRoom(group, mayLeave);
                }
            }
            return unplaced;
        }

        private void place(PendingGroup group, GroupPlacement placement, List<Cluster> among) {
            Musts musts = new Musts(placement.constraints());
            long draw = choice == GlobalMaster.Choice.RANDOM ? random.nextLong() : 0;
            among.forEach(cluster -> cluster.beginGroup(draw, group, musts));
            boolean found = true;
            while (found && group.hasNext()) {
                found = internal(group, musts, among) || external(group, musts, among);
            }
            boolean isAlone = group.header().gang().isEmpty() && !placement.looksAtOthers();
            if (preempts && isAlone && group.hasNext()) {
                preempt(group, placement, among);
            }
        }

        /** "Only if there is contention" (IV-C): the home's transaction verifies that the victim still runs where it did. */
        private void preempt(PendingGroup group, GroupPlacement placement, List<Cluster> among) {
            PoolShares shares = new PoolShares(home, uses);
            uses = shares.uses();
            Optional<TaskRow> victim = Optional.empty();
            do {
                victim = shares.victimFor(group, job.job(), task -> mayMakeRoom(task, group, placement, among));
                victim.ifPresent(task -> {
                    group.claimEvicting(task.machine().orElseThrow(), List.of(task));
                    shares.preempted(group, job.job(), task);
                });
            } while (victim.isPresent() && group.hasNext());
        }

        /** Only the member knows on which of its machines the task runs, so a task with constraints makes no room there. */
        private boolean mayMakeRoom(TaskRow task, PendingGroup group, GroupPlacement placement, List<Cluster> among) {
            int machine = task.machine().orElseThrow();
            boolean isInMember = members.stream().anyMatch(member -> member.gateway == machine);
            boolean mayGo = isInMember
                    ? among.size() > 1 && placement.constraints().isEmpty()
                    : clusters.get(0).meets(machine, new Musts(placement.constraints()));
            return mayGo && group.mayEvict(task) && group.fitsEvicting(machine, List.of(task));
        }

        private boolean internal(PendingGroup group, Musts musts, List<Cluster> among) {
            int turns = claim(among, nextInternal, cluster -> cluster.internal.claim(group, musts));
            nextInternal += turns;
            return turns > 0;
        }

        private boolean external(PendingGroup group, Musts musts, List<Cluster> among) {
            int turns = claim(among, nextExternal, cluster -> cluster.external.claim(group, musts));
            nextExternal += turns;
            if (turns > 0) {
                Cluster claimed = among.get(Math.floorMod(nextExternal - 1, among.size()));
                repartitions[claimed.cell.place()]++;
            }
            return turns > 0;
        }

        /** Asks the clusters in turn. Returns how many turns it took until one took the task; 0 if none takes it. */
        private int claim(List<Cluster> among, int next, Predicate<Cluster> claims) {
            for (int turn = 0; turn < among.size(); turn++) {
                if (claims.test(among.get(Math.floorMod(next + turn, among.size())))) {
                    return turn + 1;
                }
            }
            return 0;
        }

        // ---- tasks that are left

        private Exclusion noRoomInCells(boolean mayLeave) {
            String why = mayLeave
                    ? "its own machines, of which none has room as far as its scheduler sees"
                    : "a group whose tasks stay together in their cell";
            return machine -> members.stream()
                    .filter(member -> member.gateway == machine)
                    .findFirst()
                    .map(member -> why);
        }

        private void wakeOnRoom(PendingGroup group, boolean mayLeave) {
            if (mayLeave) {
                members.forEach(member -> amounts(group, member.cell)
                        .ifPresent(shape -> wakes.add(new Wake.Room(
                                job.key(),
                                member.cell.place(),
                                shape,
                                group.placement().constraints()))));
                views.values().forEach(view -> wakes.add(new Wake.At(job.key(), view.next(heartbeatMillis))));
            }
        }

        /** The amounts that a task of the group takes, in the dimensions of that cell; empty if it lacks one of them. */
        private Optional<Amounts> amounts(PendingGroup group, PlanningView cell) {
            Dimensions known = home.view().dimensions();
            Map<String, Long> named = new HashMap<>();
            for (int dimension = 0; dimension < group.shape().size(); dimension++) {
                if (group.shape().at(dimension) > 0) {
                    named.put(known.nameAt(dimension), group.shape().at(dimension));
                }
            }
            boolean hasAll = named.keySet().stream()
                    .allMatch(name -> cell.view().dimensions().find(name) >= 0);
            return hasAll ? Optional.of(cell.amounts(named)) : Optional.empty();
        }
    }
}
