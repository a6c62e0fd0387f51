package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlannedCell;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plants planners that hang. Those that must be given up get no time; the others get as much as they need. */
@Timeout(120)
class PlannerThreadTest {
    private static final Duration NO_TIME = Duration.ofMillis(1);
    private static final Duration ALL_THE_TIME = Duration.ofDays(1);
    private static final int STUCK_MAX = 2;

    private final CountDownLatch never = new CountDownLatch(1);

    /** A planner without memory, which says so. */
    private interface Planner extends Scheduler<String> {
        void think(List<PlanningView> cells) throws InterruptedException;

        @Override
        default String start() {
            return "";
        }

        @Override
        default Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            try {
                think(cells);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException("interrupted", interrupted);
            }
            return new Plan<>(List.of(), List.of(), List.of(), "");
        }
    }

    @Test
    void planThatIsMade_isAnswered() {
        try (PlannerThread thread = new PlannerThread("planner", ALL_THE_TIME, STUCK_MAX)) {
            assertThat(plan(thread, cells -> {})).isInstanceOf(Event.Planned.class);
            assertThat(plan(thread, cells -> {
                        throw new IllegalStateException("no idea");
                    }))
                    .isEqualTo(new Event.PlannerFailed<>(7, "java.lang.IllegalStateException: no idea"));
            assertThat(thread.stuck()).isZero();
        }
    }

    @Test
    void plannerThatBlocks_isGivenUpAndInterrupted() {
        try (PlannerThread thread = new PlannerThread("planner", NO_TIME, STUCK_MAX)) {
            assertThat(plan(thread, cells -> never.await()))
                    .isEqualTo(new Event.PlanGivenUp<>(7, "the planner did not come back within 1 ms"));
            awaitNoneStuck(thread);
        }
    }

    @Test
    void plannerThatGoesRoundInItsView_comesOut() {
        PlannedCell cell = new PlannedCell();
        PlanningView view = new PlanningView(
                cell.view(),
                cell.view().draft(),
                new TaskSet(),
                new TransactionStamp("s", new SessionId(2), 1, 1),
                cell.surroundings());
        try (PlannerThread thread = new PlannerThread("planner", NO_TIME, STUCK_MAX)) {
            Event<String> event = thread.plan(plan(List.of(view)), (Planner) cells -> {
                while (cells.get(0).view().isFounded()) {
                    Thread.onSpinWait();
                }
            });
            assertThat(event).isInstanceOf(Event.PlanGivenUp.class);
            awaitNoneStuck(thread);
        }
    }

    @Test
    void plannersThatNeverComeBack_endThePlanningBeforeAllThreadsAreLost() {
        try (PlannerThread thread = new PlannerThread("planner", NO_TIME, STUCK_MAX)) {
            Planner hangs = cells -> awaitWhateverHappens();
            assertThat(plan(thread, hangs)).isInstanceOf(Event.PlanGivenUp.class);
            assertThat(thread.stuck()).isEqualTo(1);
            assertThatThrownBy(() -> plan(thread, hangs))
                    .isInstanceOf(PlannerThread.TooManyStuck.class)
                    .hasMessage(
                            "2 of its plans have not come back, neither within 1 ms nor when interrupted: its planner"
                                    + " hangs");
            never.countDown();
            awaitNoneStuck(thread);
        }
    }

    @Test
    void close_doesNotWaitForThePlanUnderWay() {
        PlannerThread thread = new PlannerThread("planner", ALL_THE_TIME, STUCK_MAX);
        Event<String> event = plan(thread, cells -> {
            thread.close();
            never.await();
        });
        assertThat(event).isEqualTo(new Event.PlanGivenUp<>(7, "the scheduler is closing"));
        awaitNoneStuck(thread);
    }

    private void awaitWhateverHappens() {
        while (never.getCount() > 0) {
            try {
                never.await();
            } catch (InterruptedException deaf) {
                // A planner that does not listen is what this one is.
            }
        }
    }

    private static Event<String> plan(PlannerThread thread, Planner planner) {
        return thread.plan(plan(List.of()), planner);
    }

    private static Action.PlanNow<String> plan(List<PlanningView> cells) {
        return new Action.PlanNow<>(
                7,
                cells,
                new Work(List.of(), List.of()),
                new PlanContext<>(CellTime.ZERO, 1, "", Observations.NONE),
                1);
    }

    private static void awaitNoneStuck(PlannerThread thread) {
        while (thread.stuck() > 0) {
            Thread.onSpinWait();
        }
    }
}
