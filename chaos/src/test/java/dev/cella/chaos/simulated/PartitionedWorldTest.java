package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduler.batch.fair.FairSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two schedulers, each in its part of the machines, and a third whose rights and whose part have nothing in common. */
class PartitionedWorldTest {
    private static final Restart OFTEN = new Restart(Restart.UNLIMITED, 50, 800);
    private static final String PART = "part";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyTaskIsInItsSchedulersPart_andEveryJobOfASoundPartEnds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = new SimulatedWorld(seed);
        world.apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        for (int machine = 0; machine < 12; machine++) {
            world.putMachine("m" + machine, 4_000, 16_384, Map.of(PART, machine < 4 ? "left" : "right"));
        }
        mayUse(world, "left");
        add(world, "left", new RandomisedFirstFit().scheduler(), "left");
        add(world, "right", fair(), "right");
        mayUse(world, "nowhere");
        add(world, "nowhere", fair(), "left");
        for (int number = 0; number < 24; number++) {
            world.submit(job(number, number % 2 == 0 ? "left" : "right", 1 + random.nextInt(8)));
        }
        world.submit(job(24, "nowhere", 1));

        for (long millis = 1_100; millis < 60_000; millis += 100) {
            world.runUntil(millis);
            world.view().jobs().forEach(job -> everyTaskIsIn(world, job));
        }

        assertThat(world.view().jobs())
                .filteredOn(job -> !job.header().scheduler().equals("nowhere"))
                .allMatch(JobRow::isEnded);
        assertThat(world.view().job("job-24").orElseThrow().pending()).isEqualTo(1);
        assertThat(world.schedulers()).allSatisfy(each -> {
            assertThat(each.status().lastPlannerFailure()).as(each.name()).isEmpty();
            assertThat(each.status().counters().plansRepeated()).as(each.name()).isZero();
        });
    }

    /** Whatever a scheduler was told to plan on, the commit takes nothing outside of its rights. */
    private static void mayUse(SimulatedWorld world, String part) {
        MachineRule rule = new MachineRule(PART, MachineRule.Operator.EQ, List.of(part));
        world.apply(new Command.SetRights(
                part, new Rights(100, List.of(), true, Rights.Evicts.LOWER, List.of(rule), true)));
    }

    private static void everyTaskIsIn(SimulatedWorld world, JobRow job) {
        for (int index = 0; index < job.group(0).header().count(); index++) {
            int machine = world.view().machineOf(job.group(0), index);
            if (machine >= 0) {
                assertThat(world.view().attributes(machine))
                        .containsEntry(PART, job.header().scheduler());
            }
        }
    }

    private static void add(SimulatedWorld world, String name, Scheduler<?> scheduler, String part) {
        world.addScheduler(name, scheduler, 5, 16, List.of(Constraint.of(PART, Operator.EQ, part)));
    }

    private static Scheduler<?> fair() {
        FairSchedulerProvider provider = new FairSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of()));
    }

    private static JobHeader job(int number, String scheduler, int tasks) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(1_000, 64), OFTEN);
        return new JobHeader(
                "job-" + number,
                JobType.BATCH,
                scheduler,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }
}
