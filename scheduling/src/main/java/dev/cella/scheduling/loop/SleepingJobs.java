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
 * The jobs that wait for room on a machine of one cell, by the shape, the constraints and the machines that they wait for.
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

        /** No shape that asks for more of the dimension fits; 0 on a machine that takes no claims. */
        long free(int machine, int dimension);

        /** The name of the machine; empty if it takes no claims. */
        String name(int machine);
    }

    /**
     * The room that a job waits for: a shape on a machine that meets constraints, on one of those machines if it names any; by
     * pool if the agenda reads pools.
     */
    private record Need(Amounts shape, List<Constraint> constraints, Set<String> machines, String pool) {}

    /** A sleeper and the machine, of the cell at that place, that it could use now. */
    record Woken(OpenJob job, int cell, int machine) {}

    private final int place;
    private final Room room;
    private final boolean perPool;
    private final int wakesMax;
    private final Map<Need, Shelf> shelves = new HashMap<>();

    /** Those for which any machine counts, by how many processors their shapes ask for. */
    private final NavigableMap<Long, Set<Shelf>> byProcessors = new TreeMap<>();

    /** Those that name machines, by each name. */
    private final Map<String, Set<Shelf>> byMachine = new HashMap<>();

    /** Those that may have a sleeper to wake. */
    private final Set<Shelf> mayWake = new LinkedHashSet<>();

    private final Map<OpenJob, Set<Need>> needs = new HashMap<>();
    private Witnesses sincePlanBegan = new Witnesses();
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

    /**
     * A plan begins, alone or besides others. Its jobs have seen everything until the returned moment. New witnesses replace the
     * old ones: to clear a map takes as long as it was ever large, and after the first look at a cell that is all its machines.
     */
    long beginPlan(boolean only) {
        if (only) {
            sincePlanBegan = new Witnesses();
        }
        return moment;
    }

    /** The job waits for room that appeared, or will appear, after the moment {@code seen}. */
    void add(OpenJob job, Wake.Room wanted, long seen) {
        String pool = perPool ? job.pool() : "";
        Need need = new Need(wanted.shape(), wanted.constraints(), wanted.machines(), pool);
        shelves.computeIfAbsent(need, this::newShelf).add(job, seen);
        needs.computeIfAbsent(job, first -> new HashSet<>()).add(need);
    }

    private Shelf newShelf(Need need) {
        Shelf shelf = new Shelf(need);
        if (need.machines.isEmpty()) {
            add(shelf, byProcessors, processors(need));
        }
        need.machines.forEach(name -> add(shelf, byMachine, name));
        sincePlanBegan.byMoment.forEach((at, machine) -> shelf.freed(machine, at));
        return shelf;
    }

    private static <K> void add(Shelf shelf, Map<K, Set<Shelf>> index, K key) {
        index.computeIfAbsent(key, first -> new LinkedHashSet<>()).add(shelf);
    }

    private static <K> void remove(Shelf shelf, Map<K, Set<Shelf>> index, K key) {
        index.computeIfPresent(key, (same, all) -> {
            all.remove(shelf);
            return all.isEmpty() ? null : all;
        });
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
            mayWake.remove(shelf);
            if (need.machines.isEmpty()) {
                remove(shelf, byProcessors, processors(need));
            }
            need.machines.forEach(name -> remove(shelf, byMachine, name));
        }
    }

    private static long processors(Need need) {
        return need.shape().at(Dimensions.CPU_MILLI);
    }

    /**
     * The machine gained room. It is compared with the shapes that are wanted on it, and with those that ask for no more
     * processors than it has free: in a full cell that is little, and most shapes ask for more.
     */
    void freed(int machine) {
        moment++;
        sincePlanBegan.add(machine, moment);
        if (!byMachine.isEmpty()) {
            byMachine.getOrDefault(room.name(machine), Set.of()).forEach(shelf -> shelf.freed(machine, moment));
        }
        if (!byProcessors.isEmpty()) {
            byProcessors
                    .headMap(room.free(machine, Dimensions.CPU_MILLI), true)
                    .values()
                    .forEach(some -> some.forEach(shelf -> shelf.freed(machine, moment)));
        }
    }

    /** The sleepers that could now be placed, the first of each shelf. They sleep on until they are removed. */
    List<Woken> woken() {
        if (mayWake.isEmpty()) {
            return List.of();
        }
        List<Woken> woken = new ArrayList<>();
        mayWake.removeIf(shelf -> !shelf.addWoken(woken));
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
    }

    /**
     * All jobs that wait for the same room, with the moment that each has seen, and the machines that may have the room.
     */
    private final class Shelf {
        private final Need need;
        private final Musts musts;
        private final NavigableMap<OpenJob, Long> sleepers = new TreeMap<>();
        private final Witnesses witnesses = new Witnesses();

        Shelf(Need need) {
            this.need = need;
            this.musts = new Musts(need.constraints);
        }

        void add(OpenJob job, long seen) {
            sleepers.put(job, seen);
            mayWake.add(this);
        }

        boolean removesLast(OpenJob job) {
            return sleepers.remove(job) != null && sleepers.isEmpty();
        }

        void freed(int machine, long at) {
            if (hasRoom(machine)) {
                witnesses.add(machine, at);
                mayWake.add(this);
            }
        }

        private boolean hasRoom(int machine) {
            boolean counts = need.machines.isEmpty() || need.machines.contains(room.name(machine));
            return counts && room.fits(machine, need.shape, musts);
        }

        /** Adds its sleepers to wake, and returns whether there are any. */
        boolean addWoken(List<Woken> woken) {
            int left = wakesMax;
            for (Map.Entry<OpenJob, Long> sleeper : sleepers.entrySet()) {
                OptionalInt machine = newerThan(sleeper.getValue());
                if (machine.isPresent()) {
                    woken.add(new Woken(sleeper.getKey(), place, machine.getAsInt()));
                    left--;
                }
                if (left == 0) {
                    return true;
                }
            }
            return left < wakesMax;
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
                if (hasRoom(machine)) {
                    return OptionalInt.of(machine);
                }
                newestFirst.remove();
                witnesses.moments.remove(machine);
            }
            return OptionalInt.empty();
        }
    }
}
