package dev.cella.scheduler.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.TaskSet;
import dev.cella.scheduling.TransactionStamp;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.cell.Draft;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The algorithm of the dissertation, section 3.2, and what it says about tasks that it could not place. */
class RandomisedFirstFitTest {
    private final SimulatedWorld world = new SimulatedWorld(1);

    /** What one attempt proposed, and what it left. */
    private record Attempt(List<Proposal> proposals, List<Unplaced> unplaced) {
        int claims() {
            return proposals.stream()
                    .mapToInt(each -> each.transaction().claims())
                    .sum();
        }

        int firstMachine() {
            return proposals.get(0).transaction().machine(0);
        }

        List<Integer> machines() {
            Transaction transaction = proposals.get(0).transaction();
            return IntStream.range(0, transaction.claims())
                    .mapToObj(transaction::machine)
                    .toList();
        }
    }

    /** "while pool has more machines and job has more tasks to schedule" */
    @Test
    void room_isUsedToTheLast() {
        machines(10, 4_000);
        Attempt attempt = plan(submit(50, 1_000), 7);
        assertThat(attempt.claims()).isEqualTo(40);
        assertThat(attempt.unplaced()).singleElement().satisfies(left -> {
            assertThat(left.tasks()).isEqualTo(10);
            assertThat(left.sentence()).isEqualTo("10 machines lack cpuMilli");
            assertThat(left.neverPlaceable()).isFalse();
        });
    }

    /** "candidate := random machine in pool" */
    @Test
    void attempts_beginElsewhere() {
        machines(1_000, 4_000);
        JobRow job = submit(1, 1_000);
        Set<Integer> begun = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            begun.add(plan(job, seed).firstMachine());
        }
        assertThat(begun).hasSizeGreaterThan(150);
    }

    @Test
    void sameSeed_samePlan() {
        machines(100, 4_000);
        JobRow job = submit(30, 1_000);
        assertThat(plan(job, 5).machines()).isEqualTo(plan(job, 5).machines());
        assertThat(plan(job, 5).machines()).isNotEqualTo(plan(job, 6).machines());
    }

    /** "if candidate has enough available resources to fit ... else remove candidate from pool" */
    @Test
    void machineWithTooLittle_isPassedOver() {
        machines(50, 500);
        world.putMachine("large", 1_000, 8_192);
        for (long seed = 0; seed < 20; seed++) {
            Attempt attempt = plan(submit(2, 1_000), seed);
            assertThat(attempt.claims()).isEqualTo(1);
            assertThat(attempt.firstMachine())
                    .isEqualTo(world.view().findMachine("large").orElseThrow());
        }
    }

    @Test
    void machineThatIsNotReady_takesNothing() {
        machines(2, 4_000);
        world.apply(new Command.ChangeMachine(
                world.view().machine("m0").orElseThrow().id(), Command.MachineChange.DRAIN, false));
        Attempt attempt = plan(submit(6, 1_000), 3);
        assertThat(attempt.claims()).isEqualTo(4);
        assertThat(attempt.unplaced().get(0).sentence()).isEqualTo("1 drained, 1 machine lacks cpuMilli");
    }

    @Test
    void taskLargerThanEveryMachine_canNeverBePlaced() {
        machines(3, 4_000);
        Unplaced unplaced = plan(submit(1, 5_000), 3).unplaced().get(0);
        assertThat(unplaced.neverPlaceable()).isTrue();
        assertThat(unplaced.sentence()).isEqualTo("3 machines are too small in cpuMilli");
        assertThat(unplaced.causes().get(0).example()).isEqualTo("m0");
    }

    @Test
    void cellWithoutMachines_saysSo() {
        Unplaced unplaced = plan(submit(1, 1_000), 3).unplaced().get(0);
        assertThat(unplaced.sentence()).isEqualTo("the cell has no machine");
        assertThat(unplaced.neverPlaceable()).isFalse();
    }

    @Test
    void roomiestMachine_isNamed() {
        machines(2, 1_000);
        world.putMachine("roomy", 3_000, 8_192);
        Unplaced unplaced = plan(submit(1, 4_000), 3).unplaced().get(0);
        assertThat(unplaced.causes().get(0).machines()).isEqualTo(3);
        assertThat(unplaced.roomiest()).hasValueSatisfying(roomiest -> {
            assertThat(roomiest.machine()).isEqualTo("roomy");
            assertThat(roomiest.free()).isEqualTo(Amounts.of(3_000, 8_192));
        });
    }

    @Test
    void tooManyClaimsForOneTransaction_goInSeveral() {
        machines(4, 100_000);
        Attempt attempt = plan(submit(250, 1_000), 3);
        assertThat(attempt.proposals()).hasSize(3);
        assertThat(attempt.proposals().stream()
                        .map(each -> each.transaction().id().text()))
                .containsExactly("1-9", "1-9.1", "1-9.2");
    }

    @Test
    void provider_isFoundByItsType() {
        assertThat(ServiceLoader.load(SchedulerProvider.class)).singleElement().satisfies(provider -> {
            assertThat(provider.type()).isEqualTo("batch");
            assertThat(provider.create(SchedulerOptions.defaults(provider.options())))
                    .isNotNull();
        });
    }

    private void machines(int count, long cpuMilli) {
        for (int machine = 0; machine < count; machine++) {
            world.putMachine("m" + machine, cpuMilli, 8_192);
        }
    }

    private JobRow submit(int count, long cpuMilli) {
        String name = "job-" + world.view().version();
        world.submit(new JobHeader(
                name,
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", count, Amounts.of(cpuMilli), Restart.BATCH))));
        return world.view().job(name).orElseThrow();
    }

    private Attempt plan(JobRow job, long seed) {
        TransactionStamp stamp = new TransactionStamp("batch", new SessionId(1), 9, 100);
        try (PlanningView cell = new PlanningView(world.view(), new Draft(world.view()), new TaskSet(), stamp)) {
            JobWork work = new JobWork(job.id(), job.header(), 1, 1, Optional.empty(), CellTime.ZERO);
            List<Unplaced> unplaced = new RandomisedFirstFit().plan(work, cell, new SplittableRandom(seed));
            return new Attempt(cell.propose(job.header()), unplaced);
        }
    }
}
