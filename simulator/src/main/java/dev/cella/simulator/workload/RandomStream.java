package dev.cella.simulator.workload;

import java.util.Random;

/** The random streams of a seed, one per kind: one more draw of one kind changes no other kind. */
public enum RandomStream {
    PREFILL(0),
    BATCH_JOBS(1),
    SERVICE_JOBS(2),
    PLACEMENT(3),
    BLOCKS(4);

    private static final int SEED_FACTOR = 31;

    private final int number;

    RandomStream(int number) {
        this.number = number;
    }

    public Random of(long seed) {
        return new Random(seed * SEED_FACTOR + number);
    }
}
