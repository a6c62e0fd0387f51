package dev.cella.scheduler.batch.megha;

import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The machines of one cell, as a global master divides them: its own partition, and those of the other instances of its
 * scheduler. A machine belongs to the instance that draws the highest number for it (rendezvous hashing). So all instances
 * divide them alike without communication, and the partition of an instance that goes is shared by the others.
 *
 * <p>Belongs to one plan.
 */
abstract class Cluster {
    final PlanningView cell;

    /** The machines of this instance. */
    final Partition internal;

    /** The machines of the other instances. A task that goes there is a repartition. */
    final Partition external;

    /** @param gateways slots that stand for other clusters, and are no workers of this one */
    Cluster(PlanningView cell, Set<Integer> gateways) {
        this.cell = cell;
        Optional<String> own = cell.instance();
        List<SessionRow> instances = own.isEmpty() ? List.of() : instances(cell);
        List<Integer> ours = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        cell.slots()
                .filter(slot -> cell.isReady(slot) && !gateways.contains(slot))
                .forEach(slot -> {
                    boolean isOurs = instances.size() < 2
                            || owner(cell.view(), slot, instances).equals(own);
                    (isOurs ? ours : others).add(slot);
                });
        this.internal = new Partition(ours);
        this.external = new Partition(others);
    }

    private static List<SessionRow> instances(PlanningView cell) {
        return cell.view().sessions().stream()
                .filter(session -> session.scheduler().equals(cell.scheduler()))
                .toList();
    }

    private static Optional<String> owner(CellView view, int slot, List<SessionRow> instances) {
        Optional<String> owner = Optional.empty();
        long highest = 0;
        for (SessionRow each : instances) {
            long name = Digests.of(each.instance().getBytes(StandardCharsets.UTF_8));
            long draw = Digests.mix(name, view.machineId(slot).version());
            if (owner.isEmpty() || draw > highest) {
                owner = Optional.of(each.instance());
                highest = draw;
            }
        }
        return owner;
    }

    // ---- one group after another

    /** The search for the tasks of another group begins at the machines of this draw; 0 is the first ones. */
    void beginGroup(long draw, PendingGroup group, Musts musts) {
        internal.beginGroup(draw);
        external.beginGroup(draw);
    }

    /** Some of the machines, and how far the search for one group has come. */
    final class Partition {
        private final int[] machines;
        private int first;

        /** How many machines the group's tasks have passed. A plan takes room and gives none back. */
        private int passed;

        Partition(List<Integer> machines) {
            this.machines = machines.stream().mapToInt(Integer::intValue).toArray();
        }

        private void beginGroup(long draw) {
            first = machines.length == 0 ? 0 : (int) Long.remainderUnsigned(draw, machines.length);
            passed = 0;
        }

        /** Claims a machine for the next task. Returns whether one of them takes it. */
        boolean claim(PendingGroup group, Musts musts) {
            while (passed < machines.length) {
                int worker = machines[(first + passed) % machines.length];
                if (takes(worker, group, musts)) {
                    Cluster.this.claim(worker, group);
                    return true;
                }
                passed++;
            }
            return false;
        }
    }

    boolean meets(int worker, Musts musts) {
        return musts.firstUnmet(cell.view(), worker).isEmpty();
    }

    abstract boolean takes(int worker, PendingGroup group, Musts musts);

    abstract void claim(int worker, PendingGroup group);

    /** All machines, those of the own partition first. */
    IntStream workers() {
        return IntStream.concat(Arrays.stream(internal.machines), Arrays.stream(external.machines));
    }

    /** The cell whose jobs it plans. */
    static final class Home extends Cluster {
        Home(PlanningView cell, Set<Integer> gateways) {
            super(cell, gateways);
        }

        @Override
        boolean takes(int worker, PendingGroup group, Musts musts) {
            return group.takes(worker) && meets(worker, musts);
        }

        @Override
        void claim(int worker, PendingGroup group) {
            group.claimNext(worker);
        }
    }

    /**
     * A cell that is a machine of the home. A task for one of its machines is placed on that machine in the home. The cell's
     * own transaction places it there, on a view that may be newer.
     */
    static final class Member extends Cluster {
        private final PlanningView home;
        private final JobId job;
        final int gateway;
        private final long[] budget;
        private final Map<Integer, long[]> reserved = new HashMap<>();

