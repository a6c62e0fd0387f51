package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.offers.OffersSchedulerProvider;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An allocator and frameworks in one world: what is claimed was offered, what is not used comes back, and nothing leaks when
 * one of them is killed.
 */
class OffersWorldTest {
    private static final long LEASE_MILLIS = 10_000;
    private static final long OFFER_MILLIS = 30_000;

    private final Map<String, String> plain = Map.of();

    private static Scheduler<?> of(SchedulerProvider provider, Map<String, String> set) {
        return provider.create(SchedulerOptions.of(provider.options(), set));
    }

    private static Scheduler<?> batch() {
        return of(new BatchSchedulerProvider(), Map.of());
    }

    private static Scheduler<?> allocator(Map<String, String> set) {
        return of(new OffersSchedulerProvider(), set);
    }

    private static Participation role(String role) {
        return new Participation(role, 1, Amounts.NONE);
    }

    private static SimulatedWorld world(long seed, int machines) {
        SimulatedWorld world = new SimulatedWorld(seed);
        world.withLeader();
        for (int machine = 0; machine < machines; machine++) {
            world.putMachine("m" + machine, 4_000, 4_096);
        }
        return world;
    }

    private static JobHeader job(
            String name, String scheduler, JobType type, int tasks, long cpuMilli, long memoryMib) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, memoryMib), Restart.BATCH);
        return new JobHeader(
                name, type, scheduler, "default", 50, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, List.of(group));
    }

    private static int onMachines(SimulatedWorld world, String job) {
        return world.view().job(job).orElseThrow().group(0).onMachines();
    }

    private static void assertNothingLeaked(SimulatedWorld world) {
        assertThat(world.view().offers()).isEmpty();
        for (int slot = 0; slot < world.view().machineSlots(); slot++) {
            assertThat(world.view().free(slot, 0)).isEqualTo(world.view().capacity(slot, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void frameworksShareACell_everyJobEndsAndEveryOfferComesBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = world(seed, 12);
        world.addScheduler("offers", allocator(plain), 1 + random.nextInt(20), 16);
        world.addFramework("a", "one", batch(), 1 + random.nextInt(50), role("a"));
        world.addFramework("b", "one", batch(), 1 + random.nextInt(500), role("b"));
        world.addFramework("b", "two", batch(), 1 + random.nextInt(50), role("b"));
        for (int number = 0; number < 40; number++) {
            String scheduler = number % 2 == 0 ? "a" : "b";
            world.submit(job("j" + number, scheduler, JobType.BATCH, 1 + random.nextInt(9), 1_000, 512));
        }
        world.runUntil(90_000);
        assertThat(world.view().jobs()).allMatch(JobRow::isEnded);
        assertThat(world.schedulers()).allSatisfy(each -> {
            assertThat(each.status().lastPlannerFailure()).as(each.name()).isEmpty();
            assertThat(each.status().counters().plansRepeated()).as(each.name()).isZero();
        });
        world.runUntil(90_000 + OFFER_MILLIS + LEASE_MILLIS);
        assertThat(world.view().session("a", "one").orElseThrow().suppressed())
                .as("a has nothing to place, and no other instance")
                .isTrue();
        assertThat(world.view().offers()).noneMatch(offer -> offer.scheduler().equals("a"));
    }

    @Test
    void workedExample_aGetsThreeTasksAndBTwo() {
        SimulatedWorld world = new SimulatedWorld(7);
        world.withLeader();
        world.withTasksThatStay();
        world.putMachine("m", 9_000, 18_432);
        world.addScheduler("offers", allocator(plain), 1, 16);
        world.addFramework("a", "one", new OneTaskAnOffer().scheduler(), 1, role("a"));
        world.addFramework("b", "one", new OneTaskAnOffer().scheduler(), 1, role("b"));
        world.submit(job("ja", "a", JobType.SERVICE, 9, 1_000, 4_096));
        world.submit(job("jb", "b", JobType.SERVICE, 9, 3_000, 1_024));
        world.runUntil(60_000);
        assertThat(onMachines(world, "ja")).isEqualTo(3);
        assertThat(onMachines(world, "jb")).isEqualTo(2);
    }

    /** One task of an offer; the rest of it goes back. */
    private static final class OneTaskAnOffer implements JobPlanner {
        @Override
        public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
            List<Unplaced> left = new ArrayList<>();
            for (PendingGroup group : cell.pendingGroups(work.id())) {
                for (int machine = 0; machine < cell.machines() && left.isEmpty(); machine++) {
                    if (cell.isReady(machine) && cell.fits(machine, group.shape())) {
                        group.claimNext(machine);
                        break;
                    }
                }
                left.add(group.explain(machine -> Optional.of("one task an offer")));
            }
            return left;
        }
    }

    @Test
    void killedAllocator_itsOffersExpire_andASecondInstanceTakesOver() {
        SimulatedWorld world = world(3, 8);
        Scheduler<?> first = allocator(plain);
        WorldScheduler<?> killed = world.addInstance("offers", "one", first);
        world.addFramework("idle", "one", new NeverPlaces().scheduler(), 600_000, role("idle"));
        world.submit(job("waits", "idle", JobType.BATCH, 1, 1_000, 512));
        world.runUntil(3_000);
        assertThat(world.view().offers()).hasSize(8);
        world.kill(killed, LEASE_MILLIS);
        world.runUntil(3_000 + OFFER_MILLIS + LEASE_MILLIS);
        assertNothingLeaked(world);

        world.addInstance("offers", "two", allocator(plain));
        world.addFramework("works", "one", batch(), 1, role("works"));
        world.submit(job("runs", "works", JobType.BATCH, 4, 1_000, 512));
        world.runUntil(150_000);
        assertThat(world.view().job("runs").orElseThrow().isEnded()).isTrue();
    }

    /** It is still thinking when the test is over. */
    private static final class NeverPlaces implements JobPlanner {
        @Override
        public List<Unplaced> plan(JobWork work, PlanningView cell, SplittableRandom random) {
            return cell.pendingGroups(work.id()).stream()
                    .map(PendingGroup::explain)
                    .toList();
        }
    }

    @Test
    void killedFramework_itsOffersGoBack_andItsTasksLiveUntilTheFailoverTimeIsOver() {
        SimulatedWorld world = world(4, 4);
        world.withTasksThatStay();
        world.apply(new Command.SetRights("offers", new Rights(100, List.of(), true, Rights.Evicts.ANY)));
        world.addScheduler("offers", allocator(Map.of("failoverSeconds", "60")), 1, 16);
        WorldScheduler<?> killed = world.addFramework("web", "one", new OneTaskAnOffer().scheduler(), 50, role("web"));
        world.submit(job("serves", "web", JobType.SERVICE, 30, 500, 64));
        world.runUntil(20_000);
        assertThat(onMachines(world, "serves")).isPositive();
        world.kill(killed, LEASE_MILLIS);
        world.runUntil(20_000 + LEASE_MILLIS + 1_000);
        assertThat(world.view().offers()).isEmpty();
        int lived = onMachines(world, "serves");
        assertThat(lived).as("the failover time is not over").isPositive();
        world.runUntil(20_000 + LEASE_MILLIS + 65_000);
        assertNothingLeaked(world);
    }

    /**
     * Kills of allocators and frameworks at any moment. A new instance of each follows, while the lease of the old one
     * runs.
     */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void killsAtAnyMoment_noAmountIsOfferedTwice_andNothingLeaks(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = world(seed, 10);
        Map<String, String> fewOffers = Map.of("outstanding", "4");
        WorldScheduler<?> allocator = world.addInstance("offers", "first", allocator(fewOffers));
        WorldScheduler<?> framework = world.addFramework("a", "first", batch(), 20, role("a"));
        world.addFramework("b", "one", batch(), 200, role("b"));
        for (int step = 0; step < 200; step++) {
            world.runUntil(1_000 + 200L * step);
            assertEveryAmountIsSomebodysOnce(world, 4);
            if (step < 100 && random.nextInt(3) == 0) {
                String scheduler = random.nextBoolean() ? "a" : "b";
                world.submit(job("j" + step, scheduler, JobType.BATCH, 1 + random.nextInt(9), 1_000, 512));
            }
            if (random.nextInt(20) == 0) {
                world.kill(allocator, LEASE_MILLIS);
                allocator = world.addInstance("offers", "i" + step, allocator(fewOffers));
            }
            if (random.nextInt(20) == 0) {
                world.kill(framework, LEASE_MILLIS);
                framework = world.addFramework("a", "i" + step, batch(), 20, role("a"));
            }
        }
        world.runUntil(150_000);
        assertThat(world.view().jobs()).hasSizeGreaterThan(10).allMatch(JobRow::isEnded);
        assertNothingLeaked(world);
    }

    /** The tasks, the offers and the free amounts of a machine are its capacity. */
    private static void assertEveryAmountIsSomebodysOnce(SimulatedWorld world, int outstandingMax) {
        CellView view = world.view();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            long[] used = {0};
            view.forEachTaskOn(slot, task -> used[0] += task.resources().at(0));
            view.holdsOn(slot).forEach(offer -> used[0] += offer.got().at(0));
            assertThat(view.free(slot, 0)).isNotNegative();
            assertThat(used[0] + view.free(slot, 0)).isEqualTo(view.capacity(slot, 0));
        }
        assertThat(view.offers()).extracting(HoldRow::offer).doesNotHaveDuplicates();
        assertThat(view.offers().stream().collect(Collectors.groupingBy(HoldRow::scheduler)))
                .allSatisfy((scheduler, offers) -> assertThat(offers).hasSizeLessThanOrEqualTo(outstandingMax));
    }

    @Test
    void guaranteedRole_getsWhatItIsDueByRevocation_newestFirst_andNoMore() {
        SimulatedWorld world = world(5, 4);
        world.apply(new Command.SetRights("offers", new Rights(100, List.of(), true, Rights.Evicts.ANY)));
        world.apply(new Command.DefinePool(
                "science", new PoolPolicy(1, Amounts.of(4_000, 0), Limits.NONE, PoolPolicy.Order.FAIR, 5_000, 0)));
        world.addScheduler("offers", allocator(plain), 1, 16);
        world.addFramework("web", "one", batch(), 1, role("web"));
        world.addFramework("lab", "one", batch(), 1, role("science"));
        world.withTasksThatStay();
        world.submit(job("fills", "web", JobType.SERVICE, 16, 1_000, 512));
        world.runUntil(5_000);
        assertThat(onMachines(world, "fills")).isEqualTo(16);
        world.submit(job("due", "lab", JobType.SERVICE, 8, 1_000, 512));
        world.runUntil(9_000);
        assertThat(onMachines(world, "fills")).as("within the grace").isEqualTo(16);
        world.runUntil(60_000);
        assertThat(onMachines(world, "due")).isEqualTo(4);
        assertThat(onMachines(world, "fills")).isEqualTo(12);
        assertThat(world.view().job("fills").orElseThrow().counts().of(TaskState.PENDING))
                .isEqualTo(4);
    }

    @Test
    void drainedMachine_itsOfferIsTakenBack() {
        SimulatedWorld world = world(6, 2);
        world.addScheduler("offers", allocator(plain), 1, 16);
        world.addFramework("idle", "one", new NeverPlaces().scheduler(), 600_000, role("idle"));
        world.submit(job("waits", "idle", JobType.BATCH, 1, 1_000, 512));
        world.runUntil(2_000);
        assertThat(world.view().offers()).extracting(HoldRow::slot).containsExactlyInAnyOrder(0, 1);
        world.apply(new Command.ChangeMachine(
                world.view().machine("m1").orElseThrow().id(), Command.MachineChange.DRAIN, false));
        world.runUntil(4_000);
        assertThat(world.view().offers()).extracting(HoldRow::slot).containsExactly(0);
    }
}
