package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A common cell, machines that run tasks, and schedulers beside each other, in virtual time: what happens next is the
 * first thing on a heap. Everything is drawn from one seed.
 */
final class SimulatedWorld {
    private static final long LEADER_MILLIS = 250;
    private static final long LEASE_MILLIS = 10_000;

    private static final Principal ANYBODY = new Principal("anybody");

    private record Happening(long at, long order, Runnable what) {}

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final PriorityQueue<Happening> heap =
            new PriorityQueue<>(Comparator.comparingLong(Happening::at).thenComparingLong(Happening::order));
    private final List<WorldScheduler<?>> schedulers = new ArrayList<>();
    private final Map<CellVersion, Outcome> outcomes = new HashMap<>();
    private final Map<String, Placement> placements = new HashMap<>();
    private final Map<String, List<JobHeader>> generations = new HashMap<>();
    private final SimulatedMachines machines;
    private final SplittableRandom random;
    private long now = 1_000;
    private long happenings;
    private int boots;
    private long transactionsDigest;

    /** Gets the log of this world, if anybody wants it. */
    private final @Nullable History history;

    SimulatedWorld(long seed) {
        this(seed, null);
    }

    /** A world that writes its log into a history. */
    SimulatedWorld(long seed, @Nullable History history) {
        this.history = history;
        random = new SplittableRandom(seed);
        machines = new SimulatedMachines(this, random.split());
        apply(new Command.FoundCell(new CellName("simulated"), new Incarnation(1)));
    }

    // ---- time

    long now() {
        return now;
    }

    void after(long millis, Runnable what) {
        heap.add(new Happening(now + millis, happenings++, what));
    }

    /** From {@code least} on, up to twice as long. */
    long draw(long least) {
        return least + random.nextLong(least + 1);
    }

    boolean drawOneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** Runs until nothing is left to happen, and answers how many things did. */
    long run(long happeningsMax) {
        long count = 0;
        while (!heap.isEmpty()) {
            if (count++ == happeningsMax) {
                throw new AssertionError("after " + count + " happenings, at " + now + " ms, it still goes on");
            }
            Happening next = heap.remove();
            now = next.at;
            next.what.run();
        }
        return count;
    }

    /** Runs until that time has come. */
    void runUntil(long millis) {
        while (!heap.isEmpty() && heap.peek().at <= millis) {
            Happening next = heap.remove();
            now = next.at;
            next.what.run();
        }
        now = millis;
    }

    // ---- the cell

    /** From now on tasks run until they are ended. */
    void withTasksThatStay() {
        machines.runTasksForever();
    }

    /** From now on tasks of services run until they are ended. */
    void withServicesThatStay() {
        machines.keepServicesRunning();
    }

    CellView view() {
        return cell.view();
    }

    List<WorldScheduler<?>> schedulers() {
        return schedulers;
    }

    /** Equal for two runs in which the same transactions were decided in the same order with the same outcomes. */
    long transactionsDigest() {
        return transactionsDigest;
    }

