package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduler.batch.apollo.ReadSpeeds.Part;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.placement.TaskInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The places of one task's input, and how long a machine reads it. Each named machine and rack has a copy, and a task reads the
 * nearest one. Belongs to one plan.
 */
final class InputPlaces {
    /** A task without input. */
    static final InputPlaces NONE = new InputPlaces(List.of(), List.of(), 0);

    private static final int PLACES_MAX = 10;
    private static final int NO_MACHINE = -1;
    private static final int NO_RACK = -1;

    /** A machine that names no rack, or one without a copy, is in none of the copies' racks. */
    private static final int OTHER_RACK = -2;

    private final List<Part> copies;
    private final List<String> racks;
    private final double megabytes;

    private InputPlaces(List<Part> copies, List<String> racks, double megabytes) {
        this.copies = copies;
        this.racks = racks;
        this.megabytes = megabytes;
    }

    /** The first ten places by name; a machine that the cell does not have is none. */
    static InputPlaces of(TaskInputs input, PlanningView cell, Racks cellRacks, double megabytes) {
        List<Part> copies = new ArrayList<>();
        List<String> racks = new ArrayList<>();
        for (String name : new TreeSet<>(input.machines())) {
            OptionalInt machine = cell.view().findMachine(name);
            machine.ifPresent(slot -> copies.add(new Part(
                    slot,
                    cellRacks.rackOf(slot).map(rack -> number(rack, racks)).orElse(NO_RACK),
                    megabytes)));
        }
        for (String rack : new TreeSet<>(input.racks())) {
            copies.add(new Part(NO_MACHINE, number(rack, racks), megabytes));
        }
        return new InputPlaces(List.copyOf(copies.subList(0, Math.min(copies.size(), PLACES_MAX))), racks, megabytes);
    }

    private static int number(String rack, List<String> racks) {
        if (!racks.contains(rack)) {
            racks.add(rack);
        }
        return racks.indexOf(rack);
    }

    List<Part> copies() {
        return copies;
    }

    /** The machines of the rack with that number. */
    int[] inRack(int number, Racks cellRacks) {
        return number == NO_RACK
                ? new int[0]
                : cellRacks.machinesOf(racks.get(number)).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    /** How much longer the machine reads the input than one that has it. */
    double extraSeconds(int machine, Racks cellRacks, ReadSpeeds speeds) {
        if (copies.isEmpty()) {
            return 0;
        }
        int rack = cellRacks
                .rackOf(machine)
                .filter(racks::contains)
                .map(racks::indexOf)
                .orElse(OTHER_RACK);
        double nearest = Double.POSITIVE_INFINITY;
        for (Part copy : copies) {
            nearest = Math.min(nearest, speeds.seconds(List.of(copy), machine, rack));
        }
        return nearest - megabytes / speeds.localMegabytesPerSecond();
    }
}
