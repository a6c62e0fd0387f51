package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WalkTest {
    @Test
    void visitOnly_keepsTheOrderOfTheWholeWalk() {
        for (long seed = 1; seed <= 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int count = 1 + random.nextInt(40);
            BitSet places = new BitSet();
            for (int chosen = random.nextInt(count + 1); chosen > 0; chosen--) {
                places.set(random.nextInt(count));
            }
            Walk narrowed = new Walk(count, new SplittableRandom(seed));
            narrowed.visitOnly(places.stream());
            List<Integer> expected = visits(new Walk(count, new SplittableRandom(seed)));
            expected.removeIf(place -> !places.get(place));
            assertThat(visits(narrowed)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    /** A cell without machines, or a pool without members. */
    @Test
    void visitOnly_noPlaces_visitsNothing() {
        Walk walk = new Walk(0, new SplittableRandom(1));
        walk.visitOnly(IntStream.empty());
        assertThat(visits(walk)).isEmpty();
    }

    private static List<Integer> visits(Walk walk) {
        List<Integer> visits = new ArrayList<>();
        while (walk.hasNext()) {
            visits.add(walk.next());
        }
        return visits;
    }
}
