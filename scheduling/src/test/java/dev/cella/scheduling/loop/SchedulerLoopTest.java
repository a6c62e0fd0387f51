package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The loop's reaction to each event, as tables ({@link LoopTable} explains their words). */
class SchedulerLoopTest {
    @Test
    void job_isPlannedSubmittedAndForgottenOncePlaced() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                commit
                view ->
                answer ->
                """);
        assertThat(table.status().jobs()).isEmpty();
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(2);
        assertThat(table.status().counters().transactionsSuccessful()).isEqualTo(1);
    }

    @Test
    void jobs_areServedByPriorityThenByAge() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 9000
                job late 1 x 1000 priority 10
                job early 1 x 1000
                job later 1 x 1000
                job urgent 1 x 1000 priority 90
                view ->            plan urgent
                planned ->         submit urgent/0 on m1; plan early
                planned ->         submit early/0 on m1; plan later
                planned ->         submit later/0 on m1; plan late
                """);
    }

    @Test
    void jobs_areServedByAgeAlone_wherePriorityDoesNotCount() {
        new LoopTable<>(Planners.FIRST_FIT.scheduler(QueueOrder.FIFO), 1).run("""
                machine m1 9000
                job first 1 x 1000
                view ->            plan first
                planned ->         submit first/0 on m1
                job low 1 x 1000 priority 10
                view ->
                wait 1
                job urgent 1 x 1000 priority 90
                view ->
                commit
                view ->
                answer ->          plan low
                """);
    }

    @Test
    void jobsInTheQueue_haveAPlaceThere() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 9000
                job a 1 x 1000 priority 10
                job b 1 x 1000
                job c 1 x 1000 priority 90
                view ->            plan c
                """);
        assertThat(table.status().jobs())
                .extracting(job -> job.phase() + " " + job.queuePlace().orElse(0))
                .containsExactly("READY 2", "READY 1", "PLANNING 0");
    }

    /** A step of priority is a second here: 41 s of waiting count more than 40 steps, and less than 42. */
    @Test
    void jobs_thatWaitCountTheirAgeLikePriority() {
        LoopTable<?> table = ageing().run("""
                machine m1 9000
                job first 1 x 1000
                view ->            plan first
                planned ->         submit first/0 on m1
                job old 1 x 1000 priority 10
                view ->
                wait 41000
                job new 1 x 1000 priority 50
                job urgent 1 x 1000 priority 52
                view ->
                commit
                view ->
                answer ->          plan urgent
                planned ->         submit urgent/0 on m1
                commit
                view ->
                answer ->          plan old
                """);
        assertThat(table.status().queueLength()).isEqualTo(1);
    }

    /** A lost task is retried with its former age: not behind later jobs, and not before jobs of higher priority. */
    @Test
    void retries_keepTheirAgeAndDoNotInvertPriorities() {
        ageing().run("""
                machine m1 1000
                machine m2 9000
                job old 2 x 1000 priority 10
                view ->            plan old
                planned ->         submit old/0 on m1, old/1 on m2
                others take m1 1000
                wait 41000
                job new 1 x 1000 priority 50
                job urgent 1 x 1000 priority 52
                commit
                view ->
                answer ->          plan urgent
                planned ->         submit urgent/0 on m2
                commit
                view ->
                answer ->          plan old
                planned ->         submit old/0 on m2
                commit
                view ->
                answer ->          plan new
                """);
    }

    private static LoopTable<?> ageing() {
        return new LoopTable<>(Planners.FIRST_FIT.scheduler(QueueOrder.ageing(Duration.ofSeconds(1))), 1);
    }

    /** "Insert job back into job queue to be handled again in a future transaction" (dissertation 6.2.1, step 6). */
    @Test
    void retries_inTheDissertationsOrder_comeBehindOthersAndAtOnce() {
        new LoopTable<>(Planners.FIRST_FIT.scheduler(), 1, RetryOrder.BEHIND_OTHERS).run("""
                machine m1 1000
                job a 2 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                # unplaced, a waits behind b, which came later but waits
                answer ->          plan b
                job c 1 x 1000
                view ->
                planned ->         plan a
                planned ->         plan c
                planned ->         plan b
                """);
    }

    @Test
    void retries_ofConflictsInTheDissertationsOrder_doNotRest() {
        new LoopTable<>(Planners.FIRST_FIT.scheduler(), 1, RetryOrder.BEHIND_OTHERS).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                others take m1 1000
                commit
                view ->
                answer ->          plan a
                planned ->         submit a/0 on m2
                """);
    }

    @Test
    void plans_areMadeOnTheViewMinusOwnClaimsInFlight() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1; plan b
                planned ->         submit b/0 on m2
                """);
    }

    @Test
    void transactionsInFlight_haveALimit() {
        LoopTable.with(Planners.FIRST_FIT, 2).run("""
                machine m1 9000
                job a 1 x 1000
                job b 1 x 1000
                job c 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1; plan b
                planned ->         submit b/0 on m1
                commit
                answer ->
                # the answer alone is not enough: the view must show the outcome of the claim
                view ->            plan c
                """);
    }

    @Test
    void transactionsInFlight_areFewerWhileMuchWaitsAtTheCell() {
        LoopTable.with(Planners.FIRST_FIT, 4).run("""
                machine m1 9000
                job a 1 x 1000
                job b 1 x 1000
                job c 1 x 1000
                job d 1 x 1000
                # twice what is usual: half as many
                backlog 200 ->
                view ->            plan a
                planned ->         submit a/0 on m1; plan b
                planned ->         submit b/0 on m1
                # however much: one, so that it goes on
                backlog 999999 ->
                commit
                view ->
                answer ->
                commit
                view ->
                answer ->          plan c
                planned ->         submit c/0 on m1
                # what is usual holds nobody back
                backlog 90 ->      plan d
                """);
    }

    @Test
    void task_isNotPlannedAgainBeforeTheViewShowsItsOutcome() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m2
                others take m1 1000
                commit
                answer ->
                view ->            plan a
                planned ->
                """);
        assertThat(table.status().counters().claimsConflicted()).isEqualTo(1);
        assertThat(table.status().counters().transactionsConflicted()).isEqualTo(1);
        assertThat(table.status().asleep()).isEqualTo(1);
    }

    @Test
    void attemptOfWhichNothingCame_isRepeatedAfterABackoff() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                others take m1 1000
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         submit a/0 on m2
                """);
    }

    @Test
    void jobWithoutRoom_sleepsUntilAMachineGainedRoomForItsShape() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 3000
                others take m1 1000
                others take m1 2000
                job a 1 x 2000
                view ->            plan a
                planned ->
                """);
        assertThat(table.status().jobs().get(0).unplaced().get(0).sentence()).isEqualTo("1 machine lacks cpuMilli");
        table.run("""
                # too little
                others leave m1
                view ->
                # enough
                others leave m1
                view ->            plan a
                planned ->         submit a/0 on m1
                """);
    }

    @Test
    void freedRoom_wakesNoMoreJobsThanItHolds() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                others take m1 1000
                job a 1 x 1000
                job b 1 x 1000
                job c 1 x 1000 priority 90
                view ->            plan c
                planned ->         plan a
                planned ->         plan b
                planned ->
                others leave m1
                view ->            plan c
                planned ->         submit c/0 on m1
                commit
                answer ->
                view ->
                """);
        assertThat(table.status().asleep()).isEqualTo(2);
    }

    /** Without the turn it would sleep on, while jobs behind it go on to fill the gaps that are too small for it. */
    @Test
    void jobThatMayEvict_getsATurnWhenOneBehindItGotTasksPlaced() {
        LoopTable.with(evicting()).run("""
                machine m1 1000
                others take m1 500
                job a 1 x 1000 priority 40
                job b 1 x 500 priority 10
                view ->            plan a
                planned ->         plan b
                planned ->         submit b/0 on m1
                commit
                answer ->
                others leave m1
                # neither half of the machine is enough for a
                view ->            plan a
                planned ->         submit a/0 on m1
                """);
    }

    /** The loop sees the machine full before and after, so it gained no room. */
    @Test
    void jobThatMayEvict_getsATurnWhenOthersPlacedALessImportantTask() {
        LoopTable.with(evicting()).run("""
                machine m1 1000
                others take m1 1000 priority 90
                job a 1 x 1000 priority 60
                view ->            plan a
                planned ->
                others leave m1
                others take m1 1000 priority 60
                view ->
                others leave m1
                others take m1 1000 priority 10
                view ->            plan a
                planned ->         submit a/0 on m1
                """);
    }

    @Test
    void jobThatMayEvict_hasAnotherTurnForALessImportantTaskPlacedWhileItIsPlanned() {
        LoopTable.with(evicting()).run("""
                machine m1 1000
                others take m1 1000 priority 90
                job a 1 x 1000 priority 60
                view ->            plan a
                others leave m1
                others take m1 1000 priority 10
                view ->
                planned ->         plan a
                planned ->         submit a/0 on m1
                """);
    }

    /** None of the sleepers before it fits on the machine where less important tasks come and go. */
    @Test
    void jobThatMayEvict_getsATurnBehindManyThatSleep() {
        LoopTable<?> table = LoopTable.with(evicting()).run("""
                machine m1 1000
                machine m2 500
                others take m1 1000 priority 90
                others take m2 500 priority 90
                """);
        for (int large = 0; large < 17; large++) {
            table.run("job large" + large + " 1 x 1000 priority 80");
        }
        table.run("""
                job small 1 x 500 priority 60
                view -> plan large0
                """);
        for (int large = 1; large < 17; large++) {
            table.run("planned -> plan large" + large);
        }
        table.run("""
                planned ->         plan small
                planned ->
                others leave m2
                others take m2 500 priority 10
                view ->            plan large0
                planned ->         plan large16
                planned ->
                others leave m2
                others take m2 500 priority 10
                view ->            plan large1
                planned ->         plan small
                planned ->         submit small/0 on m2
                """);
    }

    private static JobPlanner evicting() {
        return Preempting.of(Planners.FIRST_FIT, SchedulerOptions.of(List.of(Preempting.OPTION), Map.of()));
    }

    @Test
    void jobThatMayEvict_wakesForRoomToo() {
        LoopTable.with(evicting()).run("""
                machine m1 1000
                others take m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->
                others leave m1
                view ->            plan a
                planned ->         submit a/0 on m1
                """);
    }

    @Test
    void machineThatAPolicyAvoids_isTriedOnceForEachTimeItGainsRoom() {
        LoopTable<?> table = LoopTable.with(Planners.AVOIDS_THE_FIRST).run("""
                machine m1 3000
                job a 1 x 1000
                view ->            plan a
                planned ->
                """);
        assertThat(table.status().jobs().get(0).unplaced().get(0).sentence()).isEqualTo("1 machine excluded by policy");
        table.run("""
                # touched, and it would fit, but it gained nothing
                others take m1 1000
                view ->
                others leave m1
                view ->            plan a
                planned ->
                machine m2 1000
                view ->            plan a
                planned ->         submit a/0 on m2
                """);
    }

    @Test
    void roomFreedWhileAJobIsPlanned_isNotMissed() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                others take m1 1000
                job a 1 x 1000
                view ->            plan a
                others leave m1
                view ->
                planned ->         plan a
                planned ->         submit a/0 on m1
                """);
    }

    @Test
    void machineThatComes_wakesWhoFitsIt() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 4000
                view ->            plan a
                planned ->
                """);
        assertThat(table.status().jobs().get(0).neverPlaceable()).isTrue();
        table.run("""
                machine m2 2000
                view ->
                machine m3 4000
                view ->            plan a
                planned ->         submit a/0 on m3
                """);
    }

    @Test
    void machineThatIsReadyAgain_wakes() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                drain m1
                job a 1 x 1000
                view ->            plan a
                planned ->
                """);
        assertThat(table.status().jobs().get(0).unplaced().get(0).sentence()).isEqualTo("1 machine drained");
        table.run("""
                ready m1
                view ->            plan a
                """);
    }

    @Test
    void roomOfAClaimThatWasRefused_isOfferedToOthers() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 2 x 1000 all-or-nothing
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m2; plan b
                planned ->
                others take m1 1000
                commit
                view ->
                # a was aborted: m2 is free for b, which slept
                answer ->          plan b; timer soon
                planned ->         submit b/0 on m2
                """);
    }

    /** One advance shows the task placed and ended: no row says that the machine gained room. */
    @Test
    void roomOfATaskThatEndedBeforeItsAnswer_isOfferedToOthers() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 1 x 3000
                job b 1 x 2000
                view ->            plan a
                planned ->         submit a/0 on m1; plan b
                planned ->
                commit
                run a/0
                finish a/0
                view ->
                answer ->          plan b
                planned ->         submit b/0 on m1
                """);
    }

    @Test
    void roomOfAHoldThatWasRefused_isOfferedToOthers() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 2000
                others take m1 1000
                job a 2 x 1000 gang 2 1000 all
                view ->            plan a
                planned ->         timer 1000
                timer ->           plan a
                planned ->         submit hold 2000 on m1; timer 1000
                job b 1 x 500
                view ->            plan b
                planned ->
                stop a
                commit
                view ->
                answer ->          plan b
                planned ->         submit b/0 on m1
                """);
    }

    /** A plan may want room for a job of which no task is pending, for example for its spare tasks. */
    @Test
    void jobWithNothingPending_hasATurnForTheRoomThatItWaitsFor() {
        LoopTable.with(wakingOn(work -> new Wake.Room(work.key(), Amounts.of(500))))
                .run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                machine m2 500
                view ->            plan a
                """);
    }

    private static final String ALL_PLACED = """
            machine m1 1000
            job a 1 x 1000
            view ->            plan a
            planned ->         submit a/0 on m1
            commit
            view ->
            answer ->
            """;

    @Test
    void jobThatSleepsByChoice_hasATurnWhenItsPriorityChanges() {
        LoopTable.with(wakingOn(work -> new Wake.On(work.key(), Happening.ENDED)))
                .run(ALL_PLACED + """
                update a 1 x 1000 priority 90
                view ->            plan a
                """);
    }

    @Test
    void jobWithNothingPending_hasItsTurnAgainWhenItsPlannerThrows() {
        LoopTable.with(failingOnce(Planners.THROWS)).run(ALL_PLACED + """
                run a/0
                view ->            plan a
                planned ->         timer soon
                timer ->           plan a
                """);
    }

    @Test
    void jobWithNothingPending_hasItsTurnAgainWhenItsPlanIsGivenUp() {
        LoopTable.with(failingOnce(Planners.GIVEN_UP)).run(ALL_PLACED + """
                run a/0
                view ->            plan a
                given up 5000 ->   timer 45000
                timer ->           plan a
                """);
    }

    @Test
    void jobWithNothingPending_hasItsTurnAgainWhenThePauseIsOver() {
        LoopTable.with(wakingOn(work -> new Wake.On(work.key(), Happening.STARTED)))
                .run(ALL_PLACED + """
                run a/0
                view ->            plan a
                pause
                view ->
                planned ->
                resume
                view ->            plan a
                """);
    }

    @Test
    void taskThatStartsBeforeTheViewIsReplaced_wakesItsJob() {
        LoopTable.with(wakingOn(work -> new Wake.On(work.key(), Happening.STARTED)))
                .run(ALL_PLACED + """
                run a/0
                view replaced ->   plan a
                """);
    }

    /** Waits for its tasks to start. Its second plan fails as {@code failing} does. */
    private static JobPlanner failingOnce(JobPlanner failing) {
        JobPlanner waits = wakingOn(work -> new Wake.On(work.key(), Happening.STARTED));
        return new JobPlanner() {
            @Override
            public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
                return (work.attempt() == 2 ? failing : waits).plan(work, cell, random);
            }

            @Override
            public List<Wake> wakes(JobWork work, PlanningView cell, List<Unplaced> left) {
                return waits.wakes(work, cell, left);
            }
        };
    }

    @Test
    void tendedJobThatChangesWhileItRests_hasATurnAlsoWithNothingPending() {
        JobPlanner planner = (work, cell, random) ->
                (work.attempt() == 2 ? Planners.SAYS_NOTHING : Planners.FIRST_FIT).plan(work, cell, random);
        new LoopTable<>(new Tending<>(planner.scheduler()), 16).run(ALL_PLACED + """
                scale a 2
                view ->            plan a
                planned ->         timer soon
                scale a 1
                view ->
                timer ->           plan a
                """);
    }

    /** Gives turns also to jobs with nothing pending. */
    private record Tending<M>(Scheduler<M> plain) implements Scheduler<M> {
        @Override
        public M start() {
            return plain.start();
        }

        @Override
        public boolean tends(JobHeader job) {
            return true;
        }

        @Override
        public Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context) {
            return plain.plan(cells, work, context);
        }
    }

    /** Offers change the rows of sessions all the time. */
    @Test
    void changedSessionOfAnotherScheduler_isNoEventOfTheJobs() {
        LoopTable<?> table = LoopTable.with(wakingOn(work -> new Wake.On(work.key(), Happening.ENDED)))
                .run("""
                machine m1 1000
                job a 3 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                run a/0
                finish a/0
                view ->            plan a
                planned ->         submit a/1 on m1
                commit
                view ->
                answer ->
                """);
        table.cell().openSession("another");
        table.run("view ->");
    }

    /** First fit. Its jobs wait for that wake alone. */
    private static JobPlanner wakingOn(Function<JobWork, Wake> wake) {
        return new JobPlanner() {
            @Override
            public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
                return Planners.FIRST_FIT.plan(work, cell, random);
            }

            @Override
            public List<Wake> wakes(JobWork work, PlanningView cell, List<Unplaced> left) {
                return List.of(wake.apply(work));
            }
        };
    }

    @Test
    void allOrNothing_isNotProposedInPart() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 2 x 1000 all-or-nothing
                view ->            plan a
                planned ->
                machine m2 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m2
                """);
        assertThat(table.status().counters().plans()).isEqualTo(2);
    }

    @Test
    void plannerThatThrows_losesItsJobsTurnOnly() {
        LoopTable<?> table = LoopTable.with(
                        (work, cell, random) -> work.job().name().equals("bad")
                                ? Planners.THROWS.plan(work, cell, random)
                                : Planners.FIRST_FIT.plan(work, cell, random))
                .run("""
                machine m1 1000
                job bad 1 x 1000
                job good 1 x 1000
                view ->            plan bad
                # what it claimed before it threw is free again
                planned ->         plan good; timer soon
                planned ->         submit good/0 on m1
                timer ->           plan bad
                planned ->         timer soon
                """);
        assertThat(table.status().counters().plansFailed()).isEqualTo(2);
        assertThat(table.status().lastPlannerFailure()).hasValue("java.lang.IllegalStateException: no idea");
    }

    /** Takes all jobs that wait into one plan. */
    private record Together<M>(Scheduler<M> plain) implements Scheduler<M>, Agenda<M> {
        @Override
        public M start() {
            return plain.start();
        }

        @Override
        public Agenda<M> agenda() {
            return this;
        }

        @Override
        public List<JobKey> next(Standing standing, M memory) {
            List<JobKey> waiting = new ArrayList<>();
            standing.jobs().forEachRemaining(job -> waiting.add(job.key()));
            return waiting;
        }

        @Override
        public Plan<M> plan(List<PlanningView> cells, Work work, PlanContext<M> context) {
            return plain.plan(cells, work, context);
        }
    }

    @Test
    void planOfSeveralJobsThatThrows_losesTheTurnOfTheJobAtFaultOnly() {
        JobPlanner planner = (work, cell, random) -> work.job().name().equals("bad")
                ? Planners.THROWS.plan(work, cell, random)
                : Planners.FIRST_FIT.plan(work, cell, random);
        LoopTable<?> table = new LoopTable<>(new Together<>(planner.scheduler()), 16).run("""
                machine m1 9000
                job a 1 x 1000
                job bad 1 x 1000
                job b 1 x 1000
                view ->            plan a
                # each of the three alone
                planned ->         plan a
                planned ->         submit a/0 on m1; plan bad
                planned ->         plan b; timer soon
                planned ->         submit b/0 on m1
                job c 1 x 1000
                job d 1 x 1000
                view ->            plan c
                # what had no part in the failure is planned together
                planned ->         submit c/0 on m1; submit d/0 on m1
                timer ->           plan bad
                """);
        assertThat(table.status().counters().plansFailed()).isEqualTo(2);
    }

    @Test
    void planOfManyJobsThatThrows_isHalvedUntilTheJobAtFaultIsAlone() {
        JobPlanner planner = (work, cell, random) -> work.job().name().equals("bad")
                ? Planners.THROWS.plan(work, cell, random)
                : Planners.FIRST_FIT.plan(work, cell, random);
        LoopTable<?> table = new LoopTable<>(new Together<>(planner.scheduler()), 16).run("""
                machine m1 9000
                job a 1 x 1000
                job bad 1 x 1000
                job b 1 x 1000
                job c 1 x 1000
                view ->            plan a
                # two of the four
                planned ->         plan a
                # the first of these two
                planned ->         plan a
                planned ->         submit a/0 on m1; plan bad
                planned ->         plan b; timer soon
                planned ->         submit b/0 on m1; submit c/0 on m1
                """);
        assertThat(table.status().counters().plansFailed()).isEqualTo(3);
    }

    @Test
    void planOfManyJobsThatDoesNotComeBack_isHalvedUntilTheJobAtFaultIsAlone() {
        JobPlanner planner = (work, cell, random) -> work.job().name().equals("bad")
                ? Planners.GIVEN_UP.plan(work, cell, random)
                : Planners.FIRST_FIT.plan(work, cell, random);
        LoopTable<?> table = new LoopTable<>(new Together<>(planner.scheduler()), 16).run("""
                machine m1 9000
                job a 1 x 1000
                job bad 1 x 1000
                job b 1 x 1000
                job c 1 x 1000
                view ->            plan a
                # two of the four
                given up 5000 ->   plan a
                # the first of these two
                given up 5000 ->   plan a
                planned ->         submit a/0 on m1; plan bad
                # only the job at fault rests
                given up 5000 ->   plan b; timer 45000
                planned ->         submit b/0 on m1; submit c/0 on m1
                """);
        assertThat(table.status().counters().plansGivenUp()).isEqualTo(3);
        assertThat(table.status().jobs()).hasSize(1);
        assertThat(table.status().jobs().get(0).failure()).hasValue("too slow");
    }

    @Test
    void plannerThatDoesNotComeBack_losesItsJobsTurnAndWhatItWasLent() {
        LoopTable<?> table = LoopTable.with(
                        (work, cell, random) -> work.job().name().equals("stuck")
                                ? Planners.GIVEN_UP.plan(work, cell, random)
                                : Planners.FIRST_FIT.plan(work, cell, random))
                .run("""
                machine m1 2000
                job first 1 x 1000
                view ->            plan first
                planned ->         submit first/0 on m1
                job stuck 1 x 1000 priority 90
                job good 1 x 1000
                view ->            plan stuck
                # what is in flight is still spoken for, what the plan had claimed is not; for so long nothing else was planned
                given up 5000 ->   plan good; timer 45000
                planned ->         submit good/0 on m1
                """);
        assertThat(table.status().counters().plansGivenUp()).isEqualTo(1);
        assertThat(table.status().counters().plansFailed()).isEqualTo(1);
        assertThat(table.status().lastPlannerFailure()).hasValue("too slow");
        assertThat(table.status().jobs().get(0).failure()).hasValue("too slow");
        table.run("timer -> plan stuck");
    }

    @Test
    void whatAPlanWasLent_isLeftToItWithTheNextEventAfterItWasGivenUp_whicheverThatIs() {
        LoopTable<?> table = LoopTable.with(Planners.GIVEN_UP).run("""
                machine m1 1000
                job stuck 1 x 1000
                view ->            plan stuck
                instance three comes
                view ->
                instance three goes
                view ->
                """);
        // The job belonged to another instance for a while. A plan that nobody waits for does not reserve its task.
        assertThat(table.status().queueLength()).isEqualTo(1);
    }

    @Test
    void jobThatWentAndCameBackWhileItWasPlanned_isOpenOnce() {
        LoopTable<?> table = LoopTable.with(Planners.SAYS_NOTHING).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                instance three comes
                view ->
                instance three goes
                view ->
                planned ->         timer soon
                """);
        assertThat(table.status().resting()).isEqualTo(1);
        assertThat(table.status().queueLength()).isZero();
    }

    @Test
    void plannerThatSaysNothing_isNotAskedAgainAtOnce() {
        LoopTable<?> table = LoopTable.with(Planners.SAYS_NOTHING).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         timer soon
                timer ->           plan a
                """);
        assertThat(table.status().counters().plansEmpty()).isEqualTo(1);
    }

    @Test
    void samePlanRefusedForTheSameReason_isNotSentAgainUntilSomethingChanged() {
        LoopTable<?> table = new LoopTable<>(new StubbornScheduler(), 16).run("""
                machine m1 1000
                others take m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         timer soon
                timer ->           plan a
                planned ->         timer soon
                others leave m1
                view ->
                timer ->           plan a
                planned ->         submit a/0 on m1
                """);
        assertThat(table.status().counters().plansRepeated()).isEqualTo(2);
        assertThat(table.status().counters().claimsRefused()).isEqualTo(1);
    }

    /** The hold is the machine's: while it lasts, the same claim would be refused again. */
    @Test
    void claimRefusedForAHold_isSentAgainWhenTheHoldEnds() {
        LoopTable<?> table = new LoopTable<>(new StubbornScheduler(), 16).run("""
                machine m1 1000
                job a 1 x 1000
                others hold m1 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         timer soon
                others release m1
                view ->
                timer ->           plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                """);
        assertThat(table.status().counters().plansRepeated()).isEqualTo(1);
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(1);
    }

    /** The rows of the machine and of the task are as they were: only the offers have ended. */
    @Test
    void claimRefusedAsNotOffered_isSentAgainWhenItNeedsNoOffer() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT);
        table.cell().apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        table.run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                instance two offered
                commit
                instance two goes
                answer ->
                view ->            timer soon
                timer ->           plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                """);
        assertThat(table.status().counters().plansRepeated()).isZero();
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(1);
    }

    @Test
    void claimRefusedDuringAnUpdate_isSentAgainForTheNewGeneration() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                update a 1 x 500
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->
                """);
        assertThat(table.status().counters().plansRepeated()).isZero();
        assertThat(table.status().counters().claimsRefused()).isEqualTo(1);
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(1);
    }

    @Test
    void claimRefusedAfterScalingDown_isSentAgainAfterScalingUp() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 2 x 1000
                view ->            plan a
                scale a 1
                planned ->         submit a/0 on m1, a/1 on m2
                commit
                view ->
                answer ->
                scale a 2
                view ->            plan a
                planned ->         submit a/1 on m2
                """);
        assertThat(table.status().counters().plansRepeated()).isZero();
        assertThat(table.status().counters().claimsRefused()).isEqualTo(1);
    }

    @Test
    void plannerThatClaimsWhatDoesNotExist_isAnsweredAndHurtsNobodyElse() {
        LoopTable<?> table = new LoopTable<>(new StubbornScheduler(), 16).run("""
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on nowhere
                commit
                view ->
                answer ->          timer soon
                timer ->           plan a
                planned ->         timer soon
                """);
        assertThat(table.status().counters().plansRepeated()).isEqualTo(1);
    }

    @Test
    void failedTask_runsAgainAfterItsPolicysGrowingDelay() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 1000 restart 3 1000 3000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                fail a/0
                view ->            timer 1000
                timer ->           submit a/0 again
                commit
                answer ->
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                fail a/0
                view ->            timer 2000
                timer ->           submit a/0 again
                commit
                answer ->
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                fail a/0
                # capped by delayMax
                view ->            timer 3000
                timer ->           submit a/0 again
                commit
                answer ->
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                fail a/0
                # for good
                view ->
                """);
    }

    @Test
    void replacedTask_runsAgainAtOnce() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                replace a/0
                view ->            submit a/0 again
                """);
    }

    /** The view shows the end of the replaced task before the answer comes. */
    @Test
    void taskThatAPlanReplaces_runsAgainOnce() {
        LoopTable.with(Planners.REPLACES_WHAT_RUNS).run("""
                machine m1 1000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                machine m2 1000
                view ->            plan a
                planned ->         submit a/0 replace, a/1 on m1
                commit
                view ->            submit a/0 again
                answer ->
                """);
    }

    /** As by one update after another. */
    @Test
    void taskThatRanLongBeforeItWasReplacedAgain_runsAgainAtOnce() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                replace a/0
                view ->            submit a/0 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                wait 9999
                replace a/0
                view ->            timer soon
                timer ->           submit a/0 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                wait 10000
                replace a/0
                view ->            submit a/0 again
                """);
    }

    /** The row of a surplus task is dropped some time after its end; until then a larger group has the task again. */
    @Test
    void taskThatEndedByAScaleDown_runsAgainAfterAScaleUp() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                commit
                view ->
                answer ->
                run a/0
                run a/1
                view ->
                scale a 1
                view ->
                scale a 2
                view ->            submit a/1 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/1 on m1
                """);
    }

    @Test
    void lostTask_runsAgainAtOnce_andMoreSlowlyWhenItIsLostAgain() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                lose m1
                view ->            submit a/0 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m2
                commit
                answer ->
                run a/0
                lose m2
                view ->            timer soon
                timer ->           submit a/0 again
                """);
    }

    @Test
    void viewReplaced_planGoesOnFromWhatTheNewOneShows() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1; plan b
                commit
                stop b
                # b ended while it was planned: its plan is dropped
                view replaced ->
                planned ->
                answer ->
                job c 1 x 1000
                view replaced ->   plan c
                planned ->         submit c/0 on m2
                """);
    }

    @Test
    void failuresAndLosses_areFoundByALoopThatStartsAgain() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 2000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                commit
                answer ->
                run a/0
                fail a/0
                lose m1
                view replaced ->   submit a/1 again; timer 1000
                """);
    }

    /** The cell knows the ids of the former loop, and refuses other transactions under them. */
    @Test
    void loopThatReplacesAnotherUnderItsSession_usesNoIdAgain() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                view ->
                loop replaced ->
                job b 1 x 1000
                view ->            plan b
                planned ->         submit b/0 on m1
                commit
                answer ->
                view ->
                run b/0
                """);
    }

    /** The former scheduler of the job will not try its tasks again. */
    @Test
    void jobThatComesFromAnotherScheduler_getsTheNextAttemptsOfTasksThatHaveEnded() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                commit
                answer ->
                run a/0
                view ->
                fail a/0
                update a 2 x 1000 of another
                view ->
                update a 2 x 1000
                view ->            timer 1000
                timer ->           submit a/0 again
                """);
    }

    @Test
    void quotaLiftedWhileAJobIsPlanned_isNotMissed() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                quota 500
                job a 1 x 1000
                view ->            plan a
                quota none
                view ->
                planned ->         plan a
                planned ->         submit a/0 on m1
                """);
    }

    @Test
    void quotaOfAClaimThatWasRefused_wakesWhoSleepsForIt() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                quota 2000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                others take m1 1000
                job b 2 x 500
                view ->            plan b
                planned ->
                commit
                answer ->
                view ->            plan b; timer soon
                """);
    }

    @Test
    void jobThatSleepsForAQuota_sleepsOnWhileOnlyMoreOfItIsUsed() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 9000
                quota 3000
                job a 1 x 4000
                view ->            plan a
                planned ->
                others take m1 1000
                view ->
                others leave m1
                view ->            plan a
                planned ->
                quota 4000
                view ->            plan a
                planned ->         submit a/0 on m1
                """);
        assertThat(table.status().counters().plans()).isEqualTo(3);
    }

    /** Without its claims, which are taken back, the quota has room for the next task. */
    @Test
    void gangOfWhichAQuotaKeepsAPartBack_sleepsForTheQuotaOfTheRest() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                quota 2000
                job a 4 x 1000 gang 4 1000 one
                view ->            plan a
                planned ->
                """);
        Unplaced unplaced = table.status().jobs().get(0).unplaced().get(0);
        assertThat(unplaced.sentence()).isEqualTo("held back by the quota of pool default: 2000 cpuMilli");
        assertThat(unplaced.helps()).containsExactly("2000 cpuMilli more quota in pool default");
        assertThat(unplaced.tasks()).isEqualTo(4);
        table.run("""
                quota 4000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1, a/2 on m1, a/3 on m1
                """);
    }

    /** Its tasks are not placed, but its reason names the limit as it is. */
    @Test
    void quotaThatIsLowered_isTheReasonOfWhoSleepsForIt() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                quota 900
                job a 1 x 1000
                view ->            plan a
                planned ->
                quota 800
                view ->            plan a
                planned ->
                view ->
                """);
        assertThat(table.status().jobs().get(0).unplaced().get(0).sentence())
                .isEqualTo("held back by the quota of pool default: 800 cpuMilli");
    }

    /** The row of the machine and of the task are as they were: only the quota has moved. */
    @Test
    void claimRefusedForAQuota_isSentAgainWhenTheQuotaIsLifted() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                quota 500
                commit
                quota none
                answer ->
                view ->            timer soon
                timer ->           plan a
                planned ->         submit a/0 on m1
                """);
    }

    /** The commit refuses all claims in a pool that is over its limit, those of held amounts too. */
    @Test
    void gangOverItsQuota_doesNotClaimWhatItHolds() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                others take m1 1000
                machine m2 1000
                job a 2 x 1000 gang 2 1000 all
                view ->            plan a
                planned ->         timer 1000
                timer ->           plan a
                planned ->         submit hold 1000 on m1, hold 1000 on m2; timer 1000
                commit
                answer ->
                view ->
                quota 500
                others leave m1
                view ->
                timer ->           plan a
                planned ->
                """);
        assertThat(table.status().jobs().get(0).unplaced().get(0).sentence())
                .isEqualTo("held back by the quota of pool default: 500 cpuMilli");
        table.run("""
                quota none
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m2
                """);
    }

    @Test
    void taskRefusedWhileItsJobIsPlanned_isNotForgotten() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 3 x 600 beside 1 x 100
                view ->            plan a
                planned ->         submit a/0 on m1, a/beside/0 on m1
                others take m1 950
                commit
                machine m2 700
                view ->            plan a
                answer ->
                planned ->         submit a/1 on m2; timer soon
                timer ->           plan a
                planned ->         submit a/beside/0 on m2
                """);
    }

    @Test
    void taskThatIsPendingAgainWhileItsJobIsPlanned_isNotForgotten() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 700
                job a 3 x 600 beside 1 x 100 restart 3 100 100
                view ->            plan a
                planned ->         submit a/0 on m1, a/beside/0 on m1
                commit
                answer ->
                view ->
                run a/beside/0
                fail a/beside/0
                view ->            timer soon
                timer ->           submit a/beside/0 again
                machine m2 600
                view ->            plan a
                commit
                answer ->
                view ->
                planned ->         submit a/1 on m2; plan a
                planned ->         submit a/beside/0 on m1
                """);
    }

    /** While the outcome of its first claim was unknown, its job could not plan it. */
    @Test
    void taskThatIsPendingAgainBeforeItsAnswer_wakesItsJob() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 100
                machine m2 100
                job a 1 x 600 beside 1 x 100
                view ->            plan a
                planned ->         submit a/beside/0 on m1
                commit
                lose m1
                view ->            submit a/beside/0 again
                commit
                view ->            plan a
                planned ->
                answer ->          plan a
                planned ->         submit a/beside/0 on m2
                """);
    }

    /** As many tasks of the job are pending as before, but not the same ones. */
    @Test
    void taskThatIsPendingAgainWhenAnotherIsPlaced_wakesItsJob() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 700
                job a 3 x 600 beside 1 x 100 restart 3 100 100
                view ->            plan a
                planned ->         submit a/0 on m1, a/beside/0 on m1
                commit
                answer ->
                view ->
                run a/beside/0
                fail a/beside/0
                view ->            timer soon
                timer ->           submit a/beside/0 again
                machine m2 600
                view ->            plan a
                planned ->         submit a/1 on m2
                commit
                commit
                view ->            plan a
                planned ->         submit a/beside/0 on m1
                """);
    }

    @Test
    void pausedScheduler_plansNothingUntilItIsResumed() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 1 x 1000 restart 3 1000 3000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                job b 1 x 1000
                # it plans b when it is paused: that plan is not sent, what is on its way is settled
                view ->            plan b
                answer ->
                pause
                view ->
                planned ->
                run a/0
                fail a/0
                view ->            timer 1000
                timer ->
                job c 1 x 1000 priority 90
                view ->
                """);
        assertThat(table.status().paused()).isTrue();
        assertThat(table.status().queueLength()).isEqualTo(2);
        table.run("""
                resume
                view ->            submit a/0 again; plan c
                planned ->         submit c/0 on m1; plan b
                planned ->         submit b/0 on m1
                """);
        assertThat(table.status().paused()).isFalse();
    }

    @Test
    void sessionTakenOver_stopsTheLoop() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                fence
                commit
                answer ->          stop
                job b 1 x 1000
                view ->
                """);
        assertThat(table.status().stopped()).isPresent();
    }
}
