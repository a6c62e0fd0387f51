package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduling.Candidates;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.TaskInputs;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The machines near a task's input that can take it now. If only racks are named, each machine of these racks counts as near.
 * If none of the named places is in the view, every machine does.
 */
final class NearInput {
    private final PlanningView cell;
    private final Racks racks;
    private final SplittableRandom random;

    NearInput(PlanningView cell, Racks racks, SplittableRandom random) {
        this.cell = cell;
        this.racks = racks;
        this.random = random;
    }

    /**
     * A machine for the group's next task, at most that far from its input; {@link Candidates#NONE} if none takes it.
     */
    int find(PendingGroup group, TaskInputs input, Locality locality) {
        List<Integer> homes = homes(input);
        if (homes.isEmpty()) {
            return locality == Locality.ANY
                    ? Candidates.NONE
                    : group.candidates(FairScheduler.CHOICE, random).next();
        }
        return locality == Locality.MACHINE ? firstThatTakes(group, homes) : findInRacks(group, input, homes);
    }

    private List<Integer> homes(TaskInputs input) {
        List<Integer> homes = new ArrayList<>();
        for (String name : input.machines()) {
            OptionalInt machine = cell.view().findMachine(name);
            machine.ifPresent(slot -> addIfShown(slot, homes));
        }
        if (input.machines().isEmpty()) {
            input.racks().forEach(rack -> homes.addAll(racks.machinesOf(rack)));
        }
        return homes;
    }

    private void addIfShown(int machine, List<Integer> homes) {
        if (cell.isWithin(machine)) {
            homes.add(machine);
        }
    }

    private int findInRacks(PendingGroup group, TaskInputs input, List<Integer> homes) {
        for (String rack : racksNear(input, homes)) {
            int machine = firstThatTakes(group, racks.machinesOf(rack));
            if (machine != Candidates.NONE) {
                return machine;
            }
        }
        return Candidates.NONE;
    }

    private Set<String> racksNear(TaskInputs input, List<Integer> homes) {
        Set<String> near = new LinkedHashSet<>(input.racks());
        homes.forEach(machine -> racks.rackOf(machine).ifPresent(near::add));
        return near;
    }

    /**
     * The same room on machines at most that far from an input. Names of machines that are not in the view count: such a machine
     * may be registered later.
     */
    List<Wake> rooms(Wake.Room anywhere, List<TaskInputs> inputs, Locality locality) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> inRacks = new LinkedHashSet<>();
        for (TaskInputs input : inputs) {
            names.addAll(input.machines());
            if (locality == Locality.RACK) {
                inRacks.addAll(racksNear(input, homes(input)));
            } else if (input.machines().isEmpty()) {
                inRacks.addAll(input.racks());
            }
        }
        List<Wake> rooms = new ArrayList<>();
        if (!names.isEmpty()) {
            rooms.add(anywhere.on(names));
        }
        if (!inRacks.isEmpty()) {
            rooms.add(anywhere.and(new Constraint(Racks.ATTRIBUTE, Operator.IN, List.copyOf(inRacks))));
        }
        return rooms;
    }

    /** Begins at a random place in the list, so that planners on the same view do not all take the same machine. */
    private int firstThatTakes(PendingGroup group, List<Integer> machines) {
        int begin = machines.isEmpty() ? 0 : random.nextInt(machines.size());
        for (int step = 0; step < machines.size(); step++) {
            int machine = machines.get((begin + step) % machines.size());
            if (group.takes(machine)) {
                return machine;
            }
        }
        return Candidates.NONE;
    }
}
