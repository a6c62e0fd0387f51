package dev.cella.scheduler.batch.megha;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.conformance.SampleCell;
import dev.cella.scheduling.conformance.SampleRun;
import dev.cella.scheduling.host.Commitments;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users have is counted from an earlier count, with the same result as from all tasks. */
class PoolSharesTest {
    private static final List<String> POOLS = List.of("a", "a/x", "b", "c");

    private final SampleCell cell = SampleCell.of(4, 4_000, 8_192).withTasksThatRun(900);
    private JobUses known = JobUses.NONE;
    private int ending;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void countFromAnEarlierOne_isThatOfAllTasks(long seed) {
        Random random = new Random(seed);
        cell.rights(SampleCell.SCHEDULER, new Rights(100, List.of(), true, Rights.Evicts.OWN));
        cell.withTasksThatFail(task -> random.nextInt(10) == 0);
        SampleRun run = SampleRun.of(scheduler(), cell);
        for (int step = 0; step < 150; step++) {
            change(step, random);
            run.runUntil(cell.time().millis() + random.nextInt(200));
            if (random.nextBoolean()) {
                look(random);
            }
        }
        assertThat(ending).as("tasks on machines that were ending").isPositive();
    }

    private static Scheduler<?> scheduler() {
        MeghaSchedulerProvider provider = new MeghaSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("shares", "pools")));
    }

    private void change(int step, Random random) {
        List<JobRow> live =
                cell.view().jobs().stream().filter(job -> !job.isEnded()).toList();
        JobRow any = live.isEmpty() ? null : live.get(random.nextInt(live.size()));
        switch (random.nextInt(6)) {
            case 0 -> cell.lose("m" + random.nextInt(4));
            case 1 -> cell.machine("m" + random.nextInt(4), 4_000, 8_192);
            case 2 -> {
                if (any != null && random.nextInt(3) == 0) {
                    cell.stop(any.id());
                }
            }
            case 3 -> {
                if (any != null && !any.isStopped()) {
                    cell.scale(any.name(), 0, random.nextInt(8));
                }
            }
            default -> cell.submit(job("j" + step, random));
        }
    }

    private static JobHeader job(String name, Random random) {
        JobHeader plain = SampleCell.batch(name, 1 + random.nextInt(6), 500L * (1 + random.nextInt(3)), 64);
        return new JobHeader(
                name,
                plain.type(),
                plain.scheduler(),
                POOLS.get(random.nextInt(POOLS.size())),
                plain.priority(),
                plain.atomicity(),
                plain.conflictRule(),
                plain.groups());
    }

    /** Some tasks on machines are ending. */
    private void look(Random random) {
        Commitments inFlight = Commitments.of(new TaskSet());
        for (int slot = 0; slot < cell.view().machineSlots(); slot++) {
            List<TaskRow> tasks = new ArrayList<>();
            cell.view().forEachTaskOn(slot, tasks::add);
            for (TaskRow task : tasks) {
                if (random.nextInt(8) == 0) {
                    inFlight.ending().add(task.id());
                    ending++;
                }
            }
        }
        cell.view().jobs().stream()
                .filter(job -> job.pending() > 0)
                .forEach(job ->
                        claimInFlight(new TaskId(job.id(), 0, job.group(0).nextPending(0)), inFlight));
        PlanningView view = view(inFlight);
        PoolShares counted = new PoolShares(view, known);
        assertThat(text(counted.used())).isEqualTo(text(naive(view)));
        known = counted.uses();
    }

    private static Map<String, long[]> naive(PlanningView view) {
        Map<String, long[]> used = new TreeMap<>();
        for (JobRow job : view.view().jobs()) {
            if (!job.isEnded()) {
                String user = job.header().pool().substring(0, 1);
                long[] sums = used.computeIfAbsent(
                        user, none -> new long[view.view().dimensions().size()]);
                view.tasksOf(job.id()).forEach(task -> add(sums, task.resources(), 1));
                job.groups().forEach(group -> add(sums, group.header().shape(), group.pending() - view.pending(group)));
            }
        }
        return used;
    }

    private static void add(long[] sums, Amounts amounts, int times) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            sums[dimension] += times * amounts.at(dimension);
        }
    }

    private static void claimInFlight(TaskId task, Commitments inFlight) {
        inFlight.tasks().add(task.job().version(), task.group(), task.index(), 0);
    }

    private PlanningView view(Commitments inFlight) {
        Draft draft = cell.view().draft();
        draft.clear();
        return new PlanningView(
                0,
                cell.view(),
                draft,
                inFlight,
                new TransactionStamp(SampleCell.SCHEDULER, new SessionId(1), 1, 10_000),
                Surroundings.of(cell.view(), job -> Placement.ANYWHERE));
    }

    private static Map<String, String> text(Map<String, long[]> used) {
        Map<String, String> text = new TreeMap<>();
        used.forEach((user, amounts) -> text.put(user, Arrays.toString(amounts)));
        return text;
    }
}
