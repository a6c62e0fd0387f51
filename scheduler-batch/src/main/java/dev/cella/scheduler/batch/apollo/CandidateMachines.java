package dev.cella.scheduler.batch.apollo;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * The machines that a task is estimated for (3.3): those with a significant part of its input, those in the same racks, and
 * some at random of the lightly loaded ones.
 *
 * @param significant the fraction of a task's input from which on a part counts
 * @param lightlyLoaded how many of these are drawn; the paper draws 2
 */
public record CandidateMachines(double significant, int lightlyLoaded) {
    public static final CandidateMachines PAPER = new CandidateMachines(0.1, 2);

    public CandidateMachines {
        if (!(significant >= 0 && significant <= 1) || lightlyLoaded < 1) {
            throw new IllegalArgumentException("a part is from 0 to 1, and at least one machine is drawn");
        }
    }

    /**
     * The candidates without repetition, in this order.
     *
     * @param inRack the machines of a rack
     * @param light draws one of the lightly loaded machines
     */
    public int[] of(List<ReadSpeeds.Part> input, IntFunction<int[]> inRack, IntSupplier light) {
        Set<Integer> chosen = new LinkedHashSet<>();
        double all = input.stream().mapToDouble(ReadSpeeds.Part::megabytes).sum();
        List<ReadSpeeds.Part> large = input.stream()
                .filter(part -> part.megabytes() >= significant * all)
                .toList();
        large.forEach(part -> chosen.add(part.machine()));
        for (ReadSpeeds.Part part : large) {
            for (int machine : inRack.apply(part.rack())) {
                chosen.add(machine);
            }
        }
        for (int draw = 0; draw < lightlyLoaded; draw++) {
            chosen.add(light.getAsInt());
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }
}
