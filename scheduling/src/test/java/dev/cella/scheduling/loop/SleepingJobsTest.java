package dev.cella.scheduling.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PlannedCell;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SleepingJobsTest {
    private static final int MACHINES = 20;
    private static final int MEMORY = 1;

    private final PlannedCell cell = new PlannedCell();
    private final long[][] free = new long[MACHINES][2];

    /** Counts the comparisons of a machine with a shape. */
    private int comparisons;

    private final SleepingJobs jobs = new SleepingJobs(0, new FreeRoom(), false, 1);

    private final class FreeRoom implements SleepingJobs.Room {
        @Override
        public boolean fits(int machine, Amounts shape, Musts musts) {
            comparisons++;
            return shape.at(0) <= free[machine][0] && shape.at(MEMORY) <= free[machine][MEMORY];
        }

        @Override
        public long free(int machine, int dimension) {
            return free[machine][dimension];
        }

        @Override
        public String name(int machine) {
            return "m-" + machine;
        }
    }

    private static final class Idle implements OpenJob.Open {
        @Override
        public int pending(OpenJob job) {
            return 1;
        }

        @Override
        public Amounts asks(OpenJob job) {
            return Amounts.NONE;
        }
    }

    private OpenJob sleeper(Amounts shape) {
        return sleeper(shape, Set.of());
    }

    private OpenJob sleeper(Amounts shape, Set<String> machines) {
        JobRow row = cell.job(1, 1);
        JobKey key = new JobKey(0, row.id());
        OpenJob job = new OpenJob(key, QueueOrder.FIFO, row.header(), row.generation(), new CellTime(1), new Idle());
        jobs.add(job, new Wake.Room(key, 0, shape, List.of(), machines), jobs.beginPlan(false));
        return job;
    }

    private void freed(int machine, long cpuMilli, long memoryMib) {
        free[machine][0] = cpuMilli;
        free[machine][MEMORY] = memoryMib;
        jobs.freed(machine);
    }

    @Test
    void freed_amongManyShapes_isComparedWithTheSmallOnes() {
        List<OpenJob> sleepers = new ArrayList<>();
        for (int cores = 1; cores <= 1_000; cores++) {
            sleepers.add(sleeper(Amounts.of(1_000L * cores, 1)));
        }
        freed(3, 3_500, 100);
        assertThat(comparisons).isEqualTo(3);
        assertThat(jobs.woken())
                .extracting(SleepingJobs.Woken::job)
                .containsExactlyInAnyOrderElementsOf(sleepers.subList(0, 3));

        jobs.remove(sleepers.get(0));
        comparisons = 0;
        freed(4, 3_500, 100);
        assertThat(comparisons).isEqualTo(2);
    }

    /** In a cell with room everywhere, a job that waits for room near its input must not be asked about each machine. */
    @Test
    void freed_amongJobsThatNameOtherMachines_isComparedWithNone() {
        OpenJob onThree = sleeper(Amounts.of(1, 1), Set.of("m-3", "m-4"));
        for (int job = 0; job < 1_000; job++) {
            sleeper(Amounts.of(1, 1), Set.of("m-7", "m-" + (MACHINES + job)));
        }
        freed(5, 9, 9);
        assertThat(jobs.woken()).isEmpty();
        assertThat(comparisons).isZero();

        freed(3, 9, 9);
        assertThat(jobs.woken()).extracting(SleepingJobs.Woken::job).containsExactly(onThree);

        jobs.remove(onThree);
        comparisons = 0;
        freed(4, 9, 9);
        assertThat(comparisons).isZero();
    }

    @Test
    void add_afterANamedMachineWasFreedDuringThePlan_wakes() {
        long seen = jobs.beginPlan(true);
        freed(3, 9, 9);
        freed(5, 9, 9);
        JobRow row = cell.job(1, 1);
        JobKey key = new JobKey(0, row.id());
        OpenJob job = new OpenJob(key, QueueOrder.FIFO, row.header(), row.generation(), new CellTime(1), new Idle());

        jobs.add(job, new Wake.Room(key, Amounts.of(1, 1)).on(Set.of("m-3")), seen);

        assertThat(jobs.woken()).containsExactly(new SleepingJobs.Woken(job, 0, 3));
    }

    /** Whatever is freed, those and only those wake that a look at all of them finds. */
    @Test
    void woken_isWhatALookAtAllSleepersFinds() {
        Random random = new Random(20_261_124);
        List<OpenJob> sleepers = new ArrayList<>();
        List<Amounts> shapes = new ArrayList<>();
        List<Set<String>> named = new ArrayList<>();
        for (int round = 0; round < 400; round++) {
            if (random.nextInt(3) > 0 || sleepers.isEmpty()) {
                Amounts shape = Amounts.of(random.nextInt(9), random.nextInt(9), round);
                shapes.add(shape);
                named.add(random.nextBoolean() ? Set.of() : Set.copyOf(List.of(machine(random), machine(random))));
                sleepers.add(sleeper(shape, named.get(named.size() - 1)));
            } else {
                int gone = random.nextInt(sleepers.size());
                shapes.remove(gone);
                named.remove(gone);
                jobs.remove(sleepers.remove(gone));
            }
            int machine = random.nextInt(MACHINES);
            freed(machine, random.nextInt(9), random.nextInt(9));
            List<OpenJob> fitting = new ArrayList<>();
            for (int place = 0; place < sleepers.size(); place++) {
                boolean counts = named.get(place).isEmpty() || named.get(place).contains("m-" + machine);
                if (counts && new FreeRoom().fits(machine, shapes.get(place), new Musts(List.of()))) {
                    fitting.add(sleepers.get(place));
                }
            }
            List<OpenJob> woken = new ArrayList<>();
            jobs.woken().forEach(each -> {
                if (each.machine() == machine) {
                    woken.add(each.job());
                }
            });
            assertThat(woken).containsExactlyInAnyOrderElementsOf(fitting);
        }
    }

    private static String machine(Random random) {
        return "m-" + random.nextInt(MACHINES);
    }
}
