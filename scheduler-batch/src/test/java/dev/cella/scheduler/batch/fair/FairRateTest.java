package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How fast a plan is on the paper's heavier load: 2,500 machines of 4 slots, 100 jobs in 20 pools (5.4, where it was 3,200
 * tasks a second). {@code -Dcella.rate=true} prints it; no time is asserted.
 */
@EnabledIfSystemProperty(named = "cella.rate", matches = "true")
class FairRateTest {
    private static final int MACHINES = 2_500;
    private static final int SLOTS = 4;
    private static final int JOBS = 100;
    private static final int POOLS = 20;
    private static final int ROUNDS = 12;

    @Test
    void plansOfAWholeCell() {
        for (int round = 1; round <= ROUNDS; round++) {
            FairCell cell = new FairCell();
            for (int machine = 0; machine < MACHINES; machine++) {
                cell.machine("m" + machine, "r" + machine / 25, SLOTS, SLOTS);
            }
            for (int job = 0; job < JOBS; job++) {
                cell.job("j" + job, "p" + job % POOLS, 1_000, 1, 1);
            }
            long nanos = cell.nanosToPlan();
            int placed = 0;
            for (int job = 0; job < JOBS; job++) {
                placed += cell.placed("j" + job);
            }
            assertThat(placed).isEqualTo(MACHINES * SLOTS);
            System.out.printf(
                    Locale.ROOT,
                    "round %d: %d tasks planned in %.1f ms, %,.0f tasks/s%n",
                    round,
                    placed,
                    nanos / 1e6,
                    placed / (nanos / 1e9));
        }
    }
}
