package dev.cella.scheduler.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Schedulers that plan on one snapshot and do not know of each other, as optimistic concurrency has them: N of them claim K
 * different slots each, drawn at random from S free ones. The commit accepts S (1 - (1 - K/S)^N) of the claims on average.
 */
class OptimisticConflictsTest {
    private static final int SLOTS = 1_000;
    private static final CellTime NOW = new CellTime(1_000);

    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void eightPlannersOfAHundredTasks_loseWhatTheClosedFormSays() {
        assertThat(refusedPart(8, 100, 15)).isCloseTo(closedForm(8, 100), within(0.05 * closedForm(8, 100)));
    }

    @Test
    void fourPlannersOfFiftyTasks_loseWhatTheClosedFormSays() {
        assertThat(refusedPart(4, 50, 40)).isCloseTo(closedForm(4, 50), within(0.05 * closedForm(4, 50)));
    }

    private static double closedForm(int planners, int tasks) {
        double accepted = SLOTS * (1 - Math.pow(1 - tasks / (double) SLOTS, planners));
        return 1 - accepted / (planners * tasks);
    }

    /** The part of the claims that conflict, over that many cells. */
    private double refusedPart(int planners, int tasks, int cells) {
        int accepted = 0;
        for (int each = 0; each < cells; each++) {
            accepted += new Snapshot(planners, tasks).commitAll(random);
        }
        return 1 - accepted / (double) (cells * planners * tasks);
    }

    /** A cell of empty machines of one slot, and a scheduler with one job for each planner. */
    private static final class Snapshot {
        private final Cell cell = new Cell(CellLimits.STANDARD);
        private final Map<JobId, SessionId> planners =
                new TreeMap<>((one, other) -> Long.compare(one.version(), other.version()));

        Snapshot(int schedulers, int tasks) {
            apply(new Command.FoundCell(new CellName("snapshot"), new Incarnation(1)));
            apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
            for (int slot = 0; slot < SLOTS; slot++) {
                apply(new Command.PutMachine("m" + slot, Amounts.of(1, 1), new TreeMap<>(), Optional.empty(), false));
            }
            for (int number = 0; number < schedulers; number++) {
                String name = "s" + number;
                SessionId session =
                        new SessionId(done(new Command.OpenSession(name, "one", "batch", 60_000, Optional.empty())));
                planners.put(
                        new JobId(done(new Command.SubmitJob(
                                job(name, tasks), Specification.EMPTY, Command.SubmitMode.CREATE))),
                        session);
            }
        }

        private static JobHeader job(String scheduler, int tasks) {
            GroupHeader group = new GroupHeader("main", tasks, Amounts.of(1, 1), Restart.BATCH);
            return new JobHeader(
                    "of-" + scheduler,
                    JobType.BATCH,
                    scheduler,
                    "default",
                    50,
                    Atomicity.INCREMENTAL,
                    ConflictRule.RESOURCE,
                    List.of(group));
        }

        /** Everybody plans, and then everybody commits. Returns how many claims were accepted. */
        int commitAll(SplittableRandom random) {
            BatchSchedulerProvider provider = new BatchSchedulerProvider();
            Scheduler<?> batch = provider.create(SchedulerOptions.defaults(provider.options()));
            List<Proposal> proposals = new ArrayList<>();
            planners.forEach((job, session) -> proposals.addAll(plan(batch, job, session, random.nextLong())));
            int accepted = 0;
            for (Proposal proposal : proposals) {
                Outcome outcome = ((CommandResult.Decided) apply(new Command.CommitTransaction(proposal.transaction())))
                        .outcome();
                long conflicts =
                        outcome.results().stream().filter(ItemResult::conflict).count();
                assertThat(outcome.accepted() + conflicts).isEqualTo(outcome.items());
                accepted += outcome.accepted();
            }
            return accepted;
        }

        private <M> List<Proposal> plan(Scheduler<M> scheduler, JobId job, SessionId session, long seed) {
            JobRow row = cell.view().job(job).orElseThrow();
            TransactionStamp stamp = new TransactionStamp(row.header().scheduler(), session, 1, 10_000);
            Draft draft = cell.view().draft();
            draft.clear();
            PlanningView view =
                    new PlanningView(cell.view(), draft, new TaskSet(), stamp, Surroundings.of(cell.view()));
            JobWork work = new JobWork(JobKey.of(job), row.header(), row.generation(), 1, List.of(), NOW);
            PlanContext<M> context = new PlanContext<>(NOW, seed, scheduler.start(), Observations.NONE);
            return Planning.plan(scheduler, List.of(view), new Work(List.of(work), List.of()), context)
                    .proposals();
        }

        private long done(Command command) {
            return ((CommandResult.Done) apply(command)).identity();
        }

        private CommandResult apply(Command command) {
            int level = Math.max(1, cell.view().featureLevel());
            CommandResult result = cell.apply(
                    new EntryHeader(level, NOW, NOW.millis(), cell.view().incarnation()), command);
            cell.takeChanges();
            return result;
        }
    }
}
