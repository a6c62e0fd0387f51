package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import org.junit.jupiter.api.Test;

/** Konwinski's dissertation, sections 6.2.1 and 6.2.2: each test quotes the sentence that it checks. */
class DissertationTest {
    private final TestCell cell = new TestCell();

    DissertationTest() {
        cell.machine("m", 5_000, 5_120);
        cell.machine("n", 1_000, 1_024);
        submit("ta", "a", 6);
        submit("tb", "b", 6);
    }

    private void submit(String job, String scheduler, int count) {
        cell.apply(TestCell.submit(job, scheduler, count, 1_000, 1_024, Command.SubmitMode.CREATE));
    }

    private Transaction.Builder by(String scheduler, String id, CellVersion basis) {
        return Transaction.builder(new TransactionId(id), scheduler).basis(basis);
    }

    private Transaction.Builder claim(Transaction.Builder builder, String job, int index, String machine) {
        return builder.claim(cell.task(job, index), 1, cell.slot(machine));
    }

    /** "using RSS with resource-granularity conflict detection, both task-resource assignments can succeed" */
    @Test
    void discussion_twoTasksOnMachineMByResource_bothSucceed() {
        CellVersion synced = cell.version();
        assertThat(cell.commit(claim(by("a", "a", synced), "ta", 0, "m")).isSuccessful())
                .isTrue();
        assertThat(cell.commit(claim(by("b", "b", synced), "tb", 0, "m")).isSuccessful())
                .isTrue();
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(3_000, 3_072));
    }

    /** "The primary disadvantage of RSS is in the form of wasted scheduling work due to failed transactions." */
    @Test
    void discussion_twoTasksOnMachineMByMachine_oneIsWorkDoneInVain() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "m"));
        Outcome wasted = cell.commit(claim(by("b", "b", synced), "tb", 0, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(wasted.verdict()).isEqualTo(Verdict.REJECTED);
        assertThat(cell.jobRow("tb").conflicts()).isEqualTo(1);
        Outcome again = cell.commit(
                claim(by("b", "b2", wasted.syncVersion()), "tb", 0, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(again.isSuccessful()).isTrue();
        assertThat(cell.jobRow("tb").attempts()).isEqualTo(2);
    }

    // ---- 6.2.1, the role of the job manager

    /** "Begin a transaction by synchronizing private cluster state with common cluster state." */
    @Test
    void sync_privateClusterState_isTheCommonOne() {
        cell.commit(claim(by("a", "a", cell.version()), "ta", 0, "m"));
        assertThat(cell.replica.view().version()).isEqualTo(cell.version());
        assertThat(cell.replica.view().digests()).isEqualTo(cell.view().digests());
        assertThat(cell.replica.view().machine("m")).isEqualTo(cell.view().machine("m"));
    }

    /**
     * "attempt to create task-resource assignments for all tasks in job, modifying private cluster state in the process": in a
     * draft above it, so that a plan that comes to nothing needs no undoing
     */
    @Test
    void schedule_modifiesPrivateStateAlone() {
        Draft plan = cell.replica.view().draft();
        int slot = cell.slot("n");
        plan.take(slot, Amounts.of(1_000, 1_024));
        assertThat(plan.fits(slot, Amounts.of(1))).isFalse();
        assertThat(cell.replica.view().free(slot, 0)).isEqualTo(1_000);
        assertThat(cell.machineRow("n").free()).isEqualTo(Amounts.of(1_000, 1_024));
    }

    /** "each job manager can make decisions according to their potentially out-of-date snapshot of the entire cluster" */
    @Test
    void outOfDateSnapshot_whereItsDecisionStillHolds_isNoHindrance() {
        CellVersion longAgo = cell.version();
        for (int index = 0; index < 4; index++) {
            cell.commit(claim(by("a", "a" + index, cell.version()), "ta", index, "m"));
        }
        assertThat(cell.commit(claim(by("b", "b", longAgo), "tb", 0, "m")).isSuccessful())
                .isTrue();
    }

    /**
     * "each has complete freedom to claim any cluster resources that are marked as available in their private cluster
     * state"
     */
    @Test
    void freedom_everyJobManagerMayClaimEveryMachine() {
        int index = 0;
        for (String machine : new String[] {"m", "n", "m"}) {
            String job = index % 2 == 0 ? "ta" : "tb";
            String scheduler = index % 2 == 0 ? "a" : "b";
            assertThat(cell.commit(claim(by(scheduler, "t" + index, cell.version()), job, index++, machine))
                            .isSuccessful())
                    .isTrue();
        }
    }

    /** "The creation of a task-resource assignment represents an edit to a row of cluster state." */
    @Test
    void assignment_editsTheRowOfItsMachineAndNoOther() {
        MachineRow other = cell.machineRow("n");
        Outcome outcome = cell.commit(claim(by("a", "a", cell.version()), "ta", 0, "m"));
        assertThat(cell.machineRow("n")).isEqualTo(other);
        assertThat(cell.machineRow("m").claimedVersion()).isEqualTo(outcome.version());
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(4_000, 4_096));
    }

    /** "then the two task-resource assignments may conflict, depending on the conflict detection mode in use" */
    @Test
    void commonMachine_conflictsDependingOnTheMode() {
        int index = 0;
        for (ConflictRule rule : ConflictRule.values()) {
            CellVersion synced = cell.version();
            cell.commit(claim(by("a", "a" + index, synced), "ta", index, "m"));
            Outcome second = cell.commit(
                    claim(by("b", "b" + index, synced), "tb", index, "m").conflictRule(rule));
            assertThat(second.isConflicted()).as("%s", rule).isEqualTo(rule == ConflictRule.MACHINE);
            index++;
        }
    }

    // ---- 6.2.2, the role of the meta-scheduling agent

    /** "in RSS action is taken passively in response to the submission of job transactions" */
    @Test
    void metaScheduling_withoutTransactions_doesNothing() {
        CellDigests before = cell.view().digests();
        cell.advance(3_600_000);
        assertThat(cell.cell.followUps(cell.header().cellTime())).isEmpty();
        assertThat(cell.view().digests()).isEqualTo(before);
    }

    /**
     * "1. reject task-resource assignments that would violate policies 2. reject task-resource assignments that conflict":
     * in this order
     */
    @Test
    void policyViolationAndConflict_isRejectedByThePolicy() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "m"));
        Outcome both = cell.commit(claim(by("b", "b", synced), "ta", 1, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(both.results().get(0).reason()).contains(Reason.NOT_ALLOWED);
    }

    /** "Enforce meta-scheduling policies" */
    @Test
    void policy_quotaOfAPool_isEnforcedForEverySubmitter() {
        cell.apply(new Command.PutPool("default", Limits.of(1_000)));
        cell.commit(claim(by("a", "a", cell.version()), "ta", 0, "m"));
        Outcome over = cell.commit(claim(by("b", "b", cell.version()), "tb", 0, "m"));
        assertThat(over.results().get(0).reason()).contains(Reason.QUOTA);
        assertThat(over.isConflicted()).isFalse();
    }

    /**
     * "3. reject job all task-resource assignments in a job transaction if using all-or-nothing transaction semantics and at
     * least one task-resource assignment was rejected": for whichever of the two reasons
     */
    @Test
    void allOrNothing_oneViolatesAPolicy_allAreRejected() {
        Transaction.Builder both = claim(claim(by("b", "b", cell.version()), "tb", 0, "m"), "ta", 0, "m");
        Outcome outcome = cell.commit(both.atomicity(Atomicity.ALL_OR_NOTHING));
        assertThat(outcome.results().get(0).reason()).contains(Reason.ABORTED);
        assertThat(outcome.results().get(1).reason()).contains(Reason.NOT_ALLOWED);
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(5_000, 5_120));
    }

    /** "sequence-numbers can be used to track cluster state row-edits": no number changes but by an assignment */
    @Test
    void sequenceNumbers_countAssignmentsAndNothingElse() {
        CellVersion registered = cell.machineRow("m").claimedVersion();
        cell.machine("m", 6_000, 5_120);
        assertThat(cell.machineRow("m").claimedVersion()).isEqualTo(registered);
        cell.commit(claim(by("a", "a", cell.version()), "ta", 0, "m"));
        CellVersion claimed = cell.machineRow("m").claimedVersion();
        cell.report("ta", 0, TaskState.RUNNING);
        cell.report("ta", 0, TaskState.FINISHED);
        assertThat(claimed.number()).isGreaterThan(registered.number());
        assertThat(cell.machineRow("m").claimedVersion()).isEqualTo(claimed);
    }

    /** "a machine can't have a negative number of available CPUs": down to none is allowed, and not one more */
    @Test
    void resourceGranularity_downToNothing_isValid() {
        CellVersion synced = cell.version();
        for (int index = 0; index < 5; index++) {
            assertThat(cell.commit(claim(by("a", "a" + index, synced), "ta", index, "m"))
                            .isSuccessful())
                    .isTrue();
        }
        Outcome sixth = cell.commit(claim(by("a", "a5", synced), "ta", 5, "m"));
        assertThat(sixth.results().get(0).free()).isZero();
        assertThat(sixth.isSuccessful()).isFalse();
        cell.view().checkTruths();
    }

    /**
     * "we reject a task-resource assignment if the row of cluster state representing the machine referenced by the
     * assignment has had any of its columns representing available resources decremented by the task-resource assignment of
     * another transaction since the sync phase of the current transaction"
     */
    @Test
    void machineGranularity_rowDecrementedByAnotherSinceTheSync_isRejected() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "m"));
        Outcome second = cell.commit(claim(by("b", "b", synced), "tb", 0, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(second.results().get(0).reason()).contains(Reason.MACHINE_CHANGED);
        assertThat(second.isConflicted()).isTrue();
    }

    /**
     * "Note that in this mode, an edit to the machine in which resources are freed on a machine, which happens when a task
     * ends, does not cause a conflict."
     */
    @Test
    void machineGranularity_freedResources_areNoConflict() {
        cell.commit(claim(by("a", "a", cell.version()), "ta", 0, "m"));
        CellVersion synced = cell.version();
        cell.report("ta", 0, TaskState.FAILED);
        Outcome outcome = cell.commit(claim(by("b", "b", synced), "tb", 0, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(outcome.isSuccessful()).isTrue();
    }

    /**
     * "will only reject a task-resource assignment if it causes the row of cluster state to enter an invalid state, e.g., if
     * it would try to reserve more CPUs for a task than the machine currently has available"
     */
    @Test
    void resourceGranularity_moreThanIsAvailable_isRejected() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Outcome second = cell.commit(claim(by("b", "b", synced), "tb", 0, "n"));
        assertThat(second.results().get(0).reason()).contains(Reason.DOES_NOT_FIT);
        assertThat(cell.machineRow("n").free()).isEqualTo(Amounts.NONE);
    }

    /**
     * "if a single task-resource assignment conflicts then none of the task-resource assignments in the transaction are
     * applied to common cluster state"
     */
    @Test
    void allOrNothing_oneConflicts_noneIsApplied() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Transaction.Builder both = claim(claim(by("b", "b", synced), "tb", 0, "m"), "tb", 1, "n");
        assertThat(cell.commit(both.atomicity(Atomicity.ALL_OR_NOTHING)).verdict())
                .isEqualTo(Verdict.REJECTED);
        assertThat(cell.machineRow("m").free()).isEqualTo(Amounts.of(5_000, 5_120));
        assertThat(cell.row("tb", 0).state()).isEqualTo(TaskState.PENDING);
    }

    /** "with incremental transactions, each task-resource assignment can fail independent of all others" */
    @Test
    void incremental_oneConflicts_theOtherIsApplied() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Outcome outcome = cell.commit(claim(claim(by("b", "b", synced), "tb", 0, "m"), "tb", 1, "n"));
        assertThat(outcome.verdict()).isEqualTo(Verdict.PARTIAL);
        assertThat(cell.row("tb", 0).state()).isEqualTo(TaskState.PLACED);
    }

    /**
     * "We say a transaction succeeds if none of its constituent task-resource assignments conflict, and we say the
     * transaction fails otherwise."
     */
    @Test
    void success_isNoConflictAmongItsAssignments() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Outcome partly = cell.commit(claim(claim(by("b", "b", synced), "tb", 0, "m"), "tb", 1, "n"));
        assertThat(partly.accepted()).isEqualTo(1);
        assertThat(partly.isSuccessful()).isFalse();
    }

    /** "Such transactions can be rejected either due to a conflict resulting from concurrency or a policy violation." */
    @Test
    void rejection_byPolicy_isNoConflict() {
        Outcome foreign = cell.commit(claim(by("b", "b", cell.version()), "ta", 0, "m"));
        assertThat(foreign.results().get(0).reason()).contains(Reason.NOT_ALLOWED);
        assertThat(foreign.isConflicted()).isFalse();
    }

    /**
     * "5. Record which task-resource assignments were successfully committed to common cluster state. 6. If any tasks in job
     * remain unscheduled ... insert job back into job queue to be handled again in a future transaction"
     */
    @Test
    void lifecycle_whatRemainsUnscheduled_succeedsInAFutureTransaction() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Outcome first = cell.commit(claim(claim(by("b", "b1", synced), "tb", 0, "m"), "tb", 1, "n"));
        assertThat(cell.jobRow("tb").group(0).nextPending(0)).isEqualTo(1);
        Outcome second = cell.commit(claim(by("b", "b2", first.syncVersion()), "tb", 1, "m"));
        assertThat(second.isSuccessful()).isTrue();
    }

    /**
     * Figure 6.3: "the Batch Scheduler makes decisions quickly while the Service Scheduler is slower. Consequently some of
     * the Service Scheduler's transactions fail, and need to be retried."
     */
    @Test
    void figure63_quickTransactionWithinASlowOne_theSlowOneFailsAndIsRetried() {
        CellVersion serviceSynced = cell.version();
        CellVersion batchSynced = cell.version();
        assertThat(cell.commit(claim(by("a", "batch", batchSynced), "ta", 0, "n"))
                        .isSuccessful())
                .isTrue();
        Outcome service = cell.commit(claim(by("b", "service", serviceSynced), "tb", 0, "n"));
        assertThat(service.isConflicted()).isTrue();
        assertThat(service.results().get(0).winner().orElseThrow().scheduler()).isEqualTo("a");
        Outcome retried = cell.commit(claim(by("b", "service-again", service.syncVersion()), "tb", 0, "m"));
        assertThat(retried.isSuccessful()).isTrue();
    }

    /**
     * Figure 6.3, the whole time line: while the service scheduler decides once, the batch scheduler syncs and submits over
     * and over.
     */
    @Test
    void figure63_severalQuickTransactionsWithinASlowOne_someOfTheSlowOnesAssignmentsFail() {
        CellVersion serviceSynced = cell.version();
        for (int index = 0; index < 5; index++) {
            Outcome quick = cell.commit(claim(by("a", "batch" + index, cell.version()), "ta", index, "m"));
            assertThat(quick.isSuccessful()).isTrue();
        }
        Transaction.Builder slow = claim(claim(by("b", "service", serviceSynced), "tb", 0, "m"), "tb", 1, "n");
        Outcome service = cell.commit(slow);
        assertThat(service.verdict()).isEqualTo(Verdict.PARTIAL);
        assertThat(service.results().get(0).winner().orElseThrow().transaction())
                .isEqualTo(new TransactionId("batch4"));
        cell.report("ta", 2, TaskState.FAILED);
        Outcome retried = cell.commit(claim(by("b", "service-again", cell.version()), "tb", 0, "m"));
        assertThat(retried.isSuccessful()).isTrue();
        assertThat(cell.jobRow("tb").pending()).isEqualTo(4);
    }

    /** The Omega simulator leaves bumped sequence numbers behind after a roll-back; others conflict with nothing. */
    @Test
    void allOrNothing_rolledBack_leavesNoTraceThatMakesOthersConflict() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Transaction.Builder both = claim(claim(by("b", "b", synced), "tb", 0, "m"), "tb", 1, "n");
        cell.commit(both.atomicity(Atomicity.ALL_OR_NOTHING));
        Outcome other = cell.commit(claim(by("a", "a2", synced), "ta", 1, "m").conflictRule(ConflictRule.MACHINE));
        assertThat(other.isSuccessful()).isTrue();
    }

    /** The Omega simulator undercounts failed claims: each one is counted, and what was only aborted is not. */
    @Test
    void allOrNothing_failed_everyConflictIsCountedAndNothingElse() {
        CellVersion synced = cell.version();
        cell.commit(claim(by("a", "a", synced), "ta", 0, "n"));
        Transaction.Builder three = claim(claim(claim(by("b", "b", synced), "tb", 0, "n"), "tb", 1, "m"), "tb", 2, "n");
        CommandResult result = cell.apply(new Command.CommitTransaction(
                three.atomicity(Atomicity.ALL_OR_NOTHING).build()));
        Outcome outcome = ((CommandResult.Decided) result).outcome();
        assertThat(outcome.results().stream().filter(item -> item.conflict()).count())
                .isEqualTo(2);
        assertThat(cell.jobRow("tb").conflicts()).isEqualTo(2);
    }
}
