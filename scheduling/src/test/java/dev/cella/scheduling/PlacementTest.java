package dev.cella.scheduling;

import static dev.cella.scheduling.placement.GroupPlacement.ANYWHERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cella.scheduling.PlannedCell.Attempt;
import dev.cella.scheduling.host.FailedMachines;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Affinity;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Spread;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The effect of a job's placement on the places of its tasks, and the explanations for the tasks that are left. */
class PlacementTest {
    private static final JobPlanner FIRST_FIT = new TaskByTask(Choice.FIRST_FIT);

    private final PlannedCell cell = new PlannedCell();

    // ---- musts

    @Test
    void constraints_areAllMet() {
        cell.machine("a", 4_000, "rack=r1", "disk=ssd");
        cell.machine("b", 4_000, "rack=r2", "disk=ssd");
        cell.machine("c", 4_000, "rack=r2", "disk=hdd");
        GroupPlacement placement = ANYWHERE.with(
                Constraint.of("rack", Operator.EQ, "r2"), Constraint.of("disk", Operator.IN, "ssd", "nvme"));

        Attempt attempt = plan(cell.job(6, 1_000, placement));

        assertThat(attempt.names()).containsOnly("b").hasSize(4);
        assertThat(attempt.sentence())
                .isEqualTo("1 machine excluded by rack=r2, 1 machine lacks cpuMilli, 1 excluded by disk in ssd,nvme");
    }

    @Test
    void constraintThatNoMachineMeets_canNeverBePlaced_untilOneComes() {
        cell.machine("a", 4_000, "rack=r1");
        cell.machine("b", 500, "rack=r9");
        JobRow job = cell.job(1, 1_000, ANYWHERE.with(Constraint.of("rack", Operator.EQ, "r9")));

        Unplaced before = plan(job).unplaced().get(0);
        cell.machine("c", 4_000, "rack=r9");

        assertThat(before.neverPlaceable()).isTrue();
        assertThat(before.sentence()).isEqualTo("1 machine excluded by rack=r9, 1 machine is too small in cpuMilli");
        assertThat(plan(job).names()).containsExactly("c");
    }

    @Test
    void distinct_isNeverExceeded_overSeveralAttempts() {
        racks(3, 4);
        JobRow job = cell.job(10, 1_000, ANYWHERE.with(new Distinct("rack", 2)));

        Attempt first = plan(job);
        cell.commit(first);
        Attempt second = plan(job);

        assertThat(first.by("rack")).isEqualTo(Map.of("r0", 2, "r1", 2, "r2", 2));
        assertThat(first.sentence()).isEqualTo("12 machines excluded by distinct rack (max 2)");
        assertThat(second.claims()).isZero();
    }

    @Test
    void distinctMachines_takeOneTaskEach() {
        cell.machines(5, 4_000);
        Attempt attempt = plan(cell.job(5, 1_000, ANYWHERE.with(new Distinct(MachineIndex.MACHINE, 1))));
        assertThat(attempt.names()).doesNotHaveDuplicates().hasSize(5);
    }

    @Test
    void together_isWhereAllHaveRoom() {
        cell.machine("a", 8_000, "rack=small");
        cell.machine("b", 4_000, "rack=large");
        cell.machine("c", 6_000, "rack=large");
        cell.machine("d", 9_000);
        for (long seed = 0; seed < 20; seed++) {
            Attempt attempt = cell.plan(FIRST_FIT, cell.job(10, 1_000, ANYWHERE.together("rack")), seed);
            assertThat(attempt.by("rack")).isEqualTo(Map.of("large", 10));
        }
    }

    @Test
    void together_staysWhereTheFirstWent() {
        racks(4, 2);
        JobRow job = cell.job(6, 1_000, ANYWHERE.together("rack"));
        Attempt first = plan(job);
        cell.commit(first);
        String rack = first.by("rack").keySet().iterator().next();
        JobRow more = cell.job(6, 1_000, ANYWHERE.together("rack"));
        cell.commit(plan(more));

        assertThat(first.by("rack")).isEqualTo(Map.of(rack, 6));
        assertThat(plan(cell.job(20, 1_000, ANYWHERE.together("rack"))).sentence())
                .contains("excluded by together rack");
    }

