package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Compares the loop with the dissertation, section 6.2.1 "Role of the Job Manager" (and 6.2.2 where a test says so).
 */
class JobSchedulingLoopPaperTest {
    /** As in the dissertation: one transaction at a time. */
    private static final int ONE = 1;

    @Test
    void step1_ifJobQueueIsNotEmpty_removeNextJobFromJobQueue() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                view ->
                machine m1 4000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                """);
        assertThat(table.status().queueLength()).isEqualTo(1);
    }

    /** "Begin a transaction by synchronizing private cluster state with common cluster state." */
    @Test
    void step2_sync_noAttemptBeginsBeforeTheViewHasReachedTheLastOutcome() {
        LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 4000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                view ->            plan b
                """);
    }

    /**
     * "Engage scheduling agent to attempt to create task-resource assignments for all tasks in job, modifying private
     * cluster state in the process."
     */
    @Test
    void step3_schedule_laterAssignmentsSeeTheEarlierOnes() {
        LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 2000
                machine m2 1000
                job a 3 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m1, a/2 on m2
                """);
    }

    /** "Attempt to commit job transaction (i.e., all task-resource assignments for the job) ... can succeed or fail." */
    @Test
    void step4_submit_aTransactionCanSucceedOrFail() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 2000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                view ->            plan b
                planned ->         submit b/0 on m1
                others take m1 1000
                commit
                view ->
                answer ->          timer soon
                """);
        assertThat(table.status().counters().transactionsSuccessful()).isEqualTo(1);
        assertThat(table.status().counters().transactionsConflicted()).isEqualTo(1);
    }

    /** "Record which task-resource assignments were successfully committed to common cluster state." */
    @Test
    void step5_record_onlyWhatWasNotCommittedIsPlannedAgain() {
        LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 1000
                machine m2 1000
                machine m3 1000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1, a/1 on m2
                others take m1 1000
                commit
                view ->
                answer ->          plan a
                planned ->         submit a/0 on m3
                """);
    }

    /**
     * "If any tasks in job remain unscheduled—either because no suitable resources were found for the task during the
     * “schedule” stage or the task-resource assignment experienced a [conflict]—insert job back into job queue to be
     * handled again in a future transaction"
     */
    @Test
    void step6_whatRemainsUnscheduled_isHandledAgainInAFutureTransaction() {
        LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 1000
                job a 2 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                view ->
                run a/0
                finish a/0
                view ->            plan a
                planned ->         submit a/1 on m1
                """);
    }

    /** "A job manager repeats the above steps ... as long as there are jobs remaining to be scheduled." */
    @Test
    void loop_endsWithTheLastJob() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 4000
                job a 1 x 1000
                job b 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m1
                commit
                answer ->
                view ->            plan b
                planned ->         submit b/0 on m1
                commit
                answer ->
                view ->
                """);
        assertThat(table.status().jobs()).isEmpty();
    }

    /**
     * "During the “schedule” phase, each job manager can make decisions according to their potentially out-of-date
     * snapshot ... has complete freedom to claim any cluster resources that are marked as available in their private
     * cluster state"
     */
    @Test
    void schedulePhase_claimsWhatAnOutOfDateViewShowsAvailable() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m1 1000
                job a 1 x 1000
                view ->            plan a
                others take m1 1000
                planned ->         submit a/0 on m1
                commit
                view ->
                answer ->          timer soon
                """);
        assertThat(table.status().counters().claimsConflicted()).isEqualTo(1);
    }

    /**
     * 6.2.2, discussion: "job manager A assigns task T_A to machine M, and job manager B concurrently assigns task T_B to
     * machine M ... M has 5 CPUs ... using RSS with resource-granularity conflict detection, both task-resource
     * assignments can succeed."
     */
    @Test
    void resourceGranularity_bothOfTwoConcurrentAssignmentsToOneMachineSucceed() {
        LoopTable<?> table = LoopTable.with(Planners.FIRST_FIT, ONE).run("""
                machine m 5000
                job a 1 x 1000
                view ->            plan a
                planned ->         submit a/0 on m
                others take m 1000
                commit
                answer ->
                view ->
                """);
        assertThat(table.status().counters().claimsAccepted()).isEqualTo(1);
        assertThat(table.status().counters().claimsConflicted()).isZero();
    }
}
