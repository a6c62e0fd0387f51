package dev.cella.scheduling.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.loop.LoopStatus.PendingJob;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.Rights;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Jobs that wait for a quota, a right, a time or their agenda: they sleep with the reason, and wake when that changes.
 */
class PolicyWaitTest {
    private static final JobPlanner FIRST_FIT = PlantedSchedulers.FIRST_FIT;

    private final SampleCell cell = SampleCell.of(2, 4_000, 8_192);

    @Test
    void overItsQuota_aJobSleepsWithTheReason_andWakesWhenTheLimitMoves() {
        cell.limit("default", 2_000);
        cell.submit(SampleCell.batch("j", 5, 1_000, 64));
        SampleRun run = SampleRun.of(FIRST_FIT.scheduler(), cell).run();

        PendingJob waits = run.status().jobs().get(0);
        assertThat(waits.phase()).isEqualTo("ASLEEP");
        assertThat(waits.unplaced().get(0).sentence())
                .isEqualTo("held back by the quota of pool default: 2000 cpuMilli");
        assertThat(run.status().counters().claimsRefused()).isZero();
        assertThat(pending()).isEqualTo(3);

        cell.limit("default", 4_000);
        run.run();
        assertThat(pending()).isEqualTo(1);
        assertThat(run.status().counters().plans()).isLessThan(10);
    }

    @Test
    void withoutTheRight_aJobSleepsWithTheReason_andWakesWhenTheRightsMove() {
        cell.rights(SampleCell.SCHEDULER, new Rights(100, List.of("other"), true, Rights.Evicts.LOWER));
        cell.submit(SampleCell.batch("j", 5, 1_000, 64));
        SampleRun run = SampleRun.of(FIRST_FIT.scheduler(), cell).run();
        assertThat(run.status().jobs().get(0).unplaced().get(0).sentence())
                .isEqualTo("held back by the rights of sample: priority 50 in pool default");
        assertThat(run.status().counters().plans()).isEqualTo(1);

        cell.rights(SampleCell.SCHEDULER, Rights.UNSET);
        run.run();
        assertThat(pending()).isZero();
    }

    @Test
    void onMachinesThatItsRightsDoNotName_aSchedulerPlansNothing() {
        cell.machine("mine", 4_000, 8_192, Map.of("team", "a"));
        MachineRule rule = new MachineRule("team", MachineRule.Operator.EQ, List.of("a"));
        cell.rights(SampleCell.SCHEDULER, new Rights(100, List.of(), true, Rights.Evicts.LOWER, List.of(rule), true));
        cell.submit(SampleCell.batch("j", 5, 1_000, 64));
        SampleRun run = SampleRun.of(FIRST_FIT.scheduler(), cell).run();
        assertThat(pending()).isEqualTo(1);
        assertThat(cell.view().tasksOn(cell.view().findMachine("mine").orElseThrow()))
                .isEqualTo(4);
        assertThat(run.status().counters().claimsRefused()).isZero();

        cell.rights(SampleCell.SCHEDULER, Rights.UNSET);
        run.run();
        assertThat(pending()).isZero();
    }

    /** A gang whose scheduler may hold nothing waits for room without a hold, which the commit would only refuse. */
    @Test
    void withoutTheRightToHold_aGangIsNeverRefused() {
        cell.rights(SampleCell.SCHEDULER, new Rights(100, List.of(), false, Rights.Evicts.LOWER));
        JobId full = cell.fill(SampleCell.batch("full", 8, 1_000, 64));
        cell.submit(gang(6));
        SampleRun run = SampleRun.of(FIRST_FIT.scheduler(), cell).runUntil(60_000);
        assertThat(pending()).isEqualTo(6);
        assertThat(run.status().counters().transactionsRefused()).isZero();
        assertThat(run.status().jobs().get(0).phase()).isEqualTo("ASLEEP");
        cell.stop(full);
        run.runUntil(120_000);
        assertThat(pending()).isZero();
    }

    @Test
    void roomThatIsHeldForAGang_isNamedToThoseWhoLackIt() {
        cell.fill(SampleCell.batch("full", 3, 1_000, 64));
        JobId ends = cell.fill(SampleCell.batch("ends", 5, 1_000, 64));
        cell.submit(gang(8));
        SampleRun run = SampleRun.of(FIRST_FIT.scheduler(), cell).runUntil(10_000);
        cell.stop(ends);
        cell.submit(SampleCell.batch("late", 1, 1_000, 64));
        run.runUntil(12_000);
        PendingJob late = run.status().jobs().stream()
                .filter(job ->
                        job.id().equals(cell.view().job("late").orElseThrow().id()))
                .findFirst()
                .orElseThrow();
        assertThat(late.unplaced().get(0).sentence()).contains("the room held for job j");
    }

    private static JobHeader gang(int tasks) {
        JobHeader plain = SampleCell.batch("j", tasks, 1_000, 64);
        GroupHeader group = plain.groups().get(0);
        Gang gang = new Gang(tasks, 1_000, Gang.Restarts.ALL);
        return plain.withGroups(List.of(new GroupHeader(
                "main", tasks, group.shape(), group.restart(), 0, 0, group.onLost(), Optional.of(gang))));
    }

    @Test
    void aPlanner_thatNamesATime_hasItsNextTurnThen() {
        cell.submit(SampleCell.batch("j", 1, 1_000, 64));
        SampleRun run = SampleRun.of(new WaitsFirst().scheduler(), cell);
        run.runUntil(5_000);
        assertThat(pending()).isEqualTo(1);
        run.run();
        assertThat(pending()).isZero();
        assertThat(cell.time().millis()).isEqualTo(WaitsFirst.UNTIL);
    }

    @Test
    void anAgenda_thatChoosesNothing_isAskedAgainWhenItSays() {
        cell.submit(SampleCell.batch("j", 1, 1_000, 64));
        SampleRun.of(new Patient(), cell).run();
        assertThat(pending()).isZero();
        assertThat(cell.time().millis()).isEqualTo(Patient.FROM);
    }

    private int pending() {
        return cell.view().job("j").orElseThrow().pending();
    }

    /** Places nothing on its first turn. */
    private static final class WaitsFirst implements JobPlanner {
        static final long UNTIL = 9_000;

        @Override
        public List<Unplaced> plan(JobWork work, PlanningView view, SplittableRandom random) {
            return work.attempt() == 1
                    ? view.pendingGroups(work.id()).stream()
                            .map(group -> group.explain(machine -> Optional.of("patience")))
                            .toList()
                    : FIRST_FIT.plan(work, view, random);
        }

        @Override
        public List<Wake> wakes(JobWork work, PlanningView view, List<Unplaced> left) {
            return left.isEmpty() ? List.of() : List.of(new Wake.At(work.key(), new CellTime(UNTIL)));
        }
    }

    /** Plans nothing before a time. */
    private static final class Patient implements Scheduler<String> {
        static final long FROM = 7_000;

        @Override
        public String start() {
            return "";
        }

        @Override
        public Agenda<String> agenda() {
            return new Agenda<>() {
                @Override
                public List<JobKey> next(Standing standing, String memory) {
                    return standing.now().millis() < FROM
                            ? List.of()
                            : List.of(standing.first().orElseThrow().key());
                }

                @Override
                public Optional<CellTime> again(Standing standing, String memory) {
                    return Optional.of(new CellTime(FROM));
                }
            };
        }

        @Override
        public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
            JobWork job = work.jobs().get(0);
            List<Unplaced> left = FIRST_FIT.plan(job, job.in(cells), new SplittableRandom(context.seed()));
            return Plan.of(left, List.of(), context.memory());
        }
    }
}
