package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** In a full cell a plan looks only at machines that may have room, and places what one that looks at all would place. */
class FullCellTest {
    private static final int SEEDS = 30;
    private static final int MACHINES = 40;
    private static final int STEPS = 60;

    @Test
    void plans_thatKnowFullMachines_areThoseThatLookAtAll() {
        int waits = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            List<List<String>> all = placements(new FairCell(), new Random(seed));
            assertThat(placements(FairCell.knowingFullMachines(), new Random(seed)))
                    .as("seed %d", seed)
                    .isEqualTo(all);
            waits += (int) all.stream().filter(job -> job.contains("-")).count();
        }
        assertThat(waits).as("jobs that found the cell full").isGreaterThan(SEEDS);
    }

    /** Where the tasks of each live job are after each plan. Jobs come and go at random, more than the machines hold. */
    private static List<List<String>> placements(FairCell cell, Random random) {
        for (int machine = 0; machine < MACHINES; machine++) {
            cell.machine("m" + machine, "r" + machine / 10, 1 + random.nextInt(4), 8);
        }
        List<String> live = new ArrayList<>();
        List<List<String>> placements = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (live.size() > 12 || (random.nextInt(3) == 0 && !live.isEmpty())) {
                cell.stop(live.remove(random.nextInt(live.size())));
            } else {
                live.add("j" + step);
                cell.job("j" + step, "p" + random.nextInt(2), 1 + random.nextInt(30), 1 + random.nextInt(3), 1);
            }
            cell.pass(1_000).plan();
            live.forEach(job -> placements.add(cell.machinesOf(job)));
        }
        return placements;
    }
}
