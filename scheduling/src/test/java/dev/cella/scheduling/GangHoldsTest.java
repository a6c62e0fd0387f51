package dev.cella.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlannedCell.Attempt;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which amounts are held for a gang that has waited. */
class GangHoldsTest {
    private static final long CORES = 4_000;
    private static final long WAITED_MILLIS = 1_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final PlannedCell cell = new PlannedCell();

    /** The claim holds what its victims have handed over, so the machine has that only once. */
    @Test
    void victimsThatAreEnding_areNotCountedBesideTheClaimThatEvictedThem() {
        machineWithAgent("m0");
        JobRow victims = submit("victims", 10, 2, CORES / 2);
        commit(transaction("place").claim(task(victims, 0), 1, 0).claim(task(victims, 1), 1, 0));
        JobRow evicting = submit("evicting", 50, 1, CORES);
        commit(transaction("evict")
                .claim(task(evicting, 0), 1, 0)
                .evict(new Eviction(task(victims, 0), 1, OptionalInt.of(0)))
                .evict(new Eviction(task(victims, 1), 1, OptionalInt.of(0))));
        assertThat(cell.view().task(task(victims, 0)).orElseThrow().state()).isEqualTo(TaskState.STOPPING);

        assertThat(holdsFor(gangOf(2))).isZero();
        assertThat(holdsFor(gangOf(1))).isEqualTo(1);
    }

    /** Its machine was held beside another one, which is gone. */
    @Test
    void amountsThatAHoldHasGot_areNoRoomForAnotherTaskOfTheGang() {
        cell.machines(2, CORES);
        JobRow gang = gangOf(2);
        commit(transaction("hold").hold(new HoldRequest(gang.id(), 0, Amounts.of(CORES), 60_000)));
        JobRow other = submit("other", 50, 1, CORES);
        commit(transaction("place").claim(task(other, 0), 1, 1));

        assertThat(holds(gang)).singleElement().extracting(HoldRequest::machine).isEqualTo(1);
    }

    /** A planner knows what its tasks wait for, but nothing of holds. */
    @Test
    void gangOfAPlannerThatSaysItsWakes_isAlsoPlannedWhenMachinesAreHeldForIt() {
        JobRow gang = gangOf(2);
        Attempt attempt = cell.plan(
                new JobPlanner() {
                    @Override
                    public List<Unplaced> plan(JobWork work, PlanningView view, SplittableRandom random) {
                        return List.of();
                    }

                    @Override
                    public List<Wake> wakes(JobWork work, PlanningView view, List<Unplaced> left) {
                        return List.of(new Wake.Room(work.key(), Amounts.of(CORES)));
                    }
                },
                gang,
                1,
                WAITED_MILLIS);
        assertThat(attempt.wakes()).hasSize(2);
        assertThat(attempt.wakes()).hasAtLeastOneElementOfType(Wake.Room.class);
        assertThat(attempt.wakes()).hasAtLeastOneElementOfType(Wake.At.class);
    }

    /** The holds may be complete at any time, and would expire after an hour. */
    @Test
    void gangThatHasWaitedForHours_isPlannedAgainWithinAMinute() {
        cell.machines(1, CORES);
        JobRow gang = gangOf(1);
        commit(transaction("place").claim(task(submit("other", 50, 1, CORES), 0), 1, 0));
        cell.passMillis(10 * HOUR_MILLIS);

        Attempt attempt = cell.plan(new TaskByTask(Choice.best(new WorstFit())), gang, 1, 10 * HOUR_MILLIS);

        assertThat(attempt.wakes())
                .contains(new Wake.At(JobKey.of(gang.id()), new CellTime(1_000 + 10 * HOUR_MILLIS + 60_000)));
    }

    private long holdsFor(JobRow gang) {
        return holds(gang).size();
    }

    private List<HoldRequest> holds(JobRow gang) {
        Attempt attempt = cell.plan(new TaskByTask(Choice.best(new WorstFit())), gang, 1, WAITED_MILLIS);
        return attempt.proposals().stream()
                .flatMap(proposal -> proposal.transaction().holds().stream())
                .toList();
    }

    private JobRow gangOf(int tasks) {
        Gang gang = new Gang(tasks, 0, Gang.Restarts.ALL);
        return cell.job(
                new GroupHeader(
                        "main", tasks, Amounts.of(CORES), Restart.BATCH, 0, 0, OnLost.REPLACE, Optional.of(gang)),
                GroupPlacement.ANYWHERE);
    }

    private void machineWithAgent(String name) {
        cell.apply(new Command.PutMachine(
                name,
                Amounts.of(CORES, 8_192),
                new TreeMap<>(),
                Optional.of(new AgentIdentity("boot", "", 1_000)),
                false));
        cell.surroundings().index().look(cell.view().findMachine(name).orElseThrow());
    }

    private JobRow submit(String name, int priority, int tasks, long cpuMilli) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                "s",
                "default",
                priority,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", tasks, Amounts.of(cpuMilli), Restart.BATCH)));
        cell.apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        return cell.view().job(name).orElseThrow();
    }

    private static TaskId task(JobRow job, int index) {
        return new TaskId(job.id(), 0, index);
    }

    private static Transaction.Builder transaction(String id) {
        return Transaction.builder(new TransactionId(id), "s");
    }

    private void commit(Transaction.Builder transaction) {
        cell.apply(new Command.CommitTransaction(transaction
                .incarnation(cell.view().incarnation())
                .basis(cell.view().version())
                .build()));
    }
}