    @Test
    void plannerThatBreaksAMust_isTold() {
        int machine = cell.machine("a", 4_000, "rack=r1");
        JobRow job = cell.job(1, 1_000, ANYWHERE.with(Constraint.of("rack", Operator.NE, "r1")));
        TransactionStamp stamp = new TransactionStamp("s", new SessionId(1), 1, 10);
        try (PlanningView view =
                new PlanningView(cell.view(), cell.view().draft(), new TaskSet(), stamp, cell.surroundings())) {
            PendingGroup group = view.pendingGroups(job.id()).get(0);
            assertThat(group.takes(machine)).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> group.claimNext(machine))
                    .withMessage("the planner claims a, which is excluded by rack!=r1");
        }
    }

    // ---- wishes

    @Test
    void spread_isEven() {
        racks(5, 4);
        assertThat(plan(cell.job(20, 1_000, ANYWHERE.with(Spread.evenly("rack"))))
                        .by("rack"))
                .isEqualTo(Map.of("r0", 4, "r1", 4, "r2", 4, "r3", 4, "r4", 4));
    }

    @Test
    void spreadOverMoreValuesThanTasks_drawsTheValues_andUsesNoneTwice() {
        racks(60, 2);
        JobRow job = cell.job(40, 500, ANYWHERE.with(Spread.evenly("rack")));
        Map<String, Integer> once = cell.plan(FIRST_FIT, job, 1).by("rack");
        Map<String, Integer> again = cell.plan(FIRST_FIT, job, 2).by("rack");
        assertThat(once.values()).hasSize(40).containsOnly(1);
        assertThat(again.values()).hasSize(40).containsOnly(1);
        assertThat(again.keySet()).isNotEqualTo(once.keySet());
    }

    @Test
    void spread_countsWhatRunsAlready() {
        racks(4, 10);
        JobRow job = cell.job(40, 1_000, ANYWHERE.with(Spread.evenly("rack")));
        Attempt half = plan(job);
        cell.commit(half);
        assertThat(half.by("rack").values()).containsOnly(10);
    }

    @Test
    void spreadWithTargets_isByPercent() {
        racks(3, 10);
        Spread spread = Spread.of("rack", Map.of("r0", 50, "r1", 30));
        assertThat(plan(cell.job(20, 1_000, ANYWHERE.with(spread))).by("rack"))
                .isEqualTo(Map.of("r0", 10, "r1", 6, "r2", 4));
    }

    @Test
    void spreadThatFindsNoRoom_givesWay() {
        cell.machine("a", 1_000, "rack=r0");
        cell.machine("b", 8_000, "rack=r1");
        assertThat(plan(cell.job(6, 1_000, ANYWHERE.with(Spread.evenly("rack"))))
                        .by("rack"))
                .isEqualTo(Map.of("r0", 1, "r1", 5));
    }

    @Test
    void affinity_fillsThePreferredFirst_andTheUnwantedLast() {
        cell.machine("a", 2_000, "disk=hdd");
        cell.machine("b", 2_000, "disk=ssd");
        cell.machine("c", 2_000);
        GroupPlacement placement = ANYWHERE.with(
                new Affinity(Constraint.of("disk", Operator.EQ, "ssd"), 50),
                new Affinity(Constraint.of("disk", Operator.EQ, "hdd"), -50));
        assertThat(plan(cell.job(5, 1_000, placement)).names()).containsExactly("b", "b", "c", "c", "a");
    }

    // ---- bounds and failures

    @Test
    void runningMax_keepsTasksBack() {
        cell.machines(4, 8_000);
        GroupHeader group =
                new GroupHeader("main", 10, Amounts.of(1_000), Restart.BATCH, 3, 0, OnLost.REPLACE, Optional.empty());
        JobRow job = cell.job(group, ANYWHERE);

        Attempt first = plan(job);
        cell.commit(first);
        Attempt second = plan(job);

        assertThat(first.claims()).isEqualTo(3);
        assertThat(second.claims()).isZero();
        assertThat(second.sentence()).isEqualTo("as many are on machines as runningMax lets (3)");
        assertThat(second.unplaced().get(0).tasks()).isEqualTo(7);
    }

    @Test
    void machineThatFailedATaskTwice_isTakenOnlyWhenNoOtherHasRoom() {
        int bad = cell.machine("bad", 4_000);
        cell.machine("good", 2_000);
        JobRow job = cell.job(3, 1_000);
        FailedMachines failed = cell.surroundings().failed();
        TaskId task = new TaskId(job.id(), 0, 0);
        failed.failed(task, 1, cell.view().machineId(bad), cell.view().time());
        assertThat(first(job)).contains("bad");
        failed.failed(task, 2, cell.view().machineId(bad), cell.view().time());
        failed.failed(task, 2, cell.view().machineId(bad), cell.view().time());

        assertThat(plan(job).names()).containsExactly("good", "good", "bad");
    }

    @Test
    void gang_isProposedWhole_orNotAtAll() {
        cell.machines(3, 4_000);
        JobRow job = gang(20, 14);

        Attempt tooEarly = plan(job);
        cell.machines(1, 4_000);
        Attempt whole = plan(job);

        assertThat(tooEarly.proposals()).isEmpty();
        assertThat(tooEarly.sentence())
                .isEqualTo("3 machines excluded by a gang that needs 14 at once, of which 12 have room");
        assertThat(tooEarly.unplaced().get(0).tasks()).isEqualTo(20);
        assertThat(whole.claims()).isEqualTo(16);
        assertThat(whole.proposals())
                .singleElement()
                .satisfies(one -> assertThat(one.transaction().minClaims()).isEqualTo(14));
    }

    @Test
    void gangThatLosesARace_leavesNothingBehind() {
        cell.machines(4, 4_000);
        Attempt gang = plan(gang(16, 14));
        cell.commit(plan(cell.job(3, 1_000)));

        assertThat(cell.commit(gang))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.accepted()).isZero());
    }

    @Test
    void gangThatHasStarted_growsOneByOne() {
        cell.machines(4, 4_000);
        JobRow job = gang(20, 14);
        cell.commit(plan(job));
        cell.machine("more", 1_000);

        Attempt more = plan(job);

        assertThat(more.names()).containsExactly("more");
        assertThat(more.proposals().get(0).transaction().minClaims()).isZero();
    }

    private JobRow gang(int count, int min) {
        Gang gang = new Gang(min, 30_000, Gang.Restarts.ONE);
        return cell.job(
                new GroupHeader(
                        "main", count, Amounts.of(1_000), Restart.BATCH, 0, 0, OnLost.REPLACE, Optional.of(gang)),
                ANYWHERE);
    }

    private Set<String> first(JobRow job) {
        Set<String> names = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            names.add(cell.plan(FIRST_FIT, job, seed).names().get(0));
        }
        return names;
    }

    // ---- choices

    @Test
    void bestFit_fillsTheFullest_worstFitTheEmptiest() {
        cell.machines(10, 8_000);
        cell.machine("small", 2_000);
        JobRow job = cell.job(2, 1_000);
        assertThat(cell.plan(new TaskByTask(Choice.best(new BestFit())), job, 1).names())
                .containsExactly("small", "small");
        assertThat(cell.plan(new TaskByTask(Choice.best(new WorstFit())), job, 1)
                        .names())
                .doesNotContain("small")
                .doesNotHaveDuplicates();
    }

    @Test
    void bestFit_ofTwoPlanners_drawsAmongNearEquals() {
        cell.machines(100, 8_000);
        JobRow job = cell.job(1, 1_000);
        Set<String> first = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            first.addAll(cell.plan(new TaskByTask(Choice.best(new BestFit())), job, seed)
                    .names());
        }
        assertThat(first).hasSizeGreaterThan(30);
    }

    @Test
    void bestOfTwo_prefersTheFuller() {
        cell.machines(50, 8_000);
        for (int machine = 0; machine < 50; machine++) {
            cell.machine("s" + machine, 1_000);
        }
        int small = 0;
        for (long seed = 0; seed < 400; seed++) {
            List<String> names = cell.plan(new TaskByTask(Choice.bestOf(2, new BestFit())), cell.job(1, 1_000), seed)
                    .names();
            small += names.get(0).startsWith("s") ? 1 : 0;
        }
        assertThat(small).isBetween(260, 340);
    }

    private Attempt plan(JobRow job) {
        return cell.plan(FIRST_FIT, job, 1);
    }

    private void racks(int racks, int machines) {
        for (int rack = 0; rack < racks; rack++) {
            cell.machines(machines, 4_000, "rack=r" + rack);
        }
    }
}
