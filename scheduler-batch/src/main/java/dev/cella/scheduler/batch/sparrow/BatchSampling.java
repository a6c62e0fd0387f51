package dev.cella.scheduler.batch.sparrow;

import java.util.random.RandomGenerator;

/** Chooses the machines that are probed for a job: d for each of its tasks, at random and without repetition. */
public final class BatchSampling {
    private final int machines;
    private final double probesPerTask;

    /** The machine at each place of a permutation that is shuffled only as far as it is drawn from. */
    private final int[] shuffled;

    /** @param probesPerTask d; Sparrow's is 2 */
    public BatchSampling(int machines, double probesPerTask) {
        if (machines < 1 || !(probesPerTask >= 1)) {
            throw new IllegalArgumentException(
                    "at least one machine is probed for each task, not " + probesPerTask + " of " + machines);
        }
        this.machines = machines;
        this.probesPerTask = probesPerTask;
        this.shuffled = new int[machines];
        for (int machine = 0; machine < machines; machine++) {
            shuffled[machine] = machine;
        }
    }

    /** The machines to probe. A job with more probes than there are machines probes all of them, and then some again. */
    public int[] probes(int tasks, RandomGenerator random) {
        int[] probed = new int[(int) Math.ceil(probesPerTask * tasks)];
        for (int probe = 0; probe < probed.length; probe++) {
            int drawn = probe % machines;
            int place = drawn + random.nextInt(machines - drawn);
            int machine = shuffled[place];
            shuffled[place] = shuffled[drawn];
            shuffled[drawn] = machine;
            probed[probe] = machine;
        }
        return probed;
    }
}
