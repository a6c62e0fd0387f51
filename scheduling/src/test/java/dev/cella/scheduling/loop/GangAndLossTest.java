package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobState;
import org.junit.jupiter.api.Test;

/** Gangs that wait for room and that run again, and lost tasks that may never run twice ({@link LoopTable} has the words). */
class GangAndLossTest {
    private static final String STARTED = """
            machine m1 4000
            job a 3 x 1000 restart 1 1000 3000 gang 3 30000 all
            view ->            plan a
            planned ->         submit a/0 on m1, a/1 on m1, a/2 on m1
            commit
            answer ->
            run a/0
            run a/1
            run a/2
            """;

    @Test
    void restartAll_oneFails_allRunAgainTogether() {
        LoopTable.with(Planners.FIRST_FIT).run(STARTED + """
                fail a/1
                view ->            submit a/0 replace, a/2 replace
                commit
                view ->
                answer ->          timer 1000
                timer ->           submit a/0 again, a/1 again, a/2 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m1, a/1 on m1, a/2 on m1
                """);
    }

    @Test
    void restartAll_machineIsLost_allRunAgainElsewhere() {
        LoopTable.with(Planners.FIRST_FIT).run(STARTED + """
                machine m2 4000
                lose m1
                view ->            submit a/0 again, a/1 again, a/2 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m2, a/1 on m2, a/2 on m2
                """);
    }

    @Test
    void restartAll_whatHasFinishedStaysFinished() {
        LoopTable.with(Planners.FIRST_FIT).run(STARTED + """
                finish a/0
                view ->
                fail a/1
                view ->            submit a/2 replace
                commit
                view ->
                answer ->          timer 1000
                timer ->           submit a/1 again, a/2 again
                """);
    }

    @Test
    void restartAll_oneFailsForGood_theRestIsStopped() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT).run(STARTED + """
                fail a/1
                view ->            submit a/0 replace, a/2 replace
                commit
                view ->
                answer ->          timer 1000
                timer ->           submit a/0 again, a/1 again, a/2 again
                commit
                view ->            plan a
                answer ->
                planned ->         submit a/0 on m1, a/1 on m1, a/2 on m1
                commit
                answer ->
                run a/1
                fail a/1
                view ->            submit a/0 stop, a/2 stop
                commit
                view ->
                answer ->
                """);
        assertThat(table.cell().view().job("a").orElseThrow().state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void restartOne_oneFails_itAloneRunsAgain() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 4000
                job a 2 x 1000 restart 1 1000 3000 gang 2 30000 one
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                commit
                answer ->
                run a/0
                run a/1
                fail a/1
                view ->            timer 1000
                timer ->           submit a/1 again
                """);
    }

    @Test
    void gangWithoutRoom_holdsMachinesAfterItsTime_andTakesThemWhole() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 2000
                machine m2 2000
                others take m1 1000
                job a 4 x 1000 gang 4 5000 one
                view ->            plan a
                planned ->         timer 5000
                timer ->           plan a
                planned ->         submit hold 2000 on m1, hold 2000 on m2; timer 1000
                commit
                view ->
                answer ->
                # another job finds nothing free any more
                job b 1 x 500
                view ->            plan b
                planned ->
                # what ends goes to the hold, and nobody is woken by it
                others leave m1
                view ->
                timer ->           plan a
                planned ->         submit a/0 on m1, a/1 on m1, a/2 on m2, a/3 on m2
                commit
                answer ->
                """);
    }

    /** The gang starts on the new machine. It no longer needs its hold on the full one, which has got nothing yet. */
    @Test
    void gangThatStartsOnOtherMachinesThanItHolds_leavesTheRestToOthers() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT);
        table.cell().apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        table.run("""
                machine m1 1000
                machine m2 1000
                others take m1 1000
                job a 2 x 1000 gang 2 5000 one
                view ->            plan a
                planned ->         timer 5000
                timer ->           plan a
                planned ->         submit hold 1000 on m1, hold 1000 on m2; timer 1000
                commit
                view ->
                answer ->
                machine m3 1000
                view ->            plan a
                planned ->         submit a/0 on m2, a/1 on m3
                commit
                view ->
                answer ->
                # what ends on m1 is free for another job
                others leave m1
                job b 1 x 1000
                view ->            plan b
                planned ->         submit b/0 on m1
                """);
    }

    @Test
    void gangThatFindsRoomInTime_holdsNothing() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 2000
                others take m1 1000
                job a 2 x 1000 gang 2 5000 one
                view ->            plan a
                planned ->         timer 5000
                others leave m1
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1
                """);
    }

    @Test
    void gangThatTheCellCouldNeverHold_holdsNothing() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 2000
                job a 4 x 1000 gang 4 5000 one
                view ->            plan a
                planned ->         timer 5000
                timer ->           plan a
                planned ->         timer 1000
                """);
    }

    @Test
    void lostTaskThatMayNotRunTwice_waitsForItsMachine() {
        LoopTable.with(Planners.FIRST_FIT).run("""
                machine m1 1000
                machine m2 1000
                job a 1 x 1000 wait
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                run a/0
                lose m1
                view ->
                ready m1
                view ->            submit a/0 again
                commit
                view ->            plan a
                """);
    }
}
