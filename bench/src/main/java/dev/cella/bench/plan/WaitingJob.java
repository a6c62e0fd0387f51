package dev.cella.bench.plan;

import dev.cella.scheduling.BestFit;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.TaskByTask;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Spread;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A job of 100 tasks that waits in a half full cell, and attempts to plan it: from the view to the transaction. A plan is
 * discarded, so that each attempt finds the same cell. Belongs to one thread.
 */
public final class WaitingJob {
    /** How many tasks an attempt places. */
    public static final int TASKS = 100;

    private static final int MACHINES_A_RACK = 40;
    private static final int LABELS_EVERY = 1_000;
    private static final EntryHeader HEADER = new EntryHeader(1, new CellTime(1), 1, Incarnation.UNSAID);
    private static final GroupPlacement ASKS_MUCH = GroupPlacement.ANYWHERE
            .with(
                    Constraint.of("disk", Operator.IN, "ssd", "nvme"),
                    Constraint.of("cores", Operator.GT, "15"),
                    Constraint.of("zone", Operator.NE, "z3"))
            .with(Spread.evenly("rack"));

    /** What a job asks of machines. */
    public enum Asks {
        /** Room. */
        NOTHING,
        /** Three constraints, which an eighth of the machines meets, and a spread over racks. */
        CONSTRAINTS_AND_SPREAD;

        private GroupPlacement placement() {
            return this == NOTHING ? GroupPlacement.ANYWHERE : ASKS_MUCH;
        }
    }

    private final int machines;
    private final int relabelled;
    private final JobPlanner planner = new TaskByTask(Choice.bestOf(2, new BestFit()));
    private final SplittableRandom random = new SplittableRandom(1);
    private final TaskSet spokenFor = new TaskSet();
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Draft draft;
    private final Surroundings surroundings;
    private final JobRow job;
    private long turn;

    /**
     * A cell with a job that waits.
     *
     * @param relabelled how many machines are relabelled every 1,000 attempts: each time the index finds the matching
     *     machines again
     */
    public WaitingJob(int machines, Asks asks, int relabelled) {
        this.machines = machines;
        this.relabelled = relabelled;
        cell.apply(HEADER, new Command.FoundCell(new CellName("bench"), new Incarnation(1)));
        for (int machine = 0; machine < machines; machine++) {
            put(machine);
        }
        cell.apply(HEADER, new Command.SubmitJob(header(), Specification.EMPTY, Command.SubmitMode.CREATE));
        cell.takeChanges();
        draft = cell.view().draft();
        surroundings = Surroundings.of(cell.view(), asked -> new Placement(List.of(asks.placement())));
        job = cell.view().job("job").orElseThrow();
    }

    /** Half of the cell is used, unevenly. */
    private void put(int machine) {
        Map<String, String> attributes = new TreeMap<>();
        attributes.put("rack", "r" + machine / MACHINES_A_RACK);
        attributes.put("zone", "z" + machine / MACHINES_A_RACK % 4);
        attributes.put("disk", machine % 3 == 0 ? "ssd" : "hdd");
        attributes.put("cores", Integer.toString(8 << random.nextInt(4)));
        Amounts capacity = Amounts.of(2_000 + random.nextInt(30) * 1_000L, 64_000);
        cell.apply(
                HEADER,
                new Command.PutMachine("m" + machine, capacity, new TreeMap<>(attributes), Optional.empty(), false));
    }

    private static JobHeader header() {
        return new JobHeader(
                "job",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", TASKS, Amounts.of(500, 512), Restart.BATCH)));
    }

    /** One attempt; what it would commit. */
    public List<Proposal> plan() {
        if (relabelled > 0 && turn % LABELS_EVERY == 0) {
            relabel();
        }
        TransactionStamp stamp = new TransactionStamp("batch", new SessionId(1), ++turn, Transaction.CLAIMS_MAX);
        draft.clear();
        try (PlanningView view = new PlanningView(cell.view(), draft, spokenFor, stamp, surroundings)) {
            JobWork work = JobWork.first(job, CellTime.ZERO);
            List<Unplaced> left = planner.plan(work, view, random.split());
            if (!left.isEmpty()) {
                throw new IllegalStateException(left.get(0).sentence());
            }
            return view.propose(job.header());
        }
    }

    private void relabel() {
        for (int each = 0; each < relabelled; each++) {
            int machine = random.nextInt(machines);
            put(machine);
            surroundings.index().look(cell.view().findMachine("m" + machine).orElseThrow());
        }
        cell.takeChanges();
    }
}