    CommandResult apply(Command command) {
        EntryHeader header = new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                new CellTime(now),
                now,
                cell.view().incarnation());
        CommandResult result = cell.apply(header, command);
        if (history != null) {
            byte[] entry = EntryCodec.encode(header, List.of(CommandCodec.encode(ANYBODY, command)));
            history.log.add(new History.LogEntry(TimeUnit.MILLISECONDS.toNanos(now), entry));
        }
        byte[] changes = cell.takeChanges();
        ChangedRows.tell(changes, cell.view(), machines.touchedRows());
        schedulers.forEach(scheduler -> scheduler.feed(changes));
        return result;
    }

    Outcome commit(Transaction transaction) {
        Outcome outcome = outcome(apply(new Command.CommitTransaction(transaction)));
        transactionsDigest =
                Digests.mix(transactionsDigest, Digests.of(outcome.id().text()));
        transactionsDigest = Digests.mix(transactionsDigest, transaction.digest());
        transactionsDigest = Digests.mix(transactionsDigest, outcome.version().number());
        transactionsDigest = Digests.mix(transactionsDigest, outcome.accepted());
        return outcome;
    }

    /** The cell itself keeps of a decided transaction only the version at which it was decided. */
    private Outcome outcome(CommandResult result) {
        if (result instanceof CommandResult.Repeated again) {
            return Objects.requireNonNull(outcomes.get(again.first()));
        }
        Outcome decided = ((CommandResult.Decided) result).outcome();
        outcomes.put(decided.version(), decided);
        return decided;
    }

    /** The newest feature level, and from now on a leader that sees to what is due, such as offers that expire. */
    void withLeader() {
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        lead();
    }

    private void lead() {
        for (List<Command> due = dueNow(); !due.isEmpty(); due = dueNow()) {
            apply(due.get(0));
        }
        after(LEADER_MILLIS, this::lead);
    }

    private List<Command> dueNow() {
        return cell.followUps(new CellTime(now));
    }

    void putMachine(String name, long cpuMilli, long memoryMib) {
        putMachine(name, cpuMilli, memoryMib, Map.of());
    }

    /** A machine without an agent: its tasks end as soon as they are stopped, and it does not come back after a loss. */
    void putMachine(String name, long cpuMilli, long memoryMib, Map<String, String> attributes) {
        put(name, Amounts.of(cpuMilli, memoryMib), attributes, Optional.empty());
    }

    /** A machine with an agent that registers it after a boot, so that it comes back after a loss. */
    void bootMachine(String name, long cpuMilli, long memoryMib, Map<String, String> attributes) {
        AgentIdentity agent = new AgentIdentity("boot-" + ++boots, "", LEASE_MILLIS);
        put(name, Amounts.of(cpuMilli, memoryMib), attributes, Optional.of(agent));
    }

    private void put(String name, Amounts capacity, Map<String, String> attributes, Optional<AgentIdentity> agent) {
        apply(new Command.PutMachine(name, capacity, new TreeMap<>(attributes), agent, false));
    }

    void loseMachine(String name) {
        apply(new Command.LoseMachine(view().machine(name).orElseThrow().id()));
    }

    void submit(JobHeader job) {
        generations.put(job.name(), new ArrayList<>(List.of(job)));
        apply(new Command.SubmitJob(job, Specification.EMPTY, Command.SubmitMode.CREATE));
    }

    /** A job that asks something of machines; its schedulers learn it by the job's name. */
    void submit(JobHeader job, Placement placement) {
        placements.put(job.name(), placement);
        submit(job);
    }

    void update(JobHeader job) {
        apply(new Command.SubmitJob(job, Specification.EMPTY, Command.SubmitMode.CREATE_OR_UPDATE));
        generations(job.name()).add(job);
    }

    private List<JobHeader> generations(String job) {
        return generations.computeIfAbsent(job, unknown -> new ArrayList<>());
    }

    /**
     * Goes back only from the generation that the scheduler means, and to as many tasks as there are now, as the cell's server
     * does.
     */
    void revert(Revert revert) {
        JobRow job = view().job(revert.job().id()).orElseThrow();
        if (job.generation() == revert.from() && !job.isEnded()) {
            JobHeader before = generations(job.name()).get(revert.to() - 1);
            update(before.withGroups(IntStream.range(0, before.groups().size())
                    .mapToObj(place -> before.groups()
                            .get(place)
                            .withCount(job.group(place).header().count()))
                    .toList()));
        }
    }

    Placements placements() {
        return job -> placements.getOrDefault(job.name(), Placement.ANYWHERE);
    }

    <M> void addScheduler(String name, Scheduler<M> scheduler, long decisionMillis, int transactionsInFlightMax) {
        addScheduler(name, scheduler, decisionMillis, transactionsInFlightMax, List.of());
    }

    /** One that plans on the machines that meet these constraints. */
    <M> void addScheduler(
            String name,
            Scheduler<M> scheduler,
            long decisionMillis,
            int transactionsInFlightMax,
            List<Constraint> within) {
        add(name, "one", scheduler, decisionMillis, transactionsInFlightMax, within, Optional.empty());
    }

    /** A scheduler that takes part in offers. */
    <M> WorldScheduler<M> addFramework(
            String name, String instance, Scheduler<M> scheduler, long decisionMillis, Participation offers) {
        return add(name, instance, scheduler, decisionMillis, 16, List.of(), Optional.of(offers));
    }

    /** An instance of a scheduler. */
    <M> WorldScheduler<M> addInstance(String name, String instance, Scheduler<M> scheduler) {
        return add(name, instance, scheduler, 1, 16, List.of(), Optional.empty());
    }

    private <M> WorldScheduler<M> add(
            String name,
            String instance,
            Scheduler<M> scheduler,
            long decisionMillis,
            int transactionsInFlightMax,
            List<Constraint> within,
            Optional<Participation> offers) {
        CommandResult opened =
                apply(new Command.OpenSession(name, instance, "batch", 10_000, Optional.empty(), offers));
        SessionId session = new SessionId(((CommandResult.Done) opened).identity());
        WorldScheduler<M> added = new WorldScheduler<>(
                this, name, scheduler, session, random.nextLong(), decisionMillis, transactionsInFlightMax, within);
        schedulers.add(added);
        added.start(cell.snapshotForReplicas());
        return added;
    }

    /** The scheduler is killed: it sends nothing more. Its session ends when its lease is over. */
    void kill(WorldScheduler<?> killed, long leaseMillis) {
        schedulers.remove(killed);
        killed.kill();
        after(leaseMillis, () -> apply(new Command.CloseSession(killed.session())));
    }
}
