package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduler.batch.SharedMap;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.JobHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Apollo's job manager in a live cell (Boutin et al., OSDI 2014). A job's turn sends its tasks to the queues of the machines on
 * which they should complete first. Every second a round looks at what waits and at what runs: it queues a task a second time
 * where the first decision was wrong, and copies a straggler.
 *
 * <p>Its memory holds the estimates by which its tasks were sent.
 */
final class ApolloScheduler implements Scheduler<ApolloMemory> {
    private static final Duration CORRECTION = Duration.ofSeconds(1);

    private final ApolloOptions options;
    private final QueueOrder order;

    ApolloScheduler(ApolloOptions options, QueueOrder order) {
        this.options = options;
        this.order = order;
    }

    @Override
    public ApolloMemory start() {
        return ApolloMemory.NOTHING;
    }

    @Override
    public Agenda<ApolloMemory> agenda() {
        return Agenda.inOrder(order);
    }

    /** An instance has a turn for each job that it takes over, and learns which of its tasks wait. */
    @Override
    public boolean tends(JobHeader job) {
        return true;
    }

    @Override
    public boolean observesWaits() {
        return true;
    }

    @Override
    public Optional<Rounds> rounds() {
        return Optional.of(new Rounds(CORRECTION, CORRECTION));
    }

    @Override
    public Plan<ApolloMemory> plan(List<PlanningView> cells, Work work, PlanContext<ApolloMemory> context) {
        return work.jobs().isEmpty() ? correct(cells, context) : send(cells, work, context);
    }

    /** A round looks at all that waits, so it also drops the recent rows that count no longer. */
    private Plan<ApolloMemory> correct(List<PlanningView> cells, PlanContext<ApolloMemory> context) {
        ApolloMemory memory = context.memory();
        for (PlanningView cell : cells) {
            memory = memory.withRecent(cell.place(), sent -> sent.isRecent(cell.view(), context.now()));
            SplittableRandom random = new SplittableRandom(Digests.mix(context.seed(), cell.place()));
            MachineForecasts forecasts = forecasts(cell, context.withMemory(memory));
            new StragglerRound(cell, estimates(cell, context.withMemory(memory)), forecasts, random).copy(memory);
            memory = new ApolloMemory(
                    SharedMap.of(new CorrectionRound(cell, forecasts, context.now(), random).correct(memory)),
                    memory.recent());
        }
        return Plan.of(List.of(), List.of(), memory);
    }

    private MachineForecasts forecasts(PlanningView cell, PlanContext<ApolloMemory> context) {
        return new MachineForecasts(cell, estimates(cell, context), context);
    }

    private EstimatedRuns estimates(PlanningView cell, PlanContext<ApolloMemory> context) {
        return new EstimatedRuns(cell, context, options.runSeconds());
    }

    private Plan<ApolloMemory> send(List<PlanningView> cells, Work work, PlanContext<ApolloMemory> context) {
        List<Unplaced> unplaced = new ArrayList<>();
        List<Wake> wakes = new ArrayList<>();
        ApolloMemory memory = context.memory();
        for (JobWork job : work.jobs()) {
            memory = send(job, job.in(cells), context.withMemory(memory), unplaced, wakes);
        }
        return Plan.of(unplaced, List.of(), memory).wakingAlsoOn(wakes);
    }

    private ApolloMemory send(
            JobWork job,
            PlanningView cell,
            PlanContext<ApolloMemory> context,
            List<Unplaced> unplaced,
            List<Wake> wakes) {
        JobRow row = cell.view().job(job.id()).orElseThrow();
        EstimatedRuns estimates = estimates(cell, context);
        MachineForecasts forecasts = forecasts(cell, context);
        ApolloMemory memory = context.memory().jobs().containsKey(job.key())
                ? context.memory()
                : context.memory().adopting(job.key(), adopt(job, row, cell, estimates, forecasts, context.now()));
        Racks racks = new Racks(cell);
        SplittableRandom random =
                new SplittableRandom(Digests.mix(context.seed(), job.id().version()));
        List<PendingGroup> pending = cell.pendingGroups(job.id());
        JobTokens tokens = JobTokens.of(cell, row, pending, options);
        tokens.upgrade(job.key());
        boolean goesOn = false;
        for (PendingGroup group : pending) {
            List<SentTask> sent = List.of();
            if (group.mayQueue()) {
                GroupSending sending = new GroupSending(
                        job, group, cell, forecasts, racks, options, estimates.load(row, group.place()), random);
                sent = sending.send(tokens.regularLeft(), context.now());
                tokens.sentRegular(sent.size());
                memory = memory.and(job.key(), sent);
            } else {
                group.place(Choice.FIRST_FIT, random);
            }
            int spare = tokens.placeSpare(group, forecasts::isQueueEmpty, random);
            if (group.hasNext() && sent.isEmpty() && spare == 0) {
                unplaced.add(group.explain(tokens.exclusion()));
            } else {
                goesOn |= group.hasNext();
            }
        }
        if (!goesOn) {
            wakes.addAll(tokens.wakes(job.key(), context.now()));
        }
        return memory;
    }

    /** The tasks of the job that another instance has sent. Their waits as expected now count as the first estimates. */
    private static List<SentTask> adopt(
            JobWork job,
            JobRow row,
            PlanningView cell,
            EstimatedRuns estimates,
            MachineForecasts forecasts,
            CellTime now) {
        List<SentTask> adopted = new ArrayList<>();
        if (cell.view().queuedOf(row) == 0) {
            return adopted;
        }
        for (GroupRow group : row.groups()) {
            for (int index = 0; index < group.header().count(); index++) {
                List<QueueRow> rows = cell.view().queuedAt(group, index);
                if (!rows.isEmpty()) {
                    QueueRow first = rows.get(0);
                    adopted.add(new SentTask(
                            job.key(),
                            first.task(),
                            cell.view().task(group, index).attempt(),
                            first.slot(),
                            estimates.queued(first),
                            forecasts.waitSeconds(first),
                            now));
                }
            }
        }
        return adopted;
    }
}
