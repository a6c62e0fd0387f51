package dev.cella.bench.share;

import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
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
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An empty cell that one scheduler shares out. Plans are discarded, so that each plan finds the same cell. Belongs to one
 * thread.
 */
final class PlannedCell {
    private static final CellTime NOW = new CellTime(1_000);
    private static final long LEASE_MILLIS = 60_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Cell cell = new Cell(CellLimits.STANDARD);

    PlannedCell(int machines, Amounts capacity) {
        apply(new Command.FoundCell(new CellName("bench"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        for (int machine = 0; machine < machines; machine++) {
            apply(new Command.PutMachine("m" + machine, capacity, new TreeMap<>(), Optional.empty(), false));
        }
    }

    /** Opens the session of a scheduler that takes part in offers. */
    void framework(String name, String role) {
        open(name, Optional.of(new Participation(role, 1, Amounts.NONE)));
    }

    private SessionId open(String scheduler, Optional<Participation> offers) {
        CommandResult opened =
                apply(new Command.OpenSession(scheduler, "one", "bench", LEASE_MILLIS, Optional.empty(), offers));
        return new SessionId(((CommandResult.Done) opened).identity());
    }

    /** Submits a job of equal tasks. */
    void job(String name, String scheduler, String pool, int tasks, Amounts shape) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                scheduler,
                pool,
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", tasks, shape, Restart.BATCH)));
        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
    }

    /** Plans that many rounds of the type, each for everything that waits. */
    List<PlannedRound> plan(SchedulerProvider type, int rounds) {
        return plan(type.create(SchedulerOptions.of(type.options(), Map.of())), type.type(), rounds);
    }

    private <M> List<PlannedRound> plan(Scheduler<M> scheduler, String name, int rounds) {
        SessionId session = open(name, Optional.empty());
        List<JobWork> waiting = new ArrayList<>();
        cell.view().pendingJobs(name).forEach(job -> waiting.add(JobWork.first(job, NOW)));
        List<PlannedRound> planned = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            planned.add(plan(scheduler, new TransactionStamp(name, session, round, Transaction.CLAIMS_MAX), waiting));
        }
        return planned;
    }

    private <M> PlannedRound plan(Scheduler<M> scheduler, TransactionStamp stamp, List<JobWork> waiting) {
        Draft draft = cell.view().draft();
        draft.clear();
        Surroundings surroundings = Surroundings.of(cell.view());
        PlanContext<M> context = new PlanContext<>(NOW, stamp.turn(), scheduler.start(), Observations.NONE);
        try (PlanningView view = new PlanningView(cell.view(), draft, new TaskSet(), stamp, surroundings)) {
            long began = threads.getCurrentThreadCpuTime();
            Plan<M> plan = Planning.plan(scheduler, List.of(view), new Work(waiting, List.of()), context);
            double seconds = (threads.getCurrentThreadCpuTime() - began) / NANOS_PER_SECOND;
            int items = plan.proposals().stream()
                    .mapToInt(proposal -> proposal.transaction().items())
                    .sum();
            return new PlannedRound(items, seconds);
        }
    }

    private CommandResult apply(Command command) {
        EntryHeader header = new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                NOW,
                NOW.millis(),
                cell.view().incarnation());
        CommandResult result = cell.apply(header, command);
        cell.takeChanges();
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalStateException(command + ": " + refused);
        }
        return result;
    }
}
