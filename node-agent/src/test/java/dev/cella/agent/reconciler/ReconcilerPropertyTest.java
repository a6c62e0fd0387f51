package dev.cella.agent.reconciler;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seeded random worlds; a failure names the seed that makes it again. */
class ReconcilerPropertyTest {
    private static final int WORLDS = 3_000;
    private static final int STEPS = 300;

    @Test
    void anyInterleaving_keepsTheInvariantsAndSettlesOnWhatTheCellShows() {
        long first = new Random().nextLong();
        for (long seed = first; seed < first + WORLDS; seed++) {
            run(seed);
        }
    }

    /** The world was wrong there: it told of a lost lease after the machine had registered again. */
    @Test
    void seedThatFailedOnce_holds() {
        run(-3_493_472_550_552_926_888L);
    }

    private static void run(long seed) {
        try {
            ReconcilerWorld world = new ReconcilerWorld(seed);
            for (int step = 0; step < STEPS; step++) {
                world.step();
            }
            world.settle();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + seed, failure);
        }
    }
}
