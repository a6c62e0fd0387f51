package dev.cella.simulator.queues;

import dev.cella.simulator.engine.Geometry;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the machines reported last: Apollo's resource monitor. It keeps the list of lightly loaded machines, which are those
 * without a wait; if they are fewer than one in a hundred, it is all machines.
 */
final class ReportedWaits {
    private static final int LIGHT_PART = 100;

    private final Geometry geometry;
    private final @Nullable WaitMatrix[] matrices;
    private final int[] all;

    /** The machines without a wait come first. */
    private final int[] light;

    private final int[] places;
    private int lightCount;

    ReportedWaits(Geometry geometry) {
        this.geometry = geometry;
        this.matrices = new WaitMatrix[geometry.machines()];
        this.all = new int[geometry.machines()];
        Arrays.setAll(all, machine -> machine);
        this.light = all.clone();
        this.places = all.clone();
        this.lightCount = all.length;
    }

    void report(int machine, WaitMatrix matrix) {
        matrices[machine] = matrix;
        boolean isLight = matrix.waitSeconds(geometry.taskCpuMilli(), geometry.taskMemoryMib()) == 0;
        boolean wasLight = places[machine] < lightCount;
        if (isLight && !wasLight) {
            swap(places[machine], lightCount++);
        } else if (!isLight && wasLight) {
            swap(places[machine], --lightCount);
        }
    }

    private void swap(int place, int other) {
        int machine = light[place];
        light[place] = light[other];
        light[other] = machine;
        places[light[place]] = place;
        places[light[other]] = other;
    }

    /** The machine at that place of the list. */
    int light(int place) {
        return light[place];
    }

    int lightCount() {
        return lightCount == 0 || lightCount < all.length / LIGHT_PART ? all.length : lightCount;
    }

    /** The wait of one more task, from now on. Reports count from when they were made. */
    double waitSeconds(int machine, double nowSeconds) {
        WaitMatrix matrix = matrices[machine];
        if (matrix == null) {
            return 0;
        }
        double wait = matrix.waitSeconds(geometry.taskCpuMilli(), geometry.taskMemoryMib());
        return Math.max(0, wait - (nowSeconds - matrix.madeAtSeconds()));
    }
}