        /** Its knowledge of the cell; empty if it follows the cell's feed. */
        private final Optional<StaleView> stale;

        /** @param gateway the machine of the home that is this cell */
        Member(PlanningView cell, PlanningView home, JobId job, int gateway, Optional<StaleView> stale) {
            super(cell, Set.of());
            this.home = home;
            this.job = job;
            this.gateway = gateway;
            this.stale = stale;
            this.budget = new long[home.view().dimensions().size()];
            for (int dimension = 0; dimension < budget.length; dimension++) {
                budget[dimension] = free(dimension) - underWay(dimension);
            }
        }

        private int placeHere(int dimension) {
            return cell.view().dimensions().find(home.view().dimensions().nameAt(dimension));
        }

        private long free(int dimension) {
            int here = placeHere(dimension);
            IntStream ready = cell.slots().filter(cell::isReady);
            return here < 0 ? 0 : ready.mapToLong(slot -> free(slot, here)).sum();
        }

        private long free(int slot, int here) {
            return stale.map(view -> view.free(cell, slot, here)).orElseGet(() -> cell.free(slot, here));
        }

        /** Returns whether the free amounts of the view are without what the task holds. */
        private boolean showsRunning(TaskRow task) {
            return task.startedAtMillis().isPresent()
                    && (stale.isEmpty()
                            || task.placement()
                                    .filter(stale.get()::showsRunning)
                                    .isPresent());
        }

        /** The amounts of tasks that went there and do not run yet: the view of the cell may not show them. */
        private long underWay(int dimension) {
            long held = home.view().capacity(gateway, dimension) - home.free(gateway, dimension);
            long[] running = new long[1];
            home.view().forEachTaskOn(gateway, task -> {
                running[0] += showsRunning(task) ? task.resources().at(dimension) : 0;
            });
            return Math.max(0, held - running[0]);
        }

        /** Tasks of the group that are under way have the first machines that would take them. */
        @Override
        void beginGroup(long draw, PendingGroup group, Musts musts) {
            super.beginGroup(draw, group, musts);
            int[] underWay = {group.tasksOn(gateway) - started(group)};
            workers().filter(worker -> underWay[0] > 0 && meets(worker, musts)).forEach(worker -> {
                while (underWay[0] > 0 && hasRoom(worker, group)) {
                    reserve(worker, group);
                    underWay[0]--;
                }
            });
        }

        private int started(PendingGroup group) {
            int[] started = new int[1];
            home.view().forEachTaskOn(gateway, task -> {
                boolean isOfGroup = task.id().job().equals(job)
                        && task.groupName().equals(group.header().name());
                started[0] += isOfGroup && showsRunning(task) ? 1 : 0;
            });
            return started[0];
        }

        @Override
        boolean takes(int worker, PendingGroup group, Musts musts) {
            return group.takes(gateway) && isInBudget(group) && hasRoom(worker, group) && meets(worker, musts);
        }

        private boolean isInBudget(PendingGroup group) {
            for (int dimension = 0; dimension < group.shape().size(); dimension++) {
                long asked = group.shape().at(dimension);
                if (asked > 0 && asked > budget[dimension]) {
                    return false;
                }
            }
            return true;
        }

        private boolean hasRoom(int worker, PendingGroup group) {
            for (int dimension = 0; dimension < group.shape().size(); dimension++) {
                long asked = group.shape().at(dimension);
                if (asked > 0 && asked > left(worker, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private long left(int worker, int dimension) {
            int here = placeHere(dimension);
            long[] taken = reserved.get(worker);
            return here < 0 ? 0 : free(worker, here) - (taken == null ? 0 : taken[dimension]);
        }

        @Override
        void claim(int worker, PendingGroup group) {
            reserve(worker, group);
            for (int dimension = 0; dimension < group.shape().size(); dimension++) {
                budget[dimension] -= group.shape().at(dimension);
            }
            group.claimNext(gateway);
        }

        private void reserve(int worker, PendingGroup group) {
            long[] taken = reserved.computeIfAbsent(worker, none -> new long[budget.length]);
            for (int dimension = 0; dimension < group.shape().size(); dimension++) {
                taken[dimension] += group.shape().at(dimension);
            }
        }
    }
}
