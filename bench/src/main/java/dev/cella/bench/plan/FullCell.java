package dev.cella.bench.plan;

import dev.cella.scheduling.BestFit;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
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
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A cell full of less important tasks, and a job that waits in it: each of its tasks needs the eviction of one of those. A plan
 * leaves the cell as it is until its proposals are committed. Belongs to one thread.
 */
final class FullCell {
    private static final Amounts SHAPE = Amounts.of(1_000, 1_024);
    private static final String SCHEDULER = "batch";
    private static final Principal PRINCIPAL = new Principal("bench");
    private static final CellTime NOW = new CellTime(1_000);
    private static final long LEASE_MILLIS = 60_000;

    private final JobPlanner planner;
    private final SplittableRandom random = new SplittableRandom(1);
    private final TaskSet spokenFor = new TaskSet();
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final SessionId session;
    private final Surroundings surroundings;
    private long turn;

    /**
     * A full cell.
     *
     * @param tasksAMachine how many less important tasks fill each machine
     * @param waiting how many tasks the job has
     */
    FullCell(int machines, int tasksAMachine, int waiting) {
        apply(new Command.FoundCell(new CellName("bench"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        Amounts capacity = Amounts.of(tasksAMachine * SHAPE.at(0), tasksAMachine * SHAPE.at(1));
        for (int machine = 0; machine < machines; machine++) {
            apply(new Command.PutMachine("m" + machine, capacity, new TreeMap<>(), Optional.empty(), false));
        }
        int filled = machines * tasksAMachine;
        for (int first = 0; first < filled; first += Transaction.CLAIMS_MAX) {
            fill(first, Math.min(Transaction.CLAIMS_MAX, filled - first), machines);
        }
        CommandResult opened =
                apply(new Command.OpenSession(SCHEDULER, "one", "batch", LEASE_MILLIS, Optional.empty()));
        session = new SessionId(((CommandResult.Done) opened).identity());
        submit("job", 50, waiting);
        planner = Preempting.of(
                new TaskByTask(Choice.bestOf(2, new BestFit())),
                SchedulerOptions.of(List.of(Preempting.OPTION), Map.of()));
        surroundings = Surroundings.of(cell.view());
    }

    /** One job of that many tasks, from that machine on. */
    private void fill(int first, int tasks, int machines) {
        JobRow filler = submit("filler-" + first, 10, tasks);
        Transaction.Builder claims = Transaction.builder(new TransactionId("fill-" + first), SCHEDULER);
        for (int task = 0; task < tasks; task++) {
            claims.claim(filler.id().version(), 0, task, 1, (first + task) % machines);
        }
        apply(new Command.CommitTransaction(claims.build()));
    }

    private JobRow submit(String name, int priority, int tasks) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                SCHEDULER,
                "default",
                priority,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", tasks, SHAPE, Restart.BATCH)));
        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        return cell.view().job(name).orElseThrow();
    }

    /** One attempt; what it would commit: as many claims, each with its eviction, as a transaction may have. */
    List<Proposal> plan() {
        JobRow job = job();
        return onView(view -> {
            List<Unplaced> left = planner.plan(JobWork.first(job, NOW), view, random.split());
            if (!left.isEmpty() && view.unproposed() == 0) {
                throw new IllegalStateException(left.get(0).sentence());
            }
            return view.propose(job.header());
        });
    }

    /** One turn of the job by another scheduler, which does not evict. */
    <M> Plan<M> plan(Scheduler<M> scheduler) {
        Work work = new Work(List.of(JobWork.first(job(), NOW)), List.of());
        PlanContext<M> context = new PlanContext<>(NOW, random.nextLong(), scheduler.start(), Observations.NONE);
        return onView(view -> Planning.plan(scheduler, List.of(view), work, context));
    }

    /** Why the job is not placed, and what would help. */
    Unplaced explain() {
        JobRow job = job();
        return onView(view -> view.pendingGroups(job.id()).get(0).explain());
    }

    private <R> R onView(Function<PlanningView, R> use) {
        TransactionStamp stamp = new TransactionStamp(SCHEDULER, session, ++turn, Transaction.CLAIMS_MAX);
        Draft draft = cell.view().draft();
        draft.clear();
        try (PlanningView view = new PlanningView(cell.view(), draft, spokenFor, stamp, surroundings)) {
            return use.apply(view);
        }
    }

    private JobRow job() {
        return cell.view().job("job").orElseThrow();
    }

    /** The entry of the log that commits the proposals. */
    Entry entry(List<Proposal> proposals) {
        return new Entry(
                header(),
                proposals.stream()
                        .map(each -> CommandCodec.encode(PRINCIPAL, new Command.CommitTransaction(each.transaction())))
                        .toList());
    }

    /** Commits an entry, with all the work of a commit; how many bytes have changed. */
    int commit(Entry entry) {
        cell.apply(entry);
        return cell.takeChanges().length;
    }

    /** How many tasks of the job are still to be placed. */
    int waiting() {
        return job().pending();
    }

    private CommandResult apply(Command command) {
        CommandResult result = cell.apply(header(), command);
        cell.takeChanges();
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalStateException(command + ": " + refused);
        }
        return result;
    }

    private EntryHeader header() {
        return new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                NOW,
                NOW.millis(),
                cell.view().incarnation());
    }
}
