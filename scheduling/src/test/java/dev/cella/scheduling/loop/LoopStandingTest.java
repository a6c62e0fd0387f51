package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Signal;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an agenda sees of the jobs that wait. */
class LoopStandingTest {
    private final List<Integer> seen = new ArrayList<>();
    private final List<Signal> signals = new ArrayList<>();

    /** Places nothing: each job waits for room anywhere, and for room on the machine m1. Its agenda takes all that waits. */
    private final class WaitsTwice implements Scheduler<String>, Agenda<String> {
        @Override
        public String start() {
            return "";
        }

        @Override
        public Agenda<String> agenda() {
            return this;
        }

        @Override
        public List<JobKey> next(Standing standing, String memory) {
            List<JobKey> waiting = new ArrayList<>();
            standing.jobs().forEachRemaining(job -> waiting.add(job.key()));
            seen.add(waiting.size());
            return waiting;
        }

        @Override
        public int wakesMax() {
            return 10;
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            List<Unplaced> left = new ArrayList<>();
            List<Wake> wakes = new ArrayList<>();
            signals.addAll(work.signals());
            for (JobWork job : work.jobs()) {
                for (PendingGroup group : job.in(cells).pendingGroups(job.id())) {
                    Wake.Room room = new Wake.Room(job.key(), group.shape());
                    left.add(group.explain());
                    wakes.addAll(List.of(room, room.on(Set.of("m1"))));
                }
            }
            return Plan.of(left, wakes, "");
        }
    }

    @Test
    void jobs_whichSeveralWakesHaveWoken_areShownOnce() {
        new LoopTable<>(new WaitsTwice(), 1).run("""
                machine m1 2000
                others take m1 2000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->
                others leave m1
                view ->            plan a
                """);
        assertThat(seen).containsExactly(2, 2);
    }

    @Test
    void jobsThatWakeTogether_areEachToldTheMachineWithRoomForThem() {
        LoopTable<?> table = new LoopTable<>(new WaitsTwice(), 1).run("""
                machine m1 2000
                machine m2 2000
                others take m1 2000
                others take m2 2000
                job a 1 x 2000
                job b 1 x 1000
                job c 1 x 500
                job d 1 x 3000
                view ->            plan a
                planned ->
                others leave m2
                view ->            plan a
                """);
        int m2 = table.cell().view().findMachine("m2").orElseThrow();
        assertThat(seen).containsExactly(4, 3);
        assertThat(signals)
                .extracting(signal -> signal instanceof Signal.Freed freed ? freed.machine() : -1)
                .containsExactly(m2, m2, m2);
        assertThat(signals).extracting(Signal::job).doesNotHaveDuplicates();
    }

    @Test
    void jobThatWaitsForRoom_isWoken_whenAnotherMachineTakesTheSlotOfARemovedOne() {
        new LoopTable<>(new WaitsTwice(), 1).run("""
                machine m0 2000
                job a 1 x 1000
                view ->            plan a
                planned ->
                remove m0
                machine m1 2000
                view ->            plan a
                """);
        assertThat(seen).containsExactly(1, 1);
    }
}
