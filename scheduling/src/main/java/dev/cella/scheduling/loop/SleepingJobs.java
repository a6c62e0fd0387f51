package dev.cella.scheduling.loop;

import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The jobs that wait for room on a machine of one cell, by the shape and the constraints that they wait for.
 *
 * <h2>Which job to wake</h2>
 *
 * <p>Waking all waiting jobs whenever something is freed costs one plan per job, and all but the first are useless. So no job
 * is woken. Instead, a machine that gained room becomes a witness for the shapes that fit it. The loop asks for the first
 * sleeper, in the order of the queue, that has a new witness with enough room. Once the first job has taken the room the
 * witness is gone, and the others sleep on. A sleeper that could not use a witness (its own policy excluded that machine) has
 * seen it, and the next one gets the chance.
 *
 * <p>Some agendas choose among the jobs that wait. They see several sleepers at once, up to their own limit. Then the plan
 * decides which job gets the room, as fair sharing does.
 *
 * <p>Moments tell what is new; every witness has one. A job has seen everything before the moment at which its plan began.
 * Whatever appeared during the plan is newer, so that wake-up is not missed.
 *
 * <p>Owned by {@link SchedulerLoop}.
 */
final class SleepingJobs {
    /** The room on a machine now, after everything in flight. */
    interface Room {
        /** Returns whether the machine has the room that a job waits for. */
        boolean fits(int machine, Amounts shape, Musts musts);

        /** No shape that asks for more of the dimension fits. */
        long free(int machine, int dimension);
    }

    /**
     * The room that a job waits for: a shape on a machine that meets constraints; by pool if the agenda reads pools.
     */
    private record Need(Amounts shape, List<Constraint> constraints, String pool) {}

    /** A sleeper and the machine, of the cell at that place, that it could use now. */
    record Woken(OpenJob job, int cell, int machine) {}

    private final int place;
    private final Room room;
    private final boolean perPool;
    private final int wakesMax;
    private final Map<Need, Shelf> shelves = new HashMap<>();

    /** The same shelves by how many processors their shapes ask for. */
    private final NavigableMap<Long, Set<Shelf>> byProcessors = new TreeMap<>();

    private final Map<OpenJob, Set<Need>> needs = new HashMap<>();
    private final Witnesses sincePlanBegan = new Witnesses();
    private long moment;

    /**
     * @param place the place of the cell
     * @param wakesMax how many of those who wait for the same are woken at once
     */
    SleepingJobs(int place, Room room, boolean perPool, int wakesMax) {
        this.place = place;
        this.room = room;
        this.perPool = perPool;
        this.wakesMax = wakesMax;
    }

    /** A plan begins, alone or besides others. Its jobs have seen everything until the returned moment. */
    long beginPlan(boolean only) {
        if (only) {
            sincePlanBegan.clear();
        }
        return moment;
    }

    /** The job waits for room that appeared, or will appear, after the moment {@code seen}. */
    void add(OpenJob job, Wake.Room wanted, long seen) {
        String pool = perPool ? job.pool() : "";
        Need need = new Need(wanted.shape(), wanted.constraints(), pool);
        shelves.computeIfAbsent(need, this::newShelf).add(job, seen);
        needs.computeIfAbsent(job, first -> new HashSet<>()).add(need);
    }

    private Shelf newShelf(Need need) {
        Shelf shelf = new Shelf(need);
        byProcessors
                .computeIfAbsent(processors(need), asked -> new LinkedHashSet<>())
                .add(shelf);
        sincePlanBegan.byMoment.forEach((at, machine) -> shelf.freed(machine, at));
        return shelf;
    }

    /** The job no longer waits. */
    void remove(OpenJob job) {
        Set<Need> its = needs.remove(job);
        if (its != null) {
            its.forEach(need -> remove(job, need));
        }
    }

    private void remove(OpenJob job, Need need) {
        Shelf shelf = shelves.get(need);
        if (shelf != null && shelf.removesLast(job)) {
            shelves.remove(need);
            byProcessors.computeIfPresent(processors(need), (asked, all) -> {
                all.remove(shelf);
                return all.isEmpty() ? null : all;
            });
        }
    }

    private static long processors(Need need) {
        return need.shape().at(Dimensions.CPU_MILLI);
    }

    /**
     * The machine gained room. It is compared with the shapes that ask for no more processors than it has free: in a full cell
     * that is little, and most shapes ask for more.
     */
    void freed(int machine) {
        moment++;
        sincePlanBegan.add(machine, moment);
        if (!shelves.isEmpty()) {
            byProcessors
                    .headMap(room.free(machine, Dimensions.CPU_MILLI), true)
                    .values()
                    .forEach(some -> some.forEach(shelf -> shelf.freed(machine, moment)));
        }
    }

    /** The sleepers that could now be placed, the first of each shelf. They sleep on until they are removed. */
    List<Woken> woken() {
        if (shelves.isEmpty()) {
            return List.of();
        }
        List<Woken> woken = new ArrayList<>();
        shelves.values().forEach(shelf -> shelf.addWoken(woken));
        return woken;
    }

    /** Machines that gained room, each with the last moment at which it did. */
    private static final class Witnesses {
        final NavigableMap<Long, Integer> byMoment = new TreeMap<>();
        private final Map<Integer, Long> moments = new HashMap<>();

        void add(int machine, long at) {
            Long before = moments.put(machine, at);
            if (before != null) {
                byMoment.remove(before);
            }
            byMoment.put(at, machine);
        }

        void clear() {
            byMoment.clear();
            moments.clear();
        }
    }

    /**
     * All jobs that wait for the same room, with the moment that each has seen, and the machines that may have the room.
     */
    private final class Shelf {
        private final Amounts shape;
        private final Musts musts;
        private final NavigableMap<OpenJob, Long> sleepers = new TreeMap<>();
        private final Witnesses witnesses = new Witnesses();
        private boolean exhausted;

        Shelf(Need need) {
            this.shape = need.shape;
            this.musts = new Musts(need.constraints);
        }

        void add(OpenJob job, long seen) {
            sleepers.put(job, seen);
            exhausted = false;
        }

        boolean removesLast(OpenJob job) {
            return sleepers.remove(job) != null && sleepers.isEmpty();
        }

        void freed(int machine, long at) {
            if (room.fits(machine, shape, musts)) {
                witnesses.add(machine, at);
                exhausted = false;
            }
        }

        void addWoken(List<Woken> woken) {
            if (exhausted) {
                return;
            }
            int left = wakesMax;
            for (Map.Entry<OpenJob, Long> sleeper : sleepers.entrySet()) {
                OptionalInt machine = newerThan(sleeper.getValue());
                if (machine.isPresent()) {
                    woken.add(new Woken(sleeper.getKey(), place, machine.getAsInt()));
                    left--;
                }
                if (left == 0) {
                    return;
                }
            }
            exhausted = left == wakesMax;
        }

        /** The newest witness after {@code seen} that still has the room. Witnesses without it are dropped. */
        private OptionalInt newerThan(long seen) {
            Iterator<Integer> newestFirst = witnesses
                    .byMoment
                    .tailMap(seen, false)
                    .descendingMap()
                    .values()
                    .iterator();
            while (newestFirst.hasNext()) {
                int machine = newestFirst.next();
                if (room.fits(machine, shape, musts)) {
                    return OptionalInt.of(machine);
                }
                newestFirst.remove();
                witnesses.moments.remove(machine);
            }
            return OptionalInt.empty();
        }
    }
}
