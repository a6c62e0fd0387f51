package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rounds of a scheduler that works on two cells. */
class RoundsOfTwoCellsTest {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final List<TestCell> cells = List.of(new TestCell(), new TestCell());
    private final List<CellReplica> replicas = List.of(new CellReplica(), new CellReplica());
    private final SchedulerLoop<String> loop = loop();
    private CellTime now = new CellTime(1_000);

    /** Looks at its cells once a second, and asks for nothing. */
    private static final class Looks implements Scheduler<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Optional<Rounds> rounds() {
            return Optional.of(new Rounds(EVERY, EVERY));
        }

        @Override
        public Plan<String> plan(List<PlanningView> views, Work work, PlanContext<String> context) {
            return Plan.of(List.of(), List.of(), "");
        }
    }

    private SchedulerLoop<String> loop() {
        List<LoopSeat> seats = List.of(seat(0), seat(1));
        return new SchedulerLoop<>(
                LoopOptions.of("test", seats.get(0).session(), 42),
                new Looks(),
                seats,
                Observations.NONE,
                "",
                cells.get(0).time());
    }

    private LoopSeat seat(int place) {
        SessionId session = cells.get(place).openSession("test");
        replicas.get(place).applyChanges(cells.get(place).takeChanges());
        return new LoopSeat(session, replicas.get(place).view(), Placements.ANYWHERE);
    }

    /** How many rounds begin in the next second. Their plans arrive at once. */
    private int roundsOfASecond() {
        now = now.plusMillis(EVERY.toMillis());
        int begun = 0;
        for (int place = 0; place < cells.size(); place++) {
            replicas.get(place).applyChanges(cells.get(place).takeChanges(), loop.touchedRows(place));
            for (Action<String> action : loop.on(new Event.ViewAdvanced<>(place), now)) {
                if (action instanceof Action.PlanNow<String> plan) {
                    begun++;
                    loop.on(plan.run(new Looks()), now);
                }
            }
        }
        return begun;
    }

    @Test
    void pauseInOneCell_doesNotStopTheRoundsOfTheOther() {
        assertThat(roundsOfASecond()).isEqualTo(1);
        cells.get(1).pause("test", true);
        assertThat(roundsOfASecond()).isEqualTo(1);
        cells.get(0).pause("test", true);
        assertThat(roundsOfASecond()).as("paused in all cells").isZero();
        cells.get(1).pause("test", false);
        assertThat(roundsOfASecond()).isEqualTo(1);
    }
}
