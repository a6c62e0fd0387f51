package dev.cella.transactions.naive;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.CommandResult.Effect;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemKind;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Scale;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A second implementation of SEMANTICS section 5, written from its text alone. It uses maps, lists and loops, and computes
 * every sum when needed. It really executes a transaction, one item after another, on a copy that it throws away if the
 * transaction must leave no trace. Slow and plain on purpose; it shares the value types and nothing else.
 */
public final class NaiveCell implements Command.Visitor<CommandResult> {
    private static final int LEVEL_MAX = 12;
    private static final int COPIES_MAX = 1_000;

    /** One incarnation in a slot, or an empty slot that keeps its last name. */
    static final class Machine {
        String name = "";
        long registered;
        Amounts wanted = Amounts.NONE;
        TreeMap<String, String> attributes = new TreeMap<>();

        @Nullable
        AgentIdentity agent;

        boolean draining;

        @Nullable
        Drain drain;

        boolean down;
        List<Origin> claims = new ArrayList<>();

        Machine copy() {
            Machine copy = new Machine();
            copy.name = name;
            copy.registered = registered;
            copy.wanted = wanted;
            copy.attributes = attributes;
            copy.agent = agent;
            copy.draining = draining;
            copy.drain = drain;
            copy.down = down;
            copy.claims = new ArrayList<>(claims);
            return copy;
        }

        boolean exists() {
            return registered != 0;
        }
    }

    /** Every task has one of these from the submission on. */
    static final class Task {
        final TaskId id;
        TaskState state = TaskState.PENDING;
        TaskReason reason = TaskReason.NONE;
        boolean everPlaced;
        boolean spare;
        int attempt;
        int failures;
        int machine = -1;
        long generation;
        Amounts shape = Amounts.NONE;
        Amounts handedOver = Amounts.NONE;

        @Nullable
        TaskId yieldsTo;

        @Nullable
        Origin origin;

        int ordinal;

        Task(TaskId id) {
            this.id = id;
        }

        Task copy() {
            Task copy = new Task(id);
            copy.state = state;
            copy.reason = reason;
            copy.everPlaced = everPlaced;
            copy.spare = spare;
            copy.attempt = attempt;
            copy.failures = failures;
            copy.machine = machine;
            copy.generation = generation;
            copy.shape = shape;
            copy.handedOver = handedOver;
            copy.yieldsTo = yieldsTo;
            copy.origin = origin;
            copy.ordinal = ordinal;
            return copy;
        }

        Amounts held() {
            return state.isOnMachine() && !spare ? shape.minus(handedOver) : Amounts.NONE;
        }
    }

    /** The amounts that a job wants on a machine, and those it has got. */
    static final class Hold {
        Origin origin;
        int ordinal;
        long job;
        long session;
        String scheduler = "";
        int slot;
        long expiresAt;
        Amounts wanted;
        Amounts got = Amounts.NONE;

        Hold(Origin origin, int ordinal, long job, int slot, long expiresAt, Amounts wanted) {
            this.origin = origin;
            this.ordinal = ordinal;
            this.job = job;
            this.slot = slot;
            this.expiresAt = expiresAt;
            this.wanted = wanted;
        }

        Hold copy() {
            Hold copy = new Hold(origin, ordinal, job, slot, expiresAt, wanted);
            copy.got = got;
            copy.session = session;
            copy.scheduler = scheduler;
            return copy;
        }

        OfferId offer() {
            return new OfferId(origin.version(), ordinal);
        }
    }

    /** What a person said about the count of a group. */
    private record Asked(int count, long version) {}

    /** A task in the queue of a machine. */
    private record Queued(TaskId task, long generation, int slot, long registered, Origin origin, int ordinal) {}

    /** A decided transaction, so that a repetition is recognised. */
    private record Kept(Outcome outcome, long time, long digest) {}

    /** A job with its tasks, and whether somebody stopped it. */
    static final class Job {
        final long id;
        Map<TaskId, Task> tasks = new LinkedHashMap<>();

        /** By copy, in the order in which they came: the task that it is of. */
        final Map<TaskId, TaskId> copied = new LinkedHashMap<>();

        JobHeader header;
        Specification specification;
        int generation;
        long updatedVersion;

        /** By group: the count that a person asked for last, and when; empty below level 8. */
        final SortedMap<Integer, Asked> asked = new TreeMap<>();

        int attemptsBefore;
        boolean stopped;
        boolean failedTooOften;
        OptionalLong stopGrace = OptionalLong.empty();
        Progress progress = Progress.NONE;

        @Nullable
        JobState endedAs;

        Job(long id, JobHeader header, Specification specification, int generation, int attemptsBefore) {
            this.id = id;
            this.header = header;
            this.specification = specification;
            this.generation = generation;
            this.attemptsBefore = attemptsBefore;
        }
    }

    private final CellLimits limits;
    private List<Machine> machines = new ArrayList<>();
    private final TreeMap<Long, Job> jobs = new TreeMap<>();

    /** In the order in which they were placed. */
    private List<Task> onMachines = new ArrayList<>();

    private List<Hold> holds = new ArrayList<>();

    /** In the order in which they were queued. */
    private List<Queued> queued = new ArrayList<>();

    private final TreeMap<Long, Command.OpenSession> sessions = new TreeMap<>();

    /** In the order in which they were decided. */
    private final Map<TransactionId, Kept> outcomes = new LinkedHashMap<>();

    private final TreeMap<String, Limits> limitsOfPools = new TreeMap<>();
    private final TreeMap<Long, Participation> participations = new TreeMap<>();
    private final TreeSet<Long> suppressed = new TreeSet<>();
    private final TreeMap<Long, TreeMap<Integer, Long>> refusedMachines = new TreeMap<>();
    private final TreeMap<String, PoolPolicy> definedPools = new TreeMap<>();
    private final TreeMap<String, Rights> rights = new TreeMap<>();
    private final TreeSet<String> paused = new TreeSet<>();
    private final TreeMap<String, Token> tokens = new TreeMap<>();
    private Dimensions dimensions = Dimensions.FOUNDING;
    private int level = 1;
    private Incarnation incarnation = Incarnation.UNSAID;
    private final List<Map.Entry<Origin, String>> claimsInPools = new ArrayList<>();
    private long horizon;
    private long version;
    private long time;

    /** An empty cell, to be founded by its first command. */
    public NaiveCell(CellLimits limits) {
        this.limits = limits;
    }

    /**
     * Applies one command at a cell time. Its answers have no messages, and the only identities in them are versions.
     */
    public CommandResult apply(Command command, long cellTimeMillis) {
        version++;
        time = cellTimeMillis;
        endExpiredHolds();
        boolean isFounded = !incarnation.equals(Incarnation.UNSAID);
        if (command instanceof Command.FoundCell == isFounded) {
            return refused(Reason.WRONG_CELL);
        }
        CommandResult result = command.accept(this);
        jobs.values().forEach(this::settleCopies);
        endHoldsOf(this::isEnded);
        if (level >= 10) {
            endHoldsOf(job -> members(job).stream().noneMatch(task -> task.state == TaskState.PENDING));
        }
        queued.removeIf(row -> !mayWait(row));
        return result;
    }

    // ---- copies

    /** The first to finish of a task and its copy ends the other. */
    private void settleCopies(Job job) {
        if (job.copied.isEmpty()) {
            return;
        }
        job.copied.keySet().removeIf(copy -> !job.tasks.containsKey(copy) || isSurplus(job, taskOf(job, copy)));
        if (job.stopped) {
            return;
        }
        List<Map.Entry<TaskId, TaskId>> inOrder = new ArrayList<>(job.copied.entrySet());
        inOrder.sort(Comparator.<Map.Entry<TaskId, TaskId>>comparingInt(
                        entry -> entry.getKey().group())
                .thenComparingInt(entry -> entry.getKey().index()));
        for (Map.Entry<TaskId, TaskId> entry : inOrder) {
            Task copy = taskOf(job, entry.getKey());
            Task task = taskOf(job, entry.getValue());
            boolean over = isEndingBeside(task)
                    || isForGood(task)
                    || (task.state == TaskState.FINISHED && job.header.type() == JobType.BATCH);
            if (copy.state == TaskState.FINISHED && !over) {
                if (task.state.isEnded()) {
                    again(task);
                }
                endBeside(task);
            } else if (over && !copy.state.isEnded() && copy.state != TaskState.STOPPING) {
                endBeside(copy);
            }
        }
    }

    private static Task taskOf(Job job, TaskId id) {
        return Objects.requireNonNull(job.tasks.get(id));
    }

    private void endBeside(Task task) {
        if (task.state.isOnMachine()) {
            stop(task, TaskReason.COPY);
        } else {
            endPending(task, TaskReason.COPY);
        }
    }

    private void endPending(Task task, TaskReason reason) {
        task.attempt = task.everPlaced ? task.attempt : jobOf(task).attemptsBefore + 1;
        task.everPlaced = true;
        task.state = TaskState.KILLED;
        task.reason = reason;
    }

    private static boolean isEndingBeside(Task task) {
        return task.state == TaskState.STOPPING && task.reason == TaskReason.COPY;
    }

    private static boolean isCopy(Job job, Task task) {
        return job.header.groups().get(task.id.group()).isOfCopies();
    }

    private static void again(Task task) {
        task.state = TaskState.PENDING;
        task.reason = TaskReason.NONE;
        task.spare = false;
        task.attempt++;
        task.machine = -1;
        task.origin = null;
        task.shape = Amounts.NONE;
    }

    /** The place of the group of copies of the group at that place, or -1. */
    private static int copiesOf(JobHeader header, int group) {
        GroupHeader of = header.groups().get(group);
        return of.isOfCopies() ? -1 : header.findGroup(of.ofCopies(0).name());
    }

    private void copy(Task task) {
        Job job = jobOf(task);
        GroupHeader group = job.header.groups().get(task.id.group());
        List<GroupHeader> groups = new ArrayList<>(job.header.groups());
        int place = copiesOf(job.header, task.id.group());
        if (place < 0) {
            place = groups.size();
            groups.add(group.ofCopies(0));
        }
        int index = groups.get(place).count();
        groups.set(place, group.ofCopies(index + 1));
        resize(job, job.header.withGroups(groups));
        job.copied.put(new TaskId(new JobId(job.id), place, index), task.id);
    }

    /** A group that shrinks loses its copies. */
    private static JobHeader scaled(JobHeader header, int group, int count) {
        int copies = copiesOf(header, group);
        boolean shrinks = count < header.groups().get(group).count();
        JobHeader next = header.withCount(group, count);
        return shrinks && copies >= 0 ? next.withCount(copies, 0) : next;
    }

    // ---- queues

    /** A row needs a pending task of that generation, and a READY machine on which it would fit. */
    private boolean mayWait(Queued row) {
        Task task = find(row.task);
        Machine machine = machines.get(row.slot);
        return task != null
                && task.state == TaskState.PENDING
                && jobOf(task).generation == row.generation
                && machine.registered == row.registered
                && !machine.draining
                && !machine.down
                && tooLarge(machine, shapeOf(task)) < 0;
    }

    private Amounts shapeOf(Task task) {
        return jobOf(task).header.groups().get(task.id.group()).shape();
    }

    /** The first dimension in which the machine will never have that much, or -1. */
    private int tooLarge(Machine machine, Amounts asked) {
        for (int dimension = 0; dimension < dimensions.size(); dimension++) {
            boolean few = asked.at(dimension) > machine.wanted.at(dimension);
            if (few || !members(machine.wanted, dimension).containsAll(members(asked, dimension))) {
                return dimension;
            }
        }
        return -1;
    }

    private boolean isQueued(TaskId task, int slot) {
        return queued.stream().anyMatch(row -> row.task.equals(task) && row.slot == slot);
    }

    // ---- holds

    /** Job by job in their order, because each end settles the holds that are left. */
    private void endHoldsOf(Predicate<Job> over) {
        SortedSet<Long> holding = new TreeSet<>();
        holds.forEach(hold -> holding.add(hold.job));
        for (long id : holding) {
            Job job = jobs.get(id);
            if (job != null && over.test(job)) {
                endHolds(hold -> hold.job == id);
            }
        }
    }

    /** From level 11 on the first 10,000, in the order of their machines as ever. The next commands end the others. */
    private void endExpiredHolds() {
        List<Hold> expired = new ArrayList<>();
        holds.stream().filter(hold -> hold.expiresAt <= time).forEach(expired::add);
        if (level >= 11 && expired.size() > 10_000) {
            expired.sort(Comparator.<Hold>comparingLong(hold -> hold.expiresAt)
                    .thenComparingInt(hold -> hold.slot)
                    .thenComparingLong(hold -> hold.origin.version())
                    .thenComparingInt(hold -> hold.ordinal));
            expired.subList(10_000, expired.size()).clear();
        }
        endHolds(expired::contains);
    }

    private void endHolds(Predicate<Hold> over) {
        for (Hold hold : List.copyOf(holds)) {
            if (over.test(hold)) {
                holds.remove(hold);
                settle(hold.slot);
            }
        }
    }

    /** Gives what is free to the holds that want it, oldest first. */
    private void settle(int slot) {
        for (Hold hold : holds) {
            if (hold.slot == slot) {
                long[] more = new long[dimensions.size()];
                Members chosen = Members.NONE;
                for (int dimension = 0; dimension < more.length; dimension++) {
                    long lacks = hold.wanted.at(dimension) - hold.got.at(dimension);
                    more[dimension] = Math.min(lacks, free(slot, dimension));
                    if (dimensions.isSet(dimension)) {
                        SortedSet<Integer> gets = grown(hold, dimension);
                        more[dimension] = gets.size();
                        chosen = chosen.with(dimension, set(gets));
                    }
                }
                hold.got = hold.got.plus(Amounts.of(more).naming(chosen));
            }
        }
    }

    /** The members that the hold names and that are free, then the lowest others, as many as it lacks. */
    private SortedSet<Integer> grown(Hold hold, int dimension) {
        SortedSet<Integer> open = open(hold.slot, dimension);
        SortedSet<Integer> has = members(hold.got, dimension);
        SortedSet<Integer> names = members(hold.wanted, dimension);
        names.removeAll(has);
        long unnamed = hold.wanted.at(dimension) - has.size() - names.size();
        SortedSet<Integer> gets = new TreeSet<>(names);
        gets.retainAll(open);
        for (int member : open) {
            if (unnamed > 0 && !names.contains(member)) {
                gets.add(member);
                unnamed--;
            }
        }
        return gets;
    }

    // ---- sets, member by member

    private static SortedSet<Integer> members(Amounts amounts, int dimension) {
        SortedSet<Integer> members = new TreeSet<>();
        for (int member : amounts.members().at(dimension).toArray()) {
            members.add(member);
        }
        return members;
    }

    private static MemberSet set(SortedSet<Integer> members) {
        return MemberSet.of(members.stream().mapToInt(Integer::intValue).toArray());
    }

    private SortedSet<Integer> heldMembers(int slot, int dimension) {
        SortedSet<Integer> held = new TreeSet<>();
        for (Task task : onMachines) {
            if (task.machine == slot) {
                held.addAll(members(task.held(), dimension));
            }
        }
        for (Hold hold : holds) {
            if (hold.slot == slot) {
                held.addAll(members(hold.got, dimension));
            }
        }
        return held;
    }

    /** The members that a claim may get: none while any member is held that the machine is to lose. */
    private SortedSet<Integer> open(int slot, int dimension) {
        SortedSet<Integer> wanted = members(machines.get(slot).wanted, dimension);
        SortedSet<Integer> held = heldMembers(slot, dimension);
        if (!wanted.containsAll(held)) {
            return new TreeSet<>();
        }
        wanted.removeAll(held);
        return wanted;
    }

    /**
     * Chooses members for a request that names some or only their number: the lowest from one source after another.
     */
    private Amounts choose(Amounts asked, List<Amounts> before, int slot) {
        Amounts chosen = asked;
        for (int dimension = 0; dimension < dimensions.size(); dimension++) {
            if (dimensions.isSet(dimension) && asked.at(dimension) > 0) {
                SortedSet<Integer> gets = members(asked, dimension);
                List<SortedSet<Integer>> sources = new ArrayList<>();
                for (Amounts source : before) {
                    sources.add(members(source, dimension));
                }
                sources.add(open(slot, dimension));
                for (SortedSet<Integer> source : sources) {
                    for (int member : source) {
                        if (gets.size() < asked.at(dimension)) {
                            gets.add(member);
                        }
                    }
                }
                chosen = chosen.naming(chosen.members().with(dimension, set(gets)));
            }
        }
        return chosen;
    }

    /** Returns whether claims on the job by the transaction take from it. */
    private static boolean isFor(Hold hold, long job, Transaction transaction) {
        if (hold.session == 0) {
            return hold.job == job;
        }
        long session = transaction.session().map(id -> id.version()).orElse(0L);
        return hold.scheduler.equals(transaction.scheduler()) && (session == 0 || session == hold.session);
    }

    private Amounts got(int slot, long job, Transaction transaction, boolean own) {
        Amounts got = Amounts.NONE;
        for (Hold hold : holds) {
            got = hold.slot == slot && isFor(hold, job, transaction) == own ? got.plus(hold.got) : got;
        }
        return got;
    }

    // ---- sums, computed when asked for

    private long held(int slot, int dimension) {
        long held = 0;
        for (Task task : onMachines) {
            held += task.machine == slot ? task.held().at(dimension) : 0;
        }
        for (Hold hold : holds) {
            held += hold.slot == slot ? hold.got.at(dimension) : 0;
        }
        return held;
    }

    private long capacity(int slot, int dimension) {
        if (dimensions.isSet(dimension)) {
            SortedSet<Integer> members = members(machines.get(slot).wanted, dimension);
            members.addAll(heldMembers(slot, dimension));
            return members.size();
        }
        return Math.max(machines.get(slot).wanted.at(dimension), held(slot, dimension));
    }

    private long free(int slot, int dimension) {
        return capacity(slot, dimension) - held(slot, dimension);
    }

    /** What its spare tasks use, which is free for other work. */
    private long usedBySpare(int slot, int dimension) {
        return on(slot).stream()
                .filter(task -> task.spare)
                .mapToLong(task -> task.shape.at(dimension))
                .sum();
    }

    /** The tasks on the machine, newest first. */
    private List<Task> on(int slot) {
        List<Task> on = new ArrayList<>();
        for (Task task : onMachines) {
            if (task.machine == slot) {
                on.add(0, task);
            }
        }
        return on;
    }

    /** In the order of their identities. */
    private static List<Task> inOrder(Collection<Task> tasks) {
        return tasks.stream()
                .sorted((one, other) -> one.id.group() != other.id.group()
                        ? Integer.compare(one.id.group(), other.id.group())
                        : Integer.compare(one.id.index(), other.id.index()))
                .toList();
    }

    private @Nullable Job newest(String name) {
        Job newest = null;
        for (Job job : jobs.values()) {
            newest = job.header.name().equals(name) ? job : newest;
        }
        return newest;
    }

    private boolean isForGood(Task task) {
        if (isCopy(jobOf(task), task)) {
            return task.state.isEnded() && task.state != TaskState.FINISHED;
        }
        if (task.state == TaskState.FAILED) {
            GroupHeader group = jobOf(task).header.groups().get(task.id.group());
            return task.failures > group.restart().attempts();
        }
        return task.state == TaskState.KILLED && (task.reason == TaskReason.KILLED || task.reason == TaskReason.COPY);
    }

    private Job jobOf(Task task) {
        return Objects.requireNonNull(jobs.get(task.id.job().version()));
    }

    /** Returns whether the group has lost the task by shrinking. It stops, and then its row is dropped. */
    private boolean isSurplus(Task task) {
        return isSurplus(jobOf(task), task);
    }

    private static boolean isSurplus(Job job, Task task) {
        return task.id.index() >= job.header.groups().get(task.id.group()).count();
    }

    private @Nullable Task find(TaskId id) {
        Task task = row(id);
        return task == null || isSurplus(task) ? null : task;
    }

    /** The task, surplus or not. */
    private @Nullable Task row(TaskId id) {
        Job job = jobs.get(id.job().version());
        return job == null ? null : job.tasks.get(id);
    }

    /** The tasks of its groups, without surplus tasks. */
    private static List<Task> members(Job job) {
        List<Task> members = new ArrayList<>(job.tasks.size());
        for (Task task : job.tasks.values()) {
            if (!isSurplus(job, task)) {
                members.add(task);
            }
        }
        return members;
    }

    private boolean isEnded(Job job) {
        if (job.endedAs != null) {
            return true;
        }
        if (isOnMachines(job)) {
            return false;
        }
        if (job.stopped) {
            return true;
        }
        List<Task> all = members(job);
        if (all.isEmpty() && job.header.type() == JobType.SERVICE) {
            return false;
        }
        boolean over = true;
        boolean anyFinished = false;
        for (Task task : all) {
            over &= task.state == TaskState.FINISHED || isForGood(task);
            anyFinished |= task.state == TaskState.FINISHED;
        }
        return over && (job.header.type() == JobType.BATCH || !anyFinished);
    }

    private boolean isOnMachines(Job job) {
        for (Task task : onMachines) {
            if (task.id.job().version() == job.id) {
                return true;
            }
        }
        return false;
    }

    // ---- answers

    private CommandResult done(Effect effect) {
        return new CommandResult.Done(new CellVersion(version), effect, 0, 0);
    }

    private CommandResult refused(Reason reason) {
        return new CommandResult.Refused(new CellVersion(version), reason, "");
    }

    // ---- the cell and its machines

    @Override
    public CommandResult visit(Command.FoundCell command) {
        if (command.featureLevel() > LEVEL_MAX) {
            return refused(Reason.NOT_ALLOWED);
        }
        incarnation = command.incarnation();
        level = command.featureLevel();
        return done(Effect.CREATED);
    }

    @Override
    public CommandResult visit(Command.RaiseFeatureLevel command) {
        if (command.level() <= level) {
            return done(Effect.UNCHANGED);
        }
        if (command.level() > LEVEL_MAX) {
            return refused(Reason.NOT_ALLOWED);
        }
        level = command.level();
        return done(Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.AddDimension command) {
        int place = dimensions.find(command.dimension().name());
        if (place >= 0) {
            return dimensions.at(place).equals(command.dimension())
                    ? done(Effect.UNCHANGED)
                    : refused(Reason.BAD_COMMAND);
        }
        if (command.dimension().kind() == Dimension.Kind.SET && level < 2) {
            return refused(Reason.NOT_ALLOWED);
        }
        dimensions = dimensions.with(command.dimension());
        return done(Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.PutMachine put) {
        if (put.capacity().size() > dimensions.size() || namesInVain(put.capacity())) {
            return refused(Reason.BAD_COMMAND);
        }
        for (int dimension = 0; dimension < dimensions.size(); dimension++) {
            int named = members(put.capacity(), dimension).size();
            if (dimensions.isSet(dimension) && named != put.capacity().at(dimension)) {
                return refused(Reason.BAD_COMMAND);
            }
        }
        int slot = find(put.name());
        if (slot < 0) {
            register(firstUnused(), put, false);
            return done(Effect.CREATED);
        }
        Machine machine = machines.get(slot);
        boolean another = put.agent().isPresent()
                && (machine.agent == null
                        || !machine.agent.bootId().equals(put.agent().get().bootId()));
        if (another) {
            if (!loseSome(slot)) {
                machine.down = true;
                return refused(Reason.MACHINE_NOT_READY);
            }
            register(slot, put, machine.draining);
            return done(Effect.CREATED);
        }
        return renew(slot, machine, put);
    }

    /** Returns whether the amounts name members of a dimension that is no set. */
    private boolean namesInVain(Amounts amounts) {
        for (int dimension = 0; dimension < amounts.members().size(); dimension++) {
            if (!dimensions.isSet(dimension) && !members(amounts, dimension).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private int find(String name) {
        for (int slot = 0; slot < machines.size(); slot++) {
            if (machines.get(slot).exists() && machines.get(slot).name.equals(name)) {
                return slot;
            }
        }
        return -1;
    }

    private int find(MachineId id) {
        for (int slot = 0; slot < machines.size(); slot++) {
            if (machines.get(slot).registered == id.version()) {
                return slot;
            }
        }
        return -1;
    }

    private int firstUnused() {
        for (int slot = 0; slot < machines.size(); slot++) {
            int at = slot;
            boolean said = jobs.values().stream()
                    .flatMap(job -> job.tasks.values().stream())
                    .anyMatch(task -> task.machine == at);
            if (!machines.get(slot).exists() && !said) {
                return slot;
            }
        }
        machines.add(new Machine());
        return machines.size() - 1;
    }

    private void register(int slot, Command.PutMachine put, boolean draining) {
        holds.removeIf(hold -> hold.slot == slot);
        Machine machine = new Machine();
        machine.name = put.name();
        machine.registered = version;
        machine.wanted = put.capacity();
        machine.attributes = new TreeMap<>(put.attributes());
        machine.agent = put.agent().orElse(null);
        machine.draining = draining;
        machine.drain = draining ? machines.get(slot).drain : null;
        machines.set(slot, machine);
    }

    private CommandResult renew(int slot, Machine machine, Command.PutMachine put) {
        boolean byHand = put.agent().isEmpty();
        for (int dimension = 0; dimension < dimensions.size(); dimension++) {
            boolean below = put.capacity().at(dimension) < held(slot, dimension)
                    || !members(put.capacity(), dimension).containsAll(heldMembers(slot, dimension));
            if (below && byHand && !put.force()) {
                return refused(Reason.STILL_HELD);
            }
        }
        AgentIdentity agent = put.agent().orElse(machine.agent);
        boolean returns = !byHand && machine.down;
        boolean same = machine.wanted.equals(put.capacity())
                && machine.attributes.equals(put.attributes())
                && Objects.equals(machine.agent, agent);
        if (same && !returns) {
            return done(Effect.UNCHANGED);
        }
        machine.wanted = put.capacity();
        machine.attributes = new TreeMap<>(put.attributes());
        machine.agent = agent;
        machine.down = machine.down && !returns;
        settle(slot);
        return done(Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.ChangeMachine command) {
        int slot = find(command.machine());
        if (slot < 0) {
            return refused(Reason.UNKNOWN_MACHINE);
        }
        Machine machine = machines.get(slot);
        switch (command.change()) {
            case DRAIN -> {
                if (machine.draining && machine.drain == null) {
                    return done(Effect.UNCHANGED);
                }
                machine.draining = true;
                machine.drain = null;
            }
            case READY -> {
                if (!machine.draining && !machine.down) {
                    return done(Effect.UNCHANGED);
                }
                if (machine.down && machine.agent != null) {
                    return refused(Reason.MACHINE_NOT_READY);
                }
                machine.draining = false;
                machine.drain = null;
                machine.down = false;
            }
            case REMOVE -> {
                if (!on(slot).isEmpty() && !command.force()) {
                    return refused(Reason.STILL_HELD);
                }
                if (!loseSome(slot)) {
                    machine.down = true;
                    return refused(Reason.STILL_HELD);
                }
                String name = machine.name;
                holds.removeIf(hold -> hold.slot == slot);
                machines.set(slot, new Machine());
                machines.get(slot).name = name;
            }
        }
        return done(Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.DrainMachine command) {
        int slot = find(command.machine());
        if (slot < 0) {
            return refused(Reason.UNKNOWN_MACHINE);
        }
        machines.get(slot).draining = true;
        machines.get(slot).drain = new Drain(new CellTime(time + command.deadlineAfterMillis()), command.batch());
        return done(Effect.CHANGED);
    }

    /** Handles tasks that are still there at the deadline. Batch tasks may be allowed to finish. */
    @Override
    public CommandResult visit(Command.ContinueDrain command) {
        int slot = find(command.machine());
        Drain drain = slot < 0 ? null : machines.get(slot).drain;
        if (drain == null || drain.deadline().millis() > time) {
            return done(Effect.UNCHANGED);
        }
        List<Task> moved = on(slot).stream()
                .filter(task -> task.state == TaskState.PLACED || task.state == TaskState.RUNNING)
                .filter(task -> drain.batch() == Drain.BatchTasks.MOVE
                        || jobOf(task).header.type() == JobType.SERVICE)
                .limit(limits.rowsMax())
                .toList();
        moved.forEach(task -> stop(task, TaskReason.DRAINED));
        return done(moved.isEmpty() ? Effect.UNCHANGED : Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.LoseMachine command) {
        int slot = find(command.machine());
        if (slot < 0) {
            return refused(Reason.UNKNOWN_MACHINE);
        }
        machines.get(slot).down = true;
        loseSome(slot);
        return done(Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.ContinueLoss command) {
        int slot = find(command.machine());
        if (slot < 0 || !machines.get(slot).down || on(slot).isEmpty()) {
            return done(Effect.UNCHANGED);
        }
        loseSome(slot);
        return done(Effect.CHANGED);
    }

    private boolean loseSome(int slot) {
        on(slot).stream().limit(limits.rowsMax()).forEach(task -> end(task, TaskState.LOST, TaskReason.MACHINE_LOST));
        return on(slot).isEmpty();
    }

    // ---- jobs

    @Override
    public CommandResult visit(Command.SubmitJob submit) {
        JobHeader header = submit.header();
        if (submit.checkVersion().isPresent() && level < 3) {
            return refused(Reason.NOT_ALLOWED);
        }
        if (header.groups().stream()
                .anyMatch(group -> group.shape().size() > dimensions.size() || namesInVain(group.shape()))) {
            return refused(Reason.BAD_COMMAND);
        }
        if (header.groups().stream().anyMatch(GroupHeader::isOfCopies)) {
            return refused(Reason.BAD_COMMAND);
        }
        if (header.groups().stream()
                .anyMatch(group -> group.count() > 0
                        && group.gang().map(gang -> gang.min() > group.count()).orElse(false))) {
            return refused(Reason.BAD_COMMAND);
        }
        Job before = newest(header.name());
        if (before == null || isEnded(before)) {
            if (!isOfVersion(submit, before)) {
                return refused(Reason.JOB_CHANGED);
            }
            if (header.tasks() == 0) {
                return refused(Reason.BAD_COMMAND);
            }
            int attempts = before == null
                    ? 0
                    : Math.max(
                            before.attemptsBefore,
                            before.tasks.values().stream()
                                    .mapToInt(task -> task.attempt)
                                    .max()
                                    .orElse(0));
            create(new Job(
                    version, header, submit.specification(), before == null ? 1 : before.generation + 1, attempts));
            return done(Effect.CREATED);
        }
        if (before.stopped) {
            return refused(Reason.JOB_DIFFERS);
        }
        JobHeader next = merged(before.header, header);
        if (isAsAsked(before, next) && before.specification.equals(submit.specification())) {
            return done(Effect.UNCHANGED);
        }
        if (!isOfVersion(submit, before)) {
            return refused(Reason.JOB_CHANGED);
        }
        return submit.mode() == Command.SubmitMode.CREATE
                ? refused(Reason.JOB_DIFFERS)
                : update(before, next, submit.specification());
    }

    /** A job without an update version matches no version. */
    private static boolean isOfVersion(Command.SubmitJob submit, @Nullable Job there) {
        if (submit.checkVersion().isEmpty()) {
            return true;
        }
        long asked = submit.checkVersion().getAsLong();
        return there == null ? asked == 0 : there.updatedVersion != 0 && there.updatedVersion == asked;
    }

    private void create(Job job) {
        job.updatedVersion = level < 3 ? 0 : version;
        askAll(job);
        jobs.put(job.id, job);
        createTasks(job);
    }

    /** Creates the missing tasks of its groups. */
    private void createTasks(Job job) {
        for (int group = 0; group < job.header.groups().size(); group++) {
            for (int index = 0; index < job.header.groups().get(group).count(); index++) {
                TaskId id = new TaskId(new JobId(job.id), group, index);
                job.tasks.putIfAbsent(id, new Task(id));
            }
        }
    }

    /** Surplus tasks that were never placed disappear without a trace. */
    private void resize(Job job, JobHeader next) {
        job.header = next;
        createTasks(job);
        job.tasks.values().removeIf(task -> !task.everPlaced && isSurplus(task));
    }

    private CommandResult update(Job job, JobHeader next, Specification specification) {
        if (next.type() != job.header.type()) {
            return refused(Reason.NOT_ALLOWED);
        }
        resize(job, next);
        job.specification = specification;
        job.generation++;
        job.updatedVersion = level < 3 ? 0 : version;
        askAll(job);
        endIfTooManyFailed(job);
        sweep(job);
        return done(Effect.CHANGED);
    }

    /** Groups keep their places; a group that the update leaves out has no tasks. */
    private static JobHeader merged(JobHeader before, JobHeader next) {
        LinkedHashMap<String, GroupHeader> groups = new LinkedHashMap<>();
        before.groups().forEach(group -> groups.put(group.name(), group.withCount(0)));
        next.groups().forEach(group -> groups.put(group.name(), group));
        return next.withGroups(List.copyOf(groups.values()));
    }

    private void askAll(Job job) {
        for (int group = 0; group < job.header.groups().size(); group++) {
            ask(job, group);
        }
    }

    private void ask(Job job, int group) {
        if (level >= 8 && !job.header.groups().get(group).isOfCopies()) {
            job.asked.put(group, new Asked(job.header.groups().get(group).count(), version));
        }
    }

    /** Returns whether that is the job's header, except for the groups that a scheduler has scaled. */
    private static boolean isAsAsked(Job job, JobHeader next) {
        List<GroupHeader> groups = new ArrayList<>(job.header.groups());
        job.asked.forEach((group, asked) -> groups.set(group, groups.get(group).withCount(asked.count())));
        groups.replaceAll(group -> group.isOfCopies() ? group.withCount(0) : group);
        return groups.equals(next.groups())
                && job.header.withGroups(next.groups()).equals(next);
    }

    @Override
    public CommandResult visit(Command.ScaleGroup command) {
        Job job = jobs.get(command.job().version());
        if (job == null) {
            return refused(Reason.UNKNOWN_JOB);
        }
        Reason refused = refuseScale(job, isEnded(job), command.group(), command.count());
        if (refused != null) {
            return refused(refused);
        }
        Asked asked = job.asked.get(command.group());
        boolean isNew = level >= 8 && (asked == null || asked.count() != command.count());
        if (!isNew && job.header.groups().get(command.group()).count() == command.count()) {
            return done(Effect.UNCHANGED);
        }
        resize(job, scaled(job.header, command.group(), command.count()));
        ask(job, command.group());
        sweep(job);
        return done(Effect.CHANGED);
    }

    private static @Nullable Reason refuseScale(Job job, boolean ended, int group, int count) {
        if (group >= job.header.groups().size()) {
            return Reason.UNKNOWN_TASK;
        }
        GroupHeader header = job.header.groups().get(group);
        if (job.stopped || ended || header.isOfCopies()) {
            return Reason.NOT_ALLOWED;
        }
        int tasks = job.header.tasks() - header.count() + count;
        boolean gangFits =
                count == 0 || header.gang().map(gang -> gang.min() <= count).orElse(true);
        return tasks <= JobHeader.TASKS_MAX && gangFits ? null : Reason.BAD_COMMAND;
    }

    /** Drops tasks from the last one of the last group on, as many placed ones as a command may. */
    @Override
    public CommandResult visit(Command.ForgetJob command) {
        Job job = jobs.get(command.job().version());
        if (job == null) {
            return done(Effect.UNCHANGED);
        }
        if (!isEnded(job)) {
            return refused(Reason.NOT_ALLOWED);
        }
        job.endedAs = state(job);
        int left = limits.rowsMax();
        for (int place = job.header.groups().size() - 1; place >= 0 && left > 0; place--) {
            left -= forget(job, place, left);
        }
        if (job.header.tasks() == 0 && job.tasks.isEmpty()) {
            jobs.remove(job.id);
        }
        return done(Effect.CHANGED);
    }

    private int forget(Job job, int group, int left) {
        List<Task> placed = job.tasks.values().stream()
                .filter(task -> task.id.group() == group && task.everPlaced)
                .sorted((one, other) -> Integer.compare(other.id.index(), one.id.index()))
                .limit(left)
                .toList();
        int from = placed.size() < left ? 0 : placed.get(left - 1).id.index();
        placed.forEach(this::drop);
        if (from < job.header.groups().get(group).count()) {
            resize(job, scaled(job.header, group, from));
        }
        return placed.size();
    }

    private void drop(Task task) {
        Job job = jobOf(task);
        job.attemptsBefore = Math.max(job.attemptsBefore, task.attempt);
        job.tasks.remove(task.id);
    }

    /** Ends the job if more tasks of one of its groups failed for good than allowed. */
    private void endIfTooManyFailed(Job job) {
        for (int place = 0; place < job.header.groups().size(); place++) {
            int group = place;
            int max = job.header.groups().get(group).failuresMax();
            long failed = max == 0
                    ? 0
                    : members(job).stream()
                            .filter(task ->
                                    task.id.group() == group && task.state == TaskState.FAILED && isForGood(task))
                            .count();
            if (failed > max && !job.stopped) {
                job.failedTooOften = true;
                stop(job, TaskReason.TOO_MANY_FAILURES);
            }
        }
    }

    @Override
    public CommandResult visit(Command.StopJob command) {
        if (level < 6 && command.graceMillis().isPresent()) {
            return refused(Reason.NOT_ALLOWED);
        }
        Job job = jobs.get(command.job().version());
        if (job == null) {
            return refused(Reason.UNKNOWN_JOB);
        }
        if (isEnded(job)) {
            return done(Effect.UNCHANGED);
        }
        boolean stopsNow = !job.stopped;
        boolean shortens = command.graceMillis().isPresent()
                && (job.stopGrace.isEmpty() || command.graceMillis().getAsLong() < job.stopGrace.getAsLong());
        if (shortens) {
            job.stopGrace = command.graceMillis();
        }
        if (stopsNow) {
            stop(job, TaskReason.KILLED);
        } else if (shortens) {
            sweep(job);
        }
        return done(stopsNow || shortens ? Effect.CHANGED : Effect.UNCHANGED);
    }

    private void stop(Job job, TaskReason reason) {
        job.stopped = true;
        for (Task task : job.tasks.values()) {
            if (task.state == TaskState.PENDING) {
                task.state = TaskState.KILLED;
                task.reason = reason;
            }
        }
        sweep(job);
    }

    @Override
    public CommandResult visit(Command.ContinueStop command) {
        Job job = jobs.get(command.job().version());
        if (job == null || toSweep(job).isEmpty()) {
            return done(Effect.UNCHANGED);
        }
        sweep(job);
        return done(Effect.CHANGED);
    }

    /** The tasks that must be told to stop, and the surplus tasks that have ended. */
    private List<Task> toSweep(Job job) {
        return inOrder(job.tasks.values()).stream()
                .filter(task -> isToStop(job, task) || (isSurplus(task) && !task.state.isOnMachine()))
                .limit(limits.rowsMax())
                .toList();
    }

    private boolean isToStop(Job job, Task task) {
        return (job.stopped || isSurplus(task)) && (task.state == TaskState.PLACED || task.state == TaskState.RUNNING);
    }

    private void sweep(Job job) {
        for (Task task : toSweep(job)) {
            if (task.state.isOnMachine()) {
                stop(task, job.stopped ? reason(job) : TaskReason.UPDATED);
            } else {
                drop(task);
            }
        }
    }

    private static TaskReason reason(Job job) {
        return job.failedTooOften ? TaskReason.TOO_MANY_FAILURES : TaskReason.KILLED;
    }

    private void stop(Task task, TaskReason reason) {
        if (machines.get(task.machine).agent != null) {
            task.state = TaskState.STOPPING;
            task.reason = reason;
        } else {
            end(task, reason == TaskReason.PREEMPTED ? TaskState.PREEMPTED : TaskState.KILLED, reason);
        }
    }

    /** First gives back what the task had taken over from victims that still run. */
    private void end(Task task, TaskState asState, TaskReason forReason) {
        boolean beside = isEndingBeside(task) && asState != TaskState.FINISHED;
        TaskState state = beside ? TaskState.KILLED : asState;
        TaskReason reason = beside ? TaskReason.COPY : forReason;
        Amounts rest = task.held();
        for (Task victim : on(task.machine)) {
            if (task.id.equals(victim.yieldsTo)) {
                Amounts back = rest.min(victim.handedOver);
                victim.handedOver = victim.handedOver.minus(back);
                victim.yieldsTo = task.yieldsTo;
                rest = rest.minus(back);
            }
        }
        task.state = state;
        task.reason = reason;
        task.handedOver = Amounts.NONE;
        task.yieldsTo = null;
        task.failures += state == TaskState.FAILED ? 1 : 0;
        onMachines.remove(task);
        settle(task.machine);
    }

    // ---- reports

    @Override
    public CommandResult visit(Command.ReportTask report) {
        if (needsChecks(report)) {
            return refused(Reason.NOT_ALLOWED);
        }
        Task task = row(report.task());
        if (task == null) {
            return refused(Reason.UNKNOWN_TASK);
        }
        if (!task.everPlaced || report.attempt() > task.attempt) {
            return refused(Reason.ILLEGAL_STEP);
        }
        Optional<PlacementId> current = task.origin == null
                ? Optional.empty()
                : Optional.of(new PlacementId(task.origin.version(), task.ordinal));
        if (report.attempt() < task.attempt
                || (report.placement().isPresent() && !report.placement().equals(current))) {
            return refused(Reason.NOT_CURRENT);
        }
        TaskState next = report.state();
        if (next == TaskState.KILLED && task.reason == TaskReason.PREEMPTED) {
            next = TaskState.PREEMPTED;
        }
        if (report.reason() == TaskReason.CHECKED
                && task.state == TaskState.RUNNING
                && task.reason != report.reason()) {
            task.reason = TaskReason.CHECKED;
            return done(Effect.CHANGED);
        }
        if (next == shown(task)) {
            return done(Effect.UNCHANGED);
        }
        if (task.state == TaskState.LOST) {
            return refused(Reason.NOT_CURRENT);
        }
        return isLegal(task, next) ? report(task, report, next) : refused(Reason.ILLEGAL_STEP);
    }

    @Override
    public CommandResult visit(Command.ReportTasks command) {
        if (level < 4 || command.reports().stream().anyMatch(this::needsChecks)) {
            return refused(Reason.NOT_ALLOWED);
        }
        TreeMap<Integer, Reason> refused = new TreeMap<>();
        for (int place = 0; place < command.reports().size(); place++) {
            if (visit(command.reports().get(place)) instanceof CommandResult.Refused refusal) {
                refused.put(place, refusal.reason());
            }
        }
        return new CommandResult.Reported(new CellVersion(version), refused);
    }

    private boolean needsChecks(Command.ReportTask report) {
        return report.reason().isOfCheck() && level < 12;
    }

    private CommandResult report(Task task, Command.ReportTask report, TaskState next) {
        boolean killed = next == TaskState.KILLED || next == TaskState.PREEMPTED;
        TaskReason reason = killed && report.reason() == TaskReason.NONE ? task.reason : report.reason();
        if (next.isEnded()) {
            end(task, next, reason);
        } else {
            task.state = next;
            task.reason = reason;
        }
        endIfTooManyFailed(jobOf(task));
        return done(Effect.CHANGED);
    }

    /** A surplus task that was pending counts as killed until its row is dropped. */
    private TaskState shown(Task task) {
        return task.state == TaskState.PENDING && isSurplus(task) ? TaskState.KILLED : task.state;
    }

    private static boolean isLegal(Task task, TaskState next) {
        return switch (task.state) {
            case PLACED -> next == TaskState.RUNNING || next == TaskState.FAILED || next == TaskState.LOST;
            case RUNNING -> next == TaskState.FINISHED || next == TaskState.FAILED || next == TaskState.LOST;
            case STOPPING -> next.isEnded();
            default -> false;
        };
    }

    // ---- sessions

    @Override
    public CommandResult visit(Command.OpenSession open) {
        if (open.offers().isPresent() && level < 4) {
            return refused(Reason.NOT_ALLOWED);
        }
        if (open.offers().isPresent() && open.offers().get().minimumOffer().size() > dimensions.size()) {
            return refused(Reason.BAD_COMMAND);
        }
        if (open.renews().isEmpty()) {
            List.copyOf(sessions.keySet()).forEach(id -> {
                if (isSamePair(Objects.requireNonNull(sessions.get(id)), open)) {
                    closeSession(id);
                }
            });
            sessions.put(version, open);
            open.offers().ifPresent(offers -> participations.put(version, offers));
            return done(Effect.CREATED);
        }
        long id = open.renews().get().version();
        Command.OpenSession before = sessions.get(id);
        if (before == null || !isSamePair(before, open)) {
            boolean takenOver = sessions.values().stream().anyMatch(other -> isSamePair(open, other));
            return refused(takenOver ? Reason.FENCED : Reason.UNKNOWN_SESSION);
        }
        boolean same = before.type().equals(open.type()) && before.leaseMillis() == open.leaseMillis();
        if (open.offers().isPresent()) {
            same &= open.offers()
                    .get()
                    .equals(participations.put(id, open.offers().get()));
        }
        sessions.put(id, open);
        return done(same ? Effect.UNCHANGED : Effect.CHANGED);
    }

    private static boolean isSamePair(Command.OpenSession one, Command.OpenSession other) {
        return one.scheduler().equals(other.scheduler()) && one.instance().equals(other.instance());
    }

    private void closeSession(long id) {
        sessions.remove(id);
        participations.remove(id);
        suppressed.remove(id);
        refusedMachines.remove(id);
        endHolds(hold -> hold.session == id);
    }

    private boolean takesOffers(String scheduler) {
        return participations.keySet().stream()
                .anyMatch(id ->
                        Objects.requireNonNull(sessions.get(id)).scheduler().equals(scheduler));
    }

    @Override
    public CommandResult visit(Command.EndOffer end) {
        for (Hold hold : List.copyOf(holds)) {
            if (hold.session != 0 && hold.offer().equals(end.offer())) {
                if (end.refuseMillis() > 0) {
                    refusedMachines
                            .computeIfAbsent(hold.session, id -> new TreeMap<>())
                            .put(hold.slot, time + end.refuseMillis());
                }
                endHolds(each -> each == hold);
                return done(Effect.CHANGED);
            }
        }
        return refused(Reason.UNKNOWN_OFFER);
    }

    @Override
    public CommandResult visit(Command.WantOffers want) {
        boolean changed = false;
        for (long id : participations.keySet()) {
            if (Objects.requireNonNull(sessions.get(id)).scheduler().equals(want.scheduler())) {
                changed |= want.wanted() ? suppressed.remove(id) : suppressed.add(id);
                changed |= want.wanted() && refusedMachines.remove(id) != null;
            }
        }
        return done(changed ? Effect.CHANGED : Effect.UNCHANGED);
    }

    @Override
    public CommandResult visit(Command.CloseSession close) {
        if (!sessions.containsKey(close.session().version())) {
            return refused(Reason.UNKNOWN_SESSION);
        }
        closeSession(close.session().version());
        return done(Effect.CHANGED);
    }

    // ---- policies

    @Override
    public CommandResult visit(Command.PutPool put) {
        if (put.limits().size() > dimensions.size()) {
            return refused(Reason.BAD_COMMAND);
        }
        if (definedPools.containsKey(put.path())
                && !put.limits().equals(limitsOfPools.getOrDefault(put.path(), Limits.NONE))) {
            return refused(Reason.NOT_ALLOWED);
        }
        Limits before = limitsOfPools.put(put.path(), put.limits());
        return done((before == null ? Limits.NONE : before).equals(put.limits()) ? Effect.UNCHANGED : Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.DefinePool define) {
        if (level < 4) {
            return refused(Reason.NOT_ALLOWED);
        }
        PoolPolicy policy = define.policy();
        if (policy.limits().size() > dimensions.size() || policy.minimum().size() > dimensions.size()) {
            return refused(Reason.BAD_COMMAND);
        }
        limitsOfPools.put(define.path(), policy.limits());
        return done(policy.equals(definedPools.put(define.path(), policy)) ? Effect.UNCHANGED : Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.RemovePool remove) {
        if (!isSaid(remove.path())) {
            return refused(Reason.UNKNOWN_POOL);
        }
        List<String> said = new ArrayList<>(limitsOfPools.keySet());
        said.removeIf(path -> !isSaid(path) || path.equals(remove.path()) || !Labels.isPoolWithin(path, remove.path()));
        boolean hasJobs = jobs.values().stream()
                .anyMatch(job -> !isEnded(job) && Labels.isPoolWithin(job.header.pool(), remove.path()));
        if (!said.isEmpty() || hasJobs) {
            return refused(Reason.POOL_IN_USE);
        }
        definedPools.remove(remove.path());
        limitsOfPools.remove(remove.path());
        return done(Effect.CHANGED);
    }

    private boolean isSaid(String pool) {
        return definedPools.containsKey(pool)
                || !limitsOfPools.getOrDefault(pool, Limits.NONE).equals(Limits.NONE);
    }

    @Override
    public CommandResult visit(Command.SetRights set) {
        if (level < 7 && set.rights().sparePercentMax() != 100) {
            return refused(Reason.NOT_ALLOWED);
        }
        if (level < 4 && (!set.rights().machines().isEmpty() || !set.rights().offers())) {
            return refused(Reason.NOT_ALLOWED);
        }
        Rights before = rights.put(set.scheduler(), set.rights());
        return done((before == null ? Rights.UNSET : before).equals(set.rights()) ? Effect.UNCHANGED : Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.PauseScheduler pause) {
        boolean changed = pause.paused() ? paused.add(pause.scheduler()) : paused.remove(pause.scheduler());
        return done(changed ? Effect.CHANGED : Effect.UNCHANGED);
    }

    @Override
    public CommandResult visit(Command.PutToken put) {
        if (level < 4) {
            return refused(Reason.NOT_ALLOWED);
        }
        for (Token other : tokens.values()) {
            if (!other.name().equals(put.token().name())
                    && other.hash().equals(put.token().hash())) {
                return refused(Reason.BAD_COMMAND);
            }
        }
        Token before = tokens.put(put.token().name(), put.token());
        return done(put.token().equals(before) ? Effect.UNCHANGED : Effect.CHANGED);
    }

    @Override
    public CommandResult visit(Command.RevokeToken revoke) {
        return done(tokens.remove(revoke.name()) == null ? Effect.UNCHANGED : Effect.CHANGED);
    }

    private static List<String> ancestors(String pool) {
        List<String> paths = new ArrayList<>();
        for (String path = pool; !path.isEmpty(); path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
            paths.add(path);
        }
        return paths;
    }

    private long use(String pool, int dimension) {
        long use = 0;
        for (Task task : onMachines) {
            use += Labels.isPoolWithin(jobOf(task).header.pool(), pool)
                    ? task.held().at(dimension)
                    : 0;
        }
        for (Hold hold : holds) {
            if (hold.session != 0) {
                continue;
            }
            Job job = Objects.requireNonNull(jobs.get(hold.job));
            use += Labels.isPoolWithin(job.header.pool(), pool) ? hold.got.at(dimension) : 0;
        }
        return use;
    }

    // ---- a transaction

    @Override
    public CommandResult visit(Command.CommitTransaction commit) {
        return new CommandResult.Decided(commit(commit.transaction()));
    }

    private Outcome commit(Transaction transaction) {
        Kept before = outcomes.get(transaction.id());
        if (before != null) {
            return before.digest == transaction.digest() ? before.outcome : whole(transaction, Reason.ID_REUSED);
        }
        if (transaction.basis().number() != 0 && transaction.basis().number() < horizon) {
            return whole(transaction, Reason.BASIS_TOO_OLD);
        }
        boolean upgrades = transaction.steps().stream().anyMatch(step -> step.kind() == Step.Kind.UPGRADE);
        boolean expects =
                transaction.scales().stream().anyMatch(scale -> scale.expected().isPresent());
        boolean copies = transaction.steps().stream().anyMatch(step -> step.kind() == Step.Kind.COPY);
        if (level < 9 && copies) {
            return whole(transaction, Reason.NOT_ALLOWED);
        }
        if ((level < 5 && transaction.saysKinds()) || (level < 7 && (upgrades || expects))) {
            return whole(transaction, Reason.NOT_ALLOWED);
        }
        Outcome outcome = decide(transaction);
        outcomes.put(transaction.id(), new Kept(outcome, time, transaction.digest()));
        Kept oldest = outcomes.values().iterator().next();
        while (outcomes.size() > limits.outcomesKept() || oldest.time + limits.outcomeAgeMillisMax() < time) {
            horizon = oldest.outcome.version().number();
            outcomes.remove(oldest.outcome.id());
            oldest = outcomes.values().iterator().next();
        }
        return outcome;
    }

    private Outcome whole(Transaction transaction, Reason reason) {
        return Outcome.refused(transaction.id(), new CellVersion(version), reason);
    }

    private Outcome decide(Transaction transaction) {
        if (!transaction.incarnation().accepts(incarnation)) {
            return whole(transaction, Reason.OTHER_INCARNATION);
        }
        if (transaction.session().isPresent()) {
            Command.OpenSession session =
                    sessions.get(transaction.session().get().version());
            if (session == null || !session.scheduler().equals(transaction.scheduler())) {
                return whole(transaction, Reason.FENCED);
            }
        }
        for (JobId remembered : transaction.progress().keySet()) {
            Job job = jobs.get(remembered.version());
            if (job != null && !job.header.scheduler().equals(transaction.scheduler())) {
                return whole(transaction, Reason.NOT_ALLOWED);
            }
        }
        for (OfferId id : transaction.offers()) {
            if (holds.stream()
                    .noneMatch(hold -> hold.session != 0 && hold.offer().equals(id) && isFor(hold, 0, transaction))) {
                return whole(transaction, Reason.NOT_OFFERED);
            }
        }
        for (OfferId id : transaction.rescinds()) {
            if (holds.stream()
                    .anyMatch(hold -> hold.session != 0
                            && hold.offer().equals(id)
                            && !hold.origin.scheduler().equals(transaction.scheduler()))) {
                return whole(transaction, Reason.NOT_ALLOWED);
            }
        }
        if (transaction.basis().number() >= version
                || transaction.machinesAsOf().number() >= version) {
            return whole(transaction, Reason.BASIS_AHEAD);
        }
        Before before = mayFall(transaction) ? new Before(transaction) : null;
        Attempt attempt = new Attempt(transaction);
        List<ItemResult> results = attempt.run();
        if (attempt.isBeyondOffers) {
            Objects.requireNonNull(before).restore();
            return whole(transaction, Reason.NOT_OFFERED);
        }
        if (attempt.isFelled) {
            Objects.requireNonNull(before).restore();
        } else {
            claimsInPools.addAll(attempt.claimsHere);
            attempt.finish();
        }
        return new Outcome(
                transaction.id(),
                new CellVersion(version),
                attempt.verdict(results),
                Optional.empty(),
                new CellVersion(version),
                results);
    }

    private boolean mayFall(Transaction transaction) {
        return takesOffers(transaction.scheduler())
                || transaction.atomicity() == Atomicity.ALL_OR_NOTHING
                || transaction.minClaims() > 0;
    }

    /**
     * A copy of everything that a transaction may change before its outcome is known: tasks of no job but those it names and
     * those with spare tasks.
     */
    private final class Before {
        private final List<Machine> machinesBefore = new ArrayList<>();
        private final Map<Job, Map<TaskId, Task>> tasksBefore = new LinkedHashMap<>();
        private final List<TaskId> onMachinesBefore = new ArrayList<>();
        private final List<Hold> holdsBefore = new ArrayList<>();
        private final List<Queued> queuedBefore = new ArrayList<>(queued);

        Before(Transaction transaction) {
            machines.forEach(machine -> machinesBefore.add(machine.copy()));
            for (Job job : named(transaction)) {
                Map<TaskId, Task> copies = new LinkedHashMap<>();
                job.tasks.forEach((id, task) -> copies.put(id, task.copy()));
                tasksBefore.put(job, copies);
            }
            onMachines.forEach(task -> onMachinesBefore.add(task.id));
            holds.forEach(hold -> holdsBefore.add(hold.copy()));
        }

        private static Set<TaskId> namedTasks(Transaction transaction) {
            Set<TaskId> named = new LinkedHashSet<>();
            for (int claim = 0; claim < transaction.claims(); claim++) {
                named.add(transaction.task(claim));
            }
            transaction.evictions().forEach(eviction -> named.add(eviction.task()));
            transaction.steps().forEach(step -> named.add(step.task()));
            return named;
        }

        private Set<Job> named(Transaction transaction) {
            Set<Job> named = new LinkedHashSet<>();
            for (TaskId task : namedTasks(transaction)) {
                Job job = jobs.get(task.job().version());
                if (job != null) {
                    named.add(job);
                }
            }
            onMachines.stream().filter(task -> task.spare).forEach(task -> named.add(jobOf(task)));
            return named;
        }

        void restore() {
            machines = machinesBefore;
            tasksBefore.forEach((job, copies) -> job.tasks = copies);
            onMachines = new ArrayList<>();
            onMachinesBefore.forEach(id -> onMachines.add(Objects.requireNonNull(row(id))));
            holds = holdsBefore;
            queued = queuedBefore;
        }
    }

    /** One transaction, really executed, item after item. */
    private final class Attempt {
        private final Transaction transaction;
        private final long basis;
        private final Origin origin;
        private final @Nullable ItemResult[] results;
        private final List<TaskId> named = new ArrayList<>();
        private final List<TaskId> namedToQueue = new ArrayList<>();
        private final List<Map.Entry<Origin, String>> claimsHere = new ArrayList<>();
        private final List<TaskId> stepped = new ArrayList<>();
        private final List<TaskId> toCopy = new ArrayList<>();
        private final List<Long> jobsEnded = new ArrayList<>();
        private boolean isFelled;
        private boolean isBeyondOffers;

        Attempt(Transaction transaction) {
            this.transaction = transaction;
            this.basis = transaction.basis().number() == 0
                    ? version - 1
                    : transaction.basis().number();
            long session = transaction.session().map(id -> id.version()).orElse(0L);
            this.origin = new Origin(transaction.id(), transaction.scheduler(), session, version);
            this.results = new ItemResult[transaction.items()];
            if (asksAboutEndedJobs()) {
                jobs.values().stream().filter(NaiveCell.this::isEnded).forEach(job -> jobsEnded.add(job.id));
            }
        }

        private boolean asksAboutEndedJobs() {
            return !transaction.scales().isEmpty()
                    || !transaction.holds().isEmpty()
                    || !transaction.progress().isEmpty();
        }

        List<ItemResult> run() {
            int evictionsFrom = transaction.claims();
            int holdsFrom = evictionsFrom + transaction.evictions().size();
            int stepsFrom = holdsFrom + transaction.holds().size();
            for (int place = 0; place < transaction.steps().size(); place++) {
                results[stepsFrom + place] = step(transaction.steps().get(place));
            }
            for (int place = 0; place < transaction.evictions().size(); place++) {
                Eviction eviction = transaction.evictions().get(place);
                if (eviction.forClaim().isEmpty()) {
                    results[evictionsFrom + place] = evictAlone(eviction);
                }
            }
            for (int claim = 0; claim < transaction.claims(); claim++) {
                results[claim] = claim(claim);
            }
            for (int claim = 0; claim < transaction.claims(); claim++) {
                for (int place = 0; place < transaction.alternates(claim) && !isAccepted(claim); place++) {
                    alternate(claim, transaction.alternate(claim, place));
                }
            }
            for (int place = 0; place < transaction.evictions().size(); place++) {
                if (results[evictionsFrom + place] == null) {
                    results[evictionsFrom + place] =
                            left(transaction.evictions().get(place));
                }
            }
            for (int place = 0; place < transaction.holds().size(); place++) {
                results[holdsFrom + place] = hold(transaction.holds().get(place), place);
            }
            int scalesFrom = stepsFrom + transaction.steps().size();
            for (int place = 0; place < transaction.scales().size(); place++) {
                results[scalesFrom + place] = scale(place);
            }
            fell();
            List<ItemResult> decided = new ArrayList<>();
            for (ItemResult result : results) {
                decided.add(Objects.requireNonNull(result));
            }
            return decided;
        }

        private boolean isAccepted(int place) {
            ItemResult result = results[place];
            return result != null && result.accepted();
        }

        // ---- steps

        private ItemResult step(Step step) {
            Reason refused = refuse(step);
            if (refused != null) {
                return ItemResult.refused(ItemKind.STEP, refused);
            }
            Task task = Objects.requireNonNull(find(step.task()));
            if (step.kind() == Step.Kind.UPGRADE) {
                ItemResult result = upgrade(task);
                if (result.accepted()) {
                    stepped.add(step.task());
                }
                return result;
            }
            stepped.add(step.task());
            if (step.kind() == Step.Kind.COPY) {
                toCopy.add(step.task());
            } else if (step.kind() == Step.Kind.AGAIN) {
                again(task);
            } else if (task.state == TaskState.PENDING) {
                endPending(task, TaskReason.KILLED);
            } else {
                stop(task, step.kind() == Step.Kind.STOP ? TaskReason.KILLED : TaskReason.UPDATED);
            }
            return ItemResult.accepted(ItemKind.STEP, OptionalInt.empty());
        }

        private ItemResult upgrade(Task task) {
            Job job = jobOf(task);
            int slot = task.machine;
            Machine machine = machines.get(slot);
            Amounts asked = task.shape;
            if (machine.draining || machine.down) {
                return ItemResult.refused(ItemKind.STEP, Reason.MACHINE_NOT_READY);
            }
            if (takesOffers(transaction.scheduler())) {
                isBeyondOffers = true;
                return ItemResult.refused(ItemKind.STEP, Reason.NOT_OFFERED);
            }
            for (String pool : ancestors(job.header.pool())) {
                for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                    long limit = limitsOfPools.getOrDefault(pool, Limits.NONE).at(dimension);
                    long use = use(pool, dimension);
                    long asks = asked.at(dimension);
                    if (asks > 0 && limit != Limits.UNLIMITED && use + asks > limit) {
                        return refusalOver(ItemKind.STEP, winner(pool), dimension, asks, Math.max(0, limit - use));
                    }
                }
            }
            if (!mayPlace(job) || !mayUse(machine)) {
                return ItemResult.refused(ItemKind.STEP, Reason.NOT_ALLOWED);
            }
            int lacks = lacksForUpgrade(slot, job, asked, false);
            if (lacks >= 0 && lacksForUpgrade(slot, job, asked, true) < 0) {
                Origin winner = winnerWithHolds(machine, slot, job, lacks);
                return lacking(ItemKind.STEP, Reason.HELD, winner, lacks, asked, free(slot, lacks));
            }
            if (isAnother(machine) || isChanged(machine)) {
                return refusal(ItemKind.STEP, Reason.MACHINE_CHANGED, winner(machine));
            }
            if (lacks >= 0) {
                Origin winner = winnerWithHolds(machine, slot, job, lacks);
                return lacking(ItemKind.STEP, Reason.DOES_NOT_FIT, winner, lacks, asked, free(slot, lacks));
            }
            task.spare = false;
            machine.claims.add(origin);
            claimsHere.add(Map.entry(origin, job.header.pool()));
            return ItemResult.accepted(ItemKind.STEP, OptionalInt.empty());
        }

        private int lacksForUpgrade(int slot, Job job, Amounts asked, boolean ifOthersHeldNothing) {
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                boolean shrinking = machines.get(slot).wanted.at(dimension) < capacity(slot, dimension);
                long others = ifOthersHeldNothing
                        ? got(slot, job.id, transaction, false).at(dimension)
                        : 0;
                if (asked.at(dimension) > 0 && (shrinking || asked.at(dimension) > free(slot, dimension) + others)) {
                    return dimension;
                }
            }
            return -1;
        }

        private @Nullable Reason refuseCopy(Task task) {
            Job job = jobOf(task);
            boolean runs = task.state == TaskState.PLACED || task.state == TaskState.RUNNING;
            boolean hasCopy = job.copied.entrySet().stream()
                    .anyMatch(entry -> entry.getValue().equals(task.id)
                            && (stepped.contains(entry.getKey())
                                    || !taskOf(job, entry.getKey()).state.isEnded()));
            if (!runs || job.stopped || hasCopy) {
                return Reason.ILLEGAL_STEP;
            }
            GroupHeader group = job.header.groups().get(task.id.group());
            int place = copiesOf(job.header, task.id.group());
            int count = place < 0 ? 0 : job.header.groups().get(place).count();
            boolean former = job.tasks.values().stream()
                    .anyMatch(other -> other.id.group() == place && other.id.index() >= count);
            boolean may = !group.isOfCopies()
                    && job.header.type() == JobType.BATCH
                    && group.onLost() == OnLost.REPLACE
                    && group.gang().isEmpty()
                    && count + toCopy.size() < COPIES_MAX
                    && job.header.tasks() + toCopy.size() < JobHeader.TASKS_MAX
                    && (place >= 0 || job.header.groups().size() + toCopy.size() < JobHeader.GROUPS_MAX)
                    && !former;
            return may ? null : Reason.NOT_ALLOWED;
        }

        private @Nullable Reason refuse(Step step) {
            Task task = find(step.task());
            if (task == null) {
                return Reason.UNKNOWN_TASK;
            }
            if (stepped.contains(step.task())) {
                return Reason.DUPLICATE_TASK;
            }
            Job job = jobOf(task);
            if (!job.header.scheduler().equals(transaction.scheduler())) {
                return Reason.NOT_ALLOWED;
            }
            if (step.attempt() != task.attempt) {
                return Reason.TASK_CHANGED;
            }
            if (step.kind() == Step.Kind.UPGRADE) {
                boolean goesOn = task.state == TaskState.PLACED || task.state == TaskState.RUNNING;
                return task.spare && goesOn && !job.stopped ? null : Reason.ILLEGAL_STEP;
            }
            if (step.kind() == Step.Kind.COPY) {
                return refuseCopy(task);
            }
            if (step.kind() != Step.Kind.AGAIN) {
                boolean canStop = (task.state == TaskState.PENDING && step.kind() == Step.Kind.STOP)
                        || task.state == TaskState.PLACED
                        || task.state == TaskState.RUNNING;
                return canStop && !job.stopped ? null : Reason.ILLEGAL_STEP;
            }
            if (!task.everPlaced || !task.state.isEnded()) {
                return Reason.ILLEGAL_STEP;
            }
            boolean didItsWork = task.state == TaskState.FINISHED && job.header.type() == JobType.BATCH;
            boolean over = didItsWork || isForGood(task);
            if (over || job.stopped || isEnded(job)) {
                return Reason.NOT_ALLOWED;
            }
            return waitsForMachine(task) ? Reason.MACHINE_NOT_READY : null;
        }

        /** Returns whether a task must never run twice and was lost by a machine that is still gone. */
        private boolean waitsForMachine(Task task) {
            GroupHeader group = jobOf(task).header.groups().get(task.id.group());
            Machine machine = machines.get(task.machine);
            boolean same = machine.exists()
                    && machine.registered <= Objects.requireNonNull(task.origin).version();
            return group.onLost() == OnLost.WAIT && task.state == TaskState.LOST && same && machine.down;
        }

        // ---- scales: after everything else

        private ItemResult scale(int place) {
            Scale scale = transaction.scales().get(place);
            Reason refused = refuse(scale, place);
            return refused == null
                    ? ItemResult.accepted(ItemKind.SCALE, OptionalInt.empty())
                    : ItemResult.refused(ItemKind.SCALE, refused);
        }

        private @Nullable Reason refuse(Scale scale, int place) {
            Job job = jobs.get(scale.job().version());
            if (job == null) {
                return Reason.UNKNOWN_JOB;
            }
            if (!job.header.scheduler().equals(transaction.scheduler())) {
                return Reason.NOT_ALLOWED;
            }
            if (scale.generation() != job.generation) {
                return Reason.TASK_CHANGED;
            }
            for (Scale before : transaction.scales().subList(0, place)) {
                if (before.job().equals(scale.job()) && before.group() == scale.group()) {
                    return Reason.DUPLICATE_TASK;
                }
            }
            Reason refused = refuseScale(job, jobsEnded.contains(job.id), scale.group(), scale.count());
            if (refused != null) {
                return refused;
            }
            if (isAskedSince(scale, job)) {
                return Reason.TASK_CHANGED;
            }
            return hasRoomFor(scale, job, place) ? null : Reason.BAD_COMMAND;
        }

        private boolean isAskedSince(Scale scale, Job job) {
            if (scale.expected().isEmpty()) {
                return false;
            }
            Asked asked = job.asked.get(scale.group());
            int count = job.header.groups().get(scale.group()).count();
            return scale.expected().getAsInt() != count
                    || (asked != null && asked.version() > transaction.basis().number());
        }

        /** Returns whether the job has not too many tasks with this scale, after the copies and scales before it. */
        private boolean hasRoomFor(Scale scale, Job job, int place) {
            List<GroupHeader> groups = job.header.groups();
            int tasks = job.header.tasks() + acceptedCopies(job, -1);
            for (int other = 0; other < place; other++) {
                Scale before = transaction.scales().get(other);
                if (before.job().equals(scale.job())
                        && isAccepted(results.length - transaction.scales().size() + other)) {
                    int more = before.count() - groups.get(before.group()).count();
                    int copies = copiesOf(job.header, before.group());
                    int lost = (copies < 0 ? 0 : groups.get(copies).count()) + acceptedCopies(job, before.group());
                    tasks += more < 0 ? more - lost : more;
                }
            }
            int more = scale.count() - groups.get(scale.group()).count();
            return more <= 0 || tasks + more <= JobHeader.TASKS_MAX;
        }

        /** The copies that the transaction adds to tasks of that group, or of any group if it is -1. */
        private int acceptedCopies(Job job, int group) {
            int copies = 0;
            for (TaskId task : toCopy) {
                boolean isOfIt = group < 0 || task.group() == group;
                copies += task.job().version() == job.id && isOfIt ? 1 : 0;
            }
            return copies;
        }

        /** Does what had to wait until the outcome was known. */
        void finish() {
            int scalesFrom = results.length - transaction.scales().size();
            for (int place = 0; place < transaction.steps().size(); place++) {
                Step step = transaction.steps().get(place);
                if (step.kind() == Step.Kind.COPY
                        && isAccepted(scalesFrom - transaction.steps().size() + place)) {
                    copy(Objects.requireNonNull(row(step.task())));
                }
            }
            for (int place = 0; place < transaction.scales().size(); place++) {
                Scale scale = transaction.scales().get(place);
                if (isAccepted(scalesFrom + place)) {
                    Job job = Objects.requireNonNull(jobs.get(scale.job().version()));
                    resize(job, scaled(job.header, scale.group(), scale.count()));
                }
            }
            boolean anything = results.length == 0;
            for (int place = 0; place < results.length; place++) {
                anything |= isAccepted(place);
            }
            if (anything) {
                for (OfferId id : transaction.keepsOffers() ? List.<OfferId>of() : transaction.offers()) {
                    endHolds(hold -> hold.session != 0 && hold.offer().equals(id));
                }
                for (OfferId id : transaction.rescinds()) {
                    endHolds(hold -> hold.session != 0 && hold.offer().equals(id));
                }
                transaction.progress().forEach((id, progress) -> {
                    Job job = jobs.get(id.version());
                    if (job != null && !jobsEnded.contains(job.id)) {
                        job.progress = progress;
                    }
                });
            }
        }

        // ---- evictions

        private ItemResult evictAlone(Eviction eviction) {
            ItemResult refused = refuse(eviction);
            if (refused != null) {
                return refused;
            }
            Task task = Objects.requireNonNull(row(eviction.task()));
            int slot = task.machine;
            stop(task, TaskReason.PREEMPTED);
            return ItemResult.accepted(ItemKind.EVICTION, OptionalInt.of(slot));
        }

        private @Nullable ItemResult refuse(Eviction eviction) {
            Task task = find(eviction.task());
            if (task == null) {
                return ItemResult.refused(ItemKind.EVICTION, Reason.UNKNOWN_TASK);
            }
            boolean placedNow = task.origin != null && task.origin.version() == version;
            boolean goesOn = task.state == TaskState.PLACED || task.state == TaskState.RUNNING;
            if (!goesOn || placedNow || stepped.contains(eviction.task())) {
                return ItemResult.refused(ItemKind.EVICTION, Reason.TASK_NOT_PLACED);
            }
            if (task.attempt != eviction.attempt()) {
                return refusal(ItemKind.EVICTION, Reason.TASK_CHANGED, placedAfterBasis(task));
            }
            return mayEvict(eviction, task) ? null : ItemResult.refused(ItemKind.EVICTION, Reason.NOT_ALLOWED);
        }

        private boolean mayEvict(Eviction eviction, Task victim) {
            boolean own = jobOf(victim).header.scheduler().equals(transaction.scheduler());
            Rights.Evicts evicts =
                    rights.getOrDefault(transaction.scheduler(), Rights.UNSET).evicts();
            if (evicts != Rights.Evicts.LOWER) {
                return evicts == Rights.Evicts.ANY || (evicts == Rights.Evicts.OWN && own);
            }
            if (eviction.forClaim().isEmpty()) {
                return own;
            }
            TaskId forTask = transaction.task(eviction.forClaim().getAsInt());
            Job job = jobs.get(forTask.job().version());
            return job != null
                    && forTask.group() < job.header.groups().size()
                    && jobOf(victim).header.priority() < job.header.priority();
        }

        private ItemResult left(Eviction eviction) {
            ItemResult refused = refuse(eviction);
            return refused == null
                    ? aborted(ItemKind.EVICTION, eviction.forClaim().orElseThrow())
                    : refused;
        }

        // ---- holds

        private ItemResult offer(HoldRequest request, int ordinal) {
            Command.OpenSession to = sessions.get(request.sessionVersion());
            int slot = request.machine();
            if (to == null) {
                return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_SESSION);
            }
            if (slot >= machines.size() || !machines.get(slot).exists()) {
                return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_MACHINE);
            }
            Machine machine = machines.get(slot);
            if (machine.draining || machine.down) {
                return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_NOT_READY);
            }
            Rights has = rights.getOrDefault(transaction.scheduler(), Rights.UNSET);
            if (!participations.containsKey(request.sessionVersion())
                    || to.scheduler().equals(transaction.scheduler())
                    || !has.offers()
                    || !mayUse(machine)) {
                return ItemResult.refused(ItemKind.HOLD, Reason.NOT_ALLOWED);
            }
            if (isAnother(machine)) {
                return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_CHANGED);
            }
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                if (!dimensions.isSet(dimension)
                        && !members(request.amounts(), dimension).isEmpty()) {
                    return lacking(ItemKind.HOLD, Reason.DOES_NOT_FIT, null, dimension, request.amounts(), 0);
                }
            }
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                long asks = request.amounts().at(dimension);
                boolean lacks = asks > free(slot, dimension);
                if (dimensions.isSet(dimension) && asks > 0) {
                    SortedSet<Integer> open = open(slot, dimension);
                    boolean shrinking = !members(machine.wanted, dimension).containsAll(heldMembers(slot, dimension));
                    lacks |=
                            shrinking || asks > open.size() || !open.containsAll(members(request.amounts(), dimension));
                }
                if (lacks) {
                    long left = could(slot, request.amounts(), dimension);
                    return lacking(
                            ItemKind.HOLD, Reason.DOES_NOT_FIT, winner(machine), dimension, request.amounts(), left);
                }
            }
            if (hasMostHolds(slot)) {
                return refusal(ItemKind.HOLD, Reason.HELD, winner(machine));
            }
            long expiresAt = time + request.expiresAfterMillis();
            Hold made = new Hold(origin, ordinal, 0, slot, expiresAt, request.amounts());
            made.session = request.sessionVersion();
            made.scheduler = to.scheduler();
            holds.add(made);
            settle(slot);
            return ItemResult.accepted(ItemKind.HOLD, OptionalInt.of(slot));
        }

        private ItemResult hold(HoldRequest request, int ordinal) {
            if (request.isOffer()) {
                return offer(request, ordinal);
            }
            Job job = jobs.get(request.job().version());
            int slot = request.machine();
            if (job == null || jobsEnded.contains(job.id) || job.stopped) {
                return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_JOB);
            }
            if (slot >= machines.size() || !machines.get(slot).exists()) {
                return ItemResult.refused(ItemKind.HOLD, Reason.UNKNOWN_MACHINE);
            }
            Machine machine = machines.get(slot);
            if (machine.draining || machine.down) {
                return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_NOT_READY);
            }
            if (level >= 11 && takesOffers(transaction.scheduler())) {
                isBeyondOffers = true;
                return ItemResult.refused(ItemKind.HOLD, Reason.NOT_OFFERED);
            }
            for (String pool : ancestors(job.header.pool())) {
                for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                    long limit = limitsOfPools.getOrDefault(pool, Limits.NONE).at(dimension);
                    long wanted = request.amounts().at(dimension);
                    if (limit != Limits.UNLIMITED && wanted > 0 && use(pool, dimension) + wanted > limit) {
                        long left = Math.max(0, limit - use(pool, dimension));
                        return refusalOver(ItemKind.HOLD, winner(pool), dimension, wanted, left);
                    }
                }
            }
            Rights has = rights.getOrDefault(transaction.scheduler(), Rights.UNSET);
            if (!has.holds() || !mayPlace(job) || !mayUse(machine)) {
                return ItemResult.refused(ItemKind.HOLD, Reason.NOT_ALLOWED);
            }
            if (isAnother(machine)) {
                return ItemResult.refused(ItemKind.HOLD, Reason.MACHINE_CHANGED);
            }
            for (int dimension = 0; dimension < request.amounts().size(); dimension++) {
                long most = dimension < dimensions.size() ? machine.wanted.at(dimension) : 0;
                if (dimension < dimensions.size()
                        && !members(request.amounts(), dimension).isEmpty()) {
                    SortedSet<Integer> could = members(request.amounts(), dimension);
                    could.retainAll(members(machine.wanted, dimension));
                    if (could.size() < members(request.amounts(), dimension).size()
                            || request.amounts().at(dimension) > most) {
                        long some = could.size();
                        return lacking(ItemKind.HOLD, Reason.DOES_NOT_FIT, null, dimension, request.amounts(), some);
                    }
                }
                if (request.amounts().at(dimension) > most) {
                    return lacking(ItemKind.HOLD, Reason.DOES_NOT_FIT, null, dimension, request.amounts(), most);
                }
            }
            if (level >= 11 && holds.stream().filter(hold -> hold.job == job.id).count() >= 10_000) {
                return ItemResult.refused(ItemKind.HOLD, Reason.TOO_MANY_ROWS);
            }
            if (hasMostHolds(slot)) {
                return refusal(ItemKind.HOLD, Reason.HELD, winner(machine));
            }
            long expiresAt = time + request.expiresAfterMillis();
            holds.add(new Hold(origin, ordinal, job.id, slot, expiresAt, request.amounts()));
            settle(slot);
            return ItemResult.accepted(ItemKind.HOLD, OptionalInt.of(slot));
        }

        private boolean hasMostHolds(int slot) {
            return level >= 11
                    && holds.stream().filter(hold -> hold.slot == slot).count() >= 100;
        }

        private boolean mayUse(Machine machine) {
            Rights has = rights.getOrDefault(transaction.scheduler(), Rights.UNSET);
            return has.machines().stream().allMatch(rule -> meets(attribute(machine, rule.attribute()), rule));
        }

        private @Nullable String attribute(Machine machine, String attribute) {
            return level >= 11 && attribute.equals("machine") ? machine.name : machine.attributes.get(attribute);
        }

        private static boolean meets(@Nullable String value, MachineRule rule) {
            boolean listed = value != null && rule.values().contains(value);
            return switch (rule.operator()) {
                case EQ, IN -> listed;
                case NE, NOT_IN -> !listed;
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case GT -> difference(value, rule) > 0;
                case LT -> difference(value, rule) < 0;
            };
        }

        private static double difference(@Nullable String value, MachineRule rule) {
            boolean isNumber = value != null && value.matches("[0-9.]+");
            return isNumber
                    ? Double.parseDouble(value)
                            - Double.parseDouble(rule.values().get(0))
                    : 0;
        }

        private boolean mayPlace(Job job) {
            Rights has = rights.getOrDefault(transaction.scheduler(), Rights.UNSET);
            boolean inPool = has.pools().isEmpty()
                    || ancestors(job.header.pool()).stream().anyMatch(has.pools()::contains);
            return job.header.scheduler().equals(transaction.scheduler())
                    && job.header.priority() <= has.priorityMax()
                    && inPool;
        }

        private static ItemResult lacking(
                ItemKind kind, Reason reason, @Nullable Origin winner, int dimension, Amounts asked, long free) {
            return new ItemResult(
                    kind,
                    false,
                    winner != null,
                    OptionalInt.empty(),
                    Optional.of(reason),
                    OptionalInt.of(dimension),
                    asked.at(dimension),
                    free,
                    OptionalInt.empty(),
                    Optional.ofNullable(winner));
        }

        // ---- claims

        private ItemResult claim(int claim) {
            TaskId id = transaction.task(claim);
            Task task = find(id);
            if (task == null) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_TASK);
            }
            boolean queues = transaction.kind(claim) == ClaimKind.QUEUE;
            boolean first = !named.contains(id) && (queues || !namedToQueue.contains(id));
            (queues ? namedToQueue : named).add(id);
            boolean takenHere = task.origin != null && task.origin.version() == version;
            if (task.state != TaskState.PENDING && !takenHere) {
                return refusal(ItemKind.CLAIM, Reason.TASK_NOT_PENDING, placedAfterBasis(task));
            }
            if (transaction.generation(claim) != jobOf(task).generation) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.TASK_CHANGED);
            }
            if (!first) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.DUPLICATE_TASK);
            }
            return tryMachine(claim, task, transaction.machine(claim));
        }

        private void alternate(int claim, int slot) {
            ItemResult before = Objects.requireNonNull(results[claim]);
            Reason reason = before.reason().orElseThrow();
            if (List.of(Reason.UNKNOWN_TASK, Reason.TASK_NOT_PENDING, Reason.TASK_CHANGED, Reason.DUPLICATE_TASK)
                    .contains(reason)) {
                return;
            }
            Task task = Objects.requireNonNull(row(transaction.task(claim)));
            ItemResult result = tryMachine(claim, task, slot);
            results[claim] = result.accepted() ? result : before;
        }

        private ItemResult tryMachine(int claim, Task task, int slot) {
            if (slot >= machines.size() || !machines.get(slot).exists()) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.UNKNOWN_MACHINE);
            }
            Machine machine = machines.get(slot);
            if (machine.draining || machine.down) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.MACHINE_NOT_READY);
            }
            if (transaction.kind(claim) == ClaimKind.SPARE) {
                return level < 7 ? ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED) : spare(claim, task, slot);
            }
            if (transaction.kind(claim) == ClaimKind.QUEUE) {
                return queue(claim, task, slot);
            }
            boolean starts = transaction.kind(claim) == ClaimKind.START;
            if (starts && !isQueued(task.id, slot)) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_QUEUED);
            }
            Job job = jobOf(task);
            Amounts shape = job.header.groups().get(task.id.group()).shape();
            List<Task> victims = victims(claim, slot);
            List<Amounts> before = new ArrayList<>();
            holds.stream()
                    .filter(hold -> hold.slot == slot && isFor(hold, job.id, transaction))
                    .forEach(hold -> before.add(hold.got));
            victims.forEach(victim -> before.add(victim.held()));
            Amounts asked = choose(shape, before, slot);
            if (takesOffers(transaction.scheduler())) {
                Amounts need = asked;
                for (Hold hold : holds) {
                    boolean mine = hold.slot == slot && isFor(hold, job.id, transaction);
                    need = mine ? need.minus(hold.got.min(need)) : need;
                }
                if (!need.isNone()) {
                    isBeyondOffers = true;
                    return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_OFFERED);
                }
            }
            ItemResult overQuota = overQuota(job, slot, asked, victims);
            if (overQuota != null) {
                return overQuota;
            }
            boolean other = !transaction.amounts(claim).orElse(shape).equals(shape);
            if (!mayPlace(job)
                    || !mayUse(machines.get(slot))
                    || other
                    || asManyAsMayRun(job, task.id.group(), slot, victims)) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
            }
            int lacks = lacks(slot, machine, job, asked, victims, false);
            if (lacks >= 0 && lacks(slot, machine, job, asked, victims, true) < 0) {
                Origin winner = winnerWithHolds(machine, slot, job, lacks);
                return lacking(ItemKind.CLAIM, Reason.HELD, winner, lacks, asked, could(slot, shape, lacks));
            }
            boolean fromHold = !got(slot, job.id, transaction, true).min(asked).isNone();
            if (isAnother(machine) || (!fromHold && !starts && isChanged(machine))) {
                return refusal(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winner(machine));
            }
            if (lacks >= 0) {
                Origin winner = winnerWithHolds(machine, slot, job, lacks);
                return lacking(ItemKind.CLAIM, Reason.DOES_NOT_FIT, winner, lacks, asked, could(slot, shape, lacks));
            }
            place(claim, task, slot, asked, victims);
            return ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slot));
        }

        private ItemResult spare(int claim, Task task, int slot) {
            Machine machine = machines.get(slot);
            Job job = jobOf(task);
            Amounts shape = shapeOf(task);
            if (takesOffers(transaction.scheduler())) {
                isBeyondOffers = true;
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_OFFERED);
            }
            boolean other = !transaction.amounts(claim).orElse(shape).equals(shape);
            boolean sets = false;
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                sets |= dimensions.isSet(dimension) && shape.at(dimension) > 0;
            }
            if (!mayPlace(job)
                    || !mayUse(machine)
                    || other
                    || sets
                    || asManyAsMayRun(job, task.id.group(), slot, List.of())) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
            }
            if (isAnother(machine) || isChanged(machine)) {
                return refusal(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winner(machine));
            }
            int percent =
                    rights.getOrDefault(transaction.scheduler(), Rights.UNSET).sparePercentMax();
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                long share = capacity(slot, dimension) * percent / 100;
                long room = Math.min(free(slot, dimension), share) - usedBySpare(slot, dimension);
                boolean shrinking = machine.wanted.at(dimension) < capacity(slot, dimension);
                if (shape.at(dimension) > 0 && (shrinking || shape.at(dimension) > room)) {
                    Origin winner = winnerOfSpare(machine, slot, job, dimension);
                    return lacking(ItemKind.CLAIM, Reason.DOES_NOT_FIT, winner, dimension, shape, Math.max(0, room));
                }
            }
            become(task, claim, slot, shape);
            task.spare = true;
            return ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slot));
        }

        /** The newest spare task that another placed there after the basis counts as well. */
        private @Nullable Origin winnerOfSpare(Machine machine, int slot, Job job, int dimension) {
            Origin winner = winnerWithHolds(machine, slot, job, dimension);
            for (Task task : on(slot)) {
                Origin placed = task.spare ? placedAfterBasis(task) : null;
                boolean seen = placed != null
                        && transaction.seesOwn()
                        && origin.session() != 0
                        && placed.session() == origin.session();
                boolean later = placed != null && (winner == null || placed.version() > winner.version());
                winner = later && !seen ? placed : winner;
            }
            return winner;
        }

        /** Ends spare tasks until what is held and spare fits: first those that end anyway, then the youngest. */
        private void makeRoom(Task claim, int slot) {
            List<Task> candidates = new ArrayList<>();
            for (Task task : on(slot)) {
                if (task.spare && task.yieldsTo == null) {
                    candidates.add(task);
                }
            }
            candidates.sort(Comparator.comparing((Task task) -> task.state != TaskState.STOPPING)
                    .thenComparing(task -> -Objects.requireNonNull(task.origin).version())
                    .thenComparing(task -> -task.ordinal));
            List<Task> victims = new ArrayList<>();
            for (Task candidate : candidates) {
                boolean helps = false;
                for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                    int at = dimension;
                    long used = candidates.stream()
                            .filter(task -> !victims.contains(task))
                            .mapToLong(task -> task.shape.at(at))
                            .sum();
                    helps |= used > free(slot, dimension) && candidate.shape.at(dimension) > 0;
                }
                if (helps) {
                    victims.add(candidate);
                }
            }
            for (Task victim : victims) {
                victim.reason = victim.state == TaskState.STOPPING ? victim.reason : TaskReason.PREEMPTED;
                victim.state = TaskState.STOPPING;
                victim.yieldsTo = claim.id;
            }
            if (machines.get(slot).agent == null) {
                victims.forEach(victim -> end(victim, TaskState.PREEMPTED, TaskReason.PREEMPTED));
            }
        }

        private ItemResult queue(int claim, Task task, int slot) {
            Machine machine = machines.get(slot);
            Amounts shape = shapeOf(task);
            if (takesOffers(transaction.scheduler())) {
                isBeyondOffers = true;
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_OFFERED);
            }
            boolean other = !transaction.amounts(claim).orElse(shape).equals(shape);
            if (!mayPlace(jobOf(task)) || !mayUse(machine) || other) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.NOT_ALLOWED);
            }
            if (isAnother(machine)) {
                return refusal(ItemKind.CLAIM, Reason.MACHINE_CHANGED, winner(machine));
            }
            int tooLarge = tooLarge(machine, shape);
            if (tooLarge >= 0) {
                SortedSet<Integer> could = members(shape, tooLarge);
                could.retainAll(members(machine.wanted, tooLarge));
                long most = members(shape, tooLarge).isEmpty() ? machine.wanted.at(tooLarge) : could.size();
                return lacking(ItemKind.CLAIM, Reason.DOES_NOT_FIT, null, tooLarge, shape, most);
            }
            if (isQueued(task.id, slot)) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.ALREADY_QUEUED);
            }
            if (queued.stream().filter(row -> row.task.equals(task.id)).count() >= 8) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.TOO_MANY_ROWS);
            }
            long rows = queued.stream()
                    .filter(row -> row.task.job().equals(task.id.job()))
                    .count();
            if (level >= 11 && rows >= 200_000) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.TOO_MANY_ROWS);
            }
            if (queued.stream().filter(row -> row.slot == slot).count() >= 10_000) {
                return ItemResult.refused(ItemKind.CLAIM, Reason.QUEUE_FULL);
            }
            queued.add(new Queued(task.id, jobOf(task).generation, slot, machine.registered, origin, claim));
            return ItemResult.accepted(ItemKind.CLAIM, OptionalInt.of(slot));
        }

        /** Victims on a machine without an agent have ended by the time the claim is placed. */
        private boolean asManyAsMayRun(Job job, int group, int slot, List<Task> victims) {
            int max = job.header.groups().get(group).runningMax();
            boolean atOnce = machines.get(slot).agent == null;
            long running = onMachines.stream()
                    .filter(task -> task.id.job().version() == job.id && task.id.group() == group)
                    .filter(task -> !atOnce || !victims.contains(task))
                    .count();
            return max > 0 && running >= max;
        }

        /** The free amount; in a set dimension, the free members among those it asks for. */
        private long could(int slot, Amounts shape, int dimension) {
            if (!dimensions.isSet(dimension)) {
                return Math.max(0, free(slot, dimension));
            }
            SortedSet<Integer> gets = members(choose(shape, List.of(), slot), dimension);
            gets.retainAll(open(slot, dimension));
            return gets.size();
        }

        /** The first dimension that lacks, or -1. If {@code ifOthersHeldNothing}, others' holds count as free. */
        private int lacks(
                int slot, Machine machine, Job job, Amounts asked, List<Task> victims, boolean ifOthersHeldNothing) {
            for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                int at = dimension;
                long offered = free(slot, dimension)
                        + got(slot, job.id, transaction, true).at(dimension)
                        + victims.stream()
                                .mapToLong(victim -> victim.held().at(at))
                                .sum();
                long others = ifOthersHeldNothing
                        ? got(slot, job.id, transaction, false).at(dimension)
                        : 0;
                boolean shrinking = machine.wanted.at(dimension) < capacity(slot, dimension);
                if (dimensions.isSet(dimension)) {
                    if (lacksMembers(slot, dimension, job, asked, victims, ifOthersHeldNothing)) {
                        return dimension;
                    }
                    continue;
                }
                if (asked.at(dimension) > 0 && (shrinking || asked.at(dimension) > offered + others)) {
                    return dimension;
                }
            }
            return -1;
        }

        private boolean lacksMembers(
                int slot, int dimension, Job job, Amounts asked, List<Task> victims, boolean ifOthersHeldNothing) {
            Machine machine = machines.get(slot);
            SortedSet<Integer> offers = open(slot, dimension);
            offers.addAll(members(got(slot, job.id, transaction, true), dimension));
            victims.forEach(victim -> offers.addAll(members(victim.held(), dimension)));
            if (ifOthersHeldNothing) {
                offers.addAll(members(got(slot, job.id, transaction, false), dimension));
            }
            boolean shrinking = !members(machine.wanted, dimension).containsAll(heldMembers(slot, dimension));
            boolean lacks = asked.at(dimension) > offers.size() || !offers.containsAll(members(asked, dimension));
            return asked.at(dimension) > 0 && (shrinking || lacks);
        }

        /** A newer hold for another job counts as a conflict too. */
        private @Nullable Origin winnerWithHolds(Machine machine, int slot, Job job, int dimension) {
            Origin winner = winner(machine);
            for (Hold hold : holds) {
                boolean seen =
                        transaction.seesOwn() && origin.session() != 0 && hold.origin.session() == origin.session();
                boolean later = hold.got.at(dimension) > 0
                        && hold.origin.version() > (winner == null ? basis : winner.version());
                winner =
                        hold.slot == slot && !isFor(hold, job.id, transaction) && !seen && later ? hold.origin : winner;
            }
            return winner;
        }

        private @Nullable ItemResult overQuota(Job job, int slot, Amounts asked, List<Task> victims) {
            boolean atOnce = machines.get(slot).agent == null;
            for (String pool : ancestors(job.header.pool())) {
                for (int dimension = 0; dimension < dimensions.size(); dimension++) {
                    long limit = limitsOfPools.getOrDefault(pool, Limits.NONE).at(dimension);
                    long fromHold = common(asked, got(slot, job.id, transaction, true), dimension);
                    long need = asked.at(dimension) - fromHold;
                    long returned = fromJobsHolds(job, slot, asked).at(dimension);
                    for (Task victim : victims) {
                        long holds = victim.held().at(dimension);
                        long takes = dimensions.isSet(dimension)
                                ? common(asked, victim.held(), dimension)
                                : Math.min(holds, need);
                        long gives = atOnce ? holds : takes;
                        need -= takes;
                        returned += Labels.isPoolWithin(jobOf(victim).header.pool(), pool) ? gives : 0;
                    }
                    if (asked.at(dimension) == 0 || limit == Limits.UNLIMITED) {
                        continue;
                    }
                    long use = use(pool, dimension);
                    if (use - returned + asked.at(dimension) > limit) {
                        return refusalOver(
                                ItemKind.CLAIM, winner(pool), dimension, asked.at(dimension), Math.max(0, limit - use));
                    }
                }
            }
            return null;
        }

        /** Adds up the amounts from the job's own holds. An offer counts in no pool. */
        private Amounts fromJobsHolds(Job job, int slot, Amounts asked) {
            Amounts need = asked;
            Amounts from = Amounts.NONE;
            for (Hold hold : holds) {
                if (hold.slot == slot && isFor(hold, job.id, transaction)) {
                    Amounts used = hold.got.min(need);
                    need = need.minus(used);
                    from = hold.session == 0 ? from.plus(used) : from;
                }
            }
            return from;
        }

        private long common(Amounts some, Amounts others, int dimension) {
            if (!dimensions.isSet(dimension)) {
                return Math.min(some.at(dimension), others.at(dimension));
            }
            SortedSet<Integer> both = members(some, dimension);
            both.retainAll(members(others, dimension));
            return both.size();
        }

        private static ItemResult refusalOver(
                ItemKind kind, @Nullable Origin winner, int dimension, long asked, long free) {
            return new ItemResult(
                    kind,
                    false,
                    winner != null,
                    OptionalInt.empty(),
                    Optional.of(Reason.QUOTA),
                    OptionalInt.of(dimension),
                    asked,
                    free,
                    OptionalInt.empty(),
                    Optional.ofNullable(winner));
        }

        private @Nullable Origin winner(String pool) {
            Origin last = null;
            for (Map.Entry<Origin, String> claim : claimsInPools) {
                last = Labels.isPoolWithin(claim.getValue(), pool) ? claim.getKey() : last;
            }
            boolean seen = last != null
                    && transaction.seesOwn()
                    && origin.session() != 0
                    && last.session() == origin.session();
            return last == null || last.version() <= basis || seen ? null : last;
        }

        private boolean isAnother(Machine machine) {
            long meant = transaction.machinesAsOf().number();
            return meant != 0 && machine.registered > meant;
        }

        private boolean isChanged(Machine machine) {
            return transaction.conflictRule() == ConflictRule.MACHINE
                    && (machine.registered > basis || lastOther(machine) > basis);
        }

        /** The last claim that counts: not its own, and not its session's if the transaction sees those. */
        private long lastOther(Machine machine) {
            long last = 0;
            for (Origin claim : machine.claims) {
                boolean own = claim.version() == version
                        || (transaction.seesOwn() && origin.session() != 0 && claim.session() == origin.session());
                last = own ? last : Math.max(last, claim.version());
            }
            return last;
        }

        private @Nullable Origin winner(Machine machine) {
            if (lastOther(machine) <= basis) {
                return null;
            }
            Origin last = null;
            for (Origin claim : machine.claims) {
                last = claim.version() == version ? last : claim;
            }
            return last;
        }

        private List<Task> victims(int claim, int slot) {
            List<Task> victims = new ArrayList<>();
            for (Eviction eviction : transaction.evictions()) {
                Task victim = find(eviction.task());
                if (eviction.forClaim().equals(OptionalInt.of(claim))
                        && refuse(eviction) == null
                        && victim != null
                        && victim.machine == slot
                        && !victims.contains(victim)) {
                    victims.add(victim);
                }
            }
            return victims;
        }

        private void place(int claim, Task task, int slot, Amounts asked, List<Task> victims) {
            Amounts need = useHolds(jobOf(task), slot, asked);
            for (Task victim : victims) {
                markEviction(claim, victim, slot);
                Amounts handed = victim.held().min(need);
                victim.state = TaskState.STOPPING;
                victim.reason = TaskReason.PREEMPTED;
                victim.yieldsTo = task.id;
                victim.handedOver = victim.handedOver.plus(handed);
                need = need.minus(handed);
            }
            become(task, claim, slot, asked);
            machines.get(slot).claims.add(origin);
            claimsHere.add(Map.entry(origin, jobOf(task).header.pool()));
            if (machines.get(slot).agent == null) {
                victims.forEach(victim -> end(victim, TaskState.PREEMPTED, TaskReason.PREEMPTED));
            }
            makeRoom(task, slot);
        }

        private void become(Task task, int claim, int slot, Amounts asked) {
            task.attempt = task.everPlaced ? task.attempt : jobOf(task).attemptsBefore + 1;
            task.everPlaced = true;
            task.state = TaskState.PLACED;
            task.reason = TaskReason.NONE;
            task.machine = slot;
            task.shape = asked;
            task.generation = jobOf(task).generation;
            task.origin = origin;
            task.ordinal = claim;
            onMachines.add(task);
        }

        private Amounts useHolds(Job job, int slot, Amounts asked) {
            Amounts need = asked;
            for (Hold hold : holds) {
                if (hold.slot == slot && isFor(hold, job.id, transaction)) {
                    Amounts used = hold.got.min(need);
                    hold.got = hold.got.minus(used);
                    hold.wanted = stillWanted(hold, need);
                    need = need.minus(used);
                }
            }
            holds.removeIf(hold -> hold.wanted.isNone());
            return need;
        }

        /** Less what the claim needs, but in a set dimension never fewer than the hold has or names. */
        private Amounts stillWanted(Hold hold, Amounts need) {
            long[] values = new long[dimensions.size()];
            Members named = Members.NONE;
            for (int dimension = 0; dimension < values.length; dimension++) {
                values[dimension] = Math.max(0, hold.wanted.at(dimension) - need.at(dimension));
                if (dimensions.isSet(dimension)) {
                    SortedSet<Integer> names = members(hold.wanted, dimension);
                    names.removeAll(members(need, dimension));
                    named = named.with(dimension, set(names));
                    names.addAll(members(hold.got, dimension));
                    values[dimension] = Math.max(values[dimension], names.size());
                }
            }
            return Amounts.of(values).naming(named);
        }

        private void markEviction(int claim, Task victim, int slot) {
            for (int place = 0; place < transaction.evictions().size(); place++) {
                Eviction eviction = transaction.evictions().get(place);
                int at = transaction.claims() + place;
                if (results[at] == null
                        && eviction.forClaim().equals(OptionalInt.of(claim))
                        && eviction.task().equals(victim.id)
                        && eviction.attempt() == victim.attempt) {
                    results[at] = ItemResult.accepted(ItemKind.EVICTION, OptionalInt.of(slot));
                    return;
                }
            }
        }

        private @Nullable Origin placedAfterBasis(Task task) {
            return task.origin != null && task.origin.version() > basis && task.origin.version() != version
                    ? task.origin
                    : null;
        }

        // ---- all or nothing

        private void fell() {
            int felling = felling(results.length);
            int accepted = 0;
            for (int claim = 0; claim < transaction.claims(); claim++) {
                accepted += isAccepted(claim) ? 1 : 0;
            }
            boolean all = transaction.atomicity() == Atomicity.ALL_OR_NOTHING && felling >= 0;
            if (!all && accepted >= transaction.minClaims()) {
                return;
            }
            isFelled = true;
            int by = all ? felling : felling(transaction.claims());
            for (int place = 0; place < results.length; place++) {
                if (isAccepted(place)) {
                    results[place] =
                            aborted(Objects.requireNonNull(results[place]).kind(), by);
                }
            }
        }

        private int felling(int before) {
            for (int place = 0; place < before; place++) {
                if (!isAccepted(place) && !isUnneeded(place)) {
                    return place;
                }
            }
            return -1;
        }

        private boolean isUnneeded(int place) {
            int eviction = place - transaction.claims();
            if (eviction < 0 || eviction >= transaction.evictions().size()) {
                return false;
            }
            OptionalInt claim = transaction.evictions().get(eviction).forClaim();
            return claim.isPresent() && isAccepted(claim.getAsInt());
        }

        Verdict verdict(List<ItemResult> decided) {
            if (!decided.isEmpty() && decided.stream().noneMatch(ItemResult::accepted)) {
                return Verdict.REJECTED;
            }
            return felling(results.length) < 0 ? Verdict.COMMITTED : Verdict.PARTIAL;
        }

        private static ItemResult refusal(ItemKind kind, Reason reason, @Nullable Origin winner) {
            return new ItemResult(
                    kind,
                    false,
                    winner != null,
                    OptionalInt.empty(),
                    Optional.of(reason),
                    OptionalInt.empty(),
                    0,
                    0,
                    OptionalInt.empty(),
                    Optional.ofNullable(winner));
        }

        private static ItemResult aborted(ItemKind kind, int felledBy) {
            return new ItemResult(
                    kind,
                    false,
                    false,
                    OptionalInt.empty(),
                    Optional.of(Reason.ABORTED),
                    OptionalInt.empty(),
                    0,
                    0,
                    OptionalInt.of(felledBy),
                    Optional.empty());
        }
    }

    // ---- everything, for comparison

    /** A row of values for each thing in the cell. */
    public List<List<Object>> rows() {
        List<List<Object>> rows = new ArrayList<>();
        for (int slot = 0; slot < machines.size(); slot++) {
            if (machines.get(slot).exists()) {
                rows.add(machineRow(slot));
            }
        }
        for (Job job : jobs.values()) {
            long progress = job.progress.digest();
            rows.add(List.of(
                    "job",
                    job.id,
                    state(job),
                    job.generation,
                    job.updatedVersion,
                    job.header,
                    progress,
                    job.stopGrace,
                    askedRow(job)));
        }
        for (Job job : jobs.values()) {
            inOrder(job.tasks.values()).forEach(task -> rows.add(taskRow(task)));
        }
        rows.add(List.of("sessions", List.copyOf(sessions.keySet())));
        participations.forEach((id, offers) -> rows.add(List.of(
                "offers", id, offers, suppressed.contains(id), refusedMachines.getOrDefault(id, new TreeMap<>()))));
        rows.add(List.of("tokens", List.copyOf(tokens.values())));
        rows.add(List.of("horizon", horizon));
        return rows;
    }

    private static List<Object> askedRow(Job job) {
        List<Object> row = new ArrayList<>();
        for (int group = 0; group < job.header.groups().size(); group++) {
            Asked asked = job.asked.get(group);
            row.add(asked == null ? 0L : asked.version());
            row.add(asked == null ? job.header.groups().get(group).count() : asked.count());
        }
        return row;
    }

    private List<Object> machineRow(int slot) {
        Machine machine = machines.get(slot);
        List<Object> row = new ArrayList<>(List.of("machine", slot, machine.name, machine.registered));
        row.add(machine.draining);
        row.add(Optional.ofNullable(machine.drain));
        row.add(machine.down);
        row.add(on(slot).size());
        for (int dimension = 0; dimension < dimensions.size(); dimension++) {
            row.add(capacity(slot, dimension));
            row.add(free(slot, dimension));
            if (dimensions.isSet(dimension)) {
                SortedSet<Integer> all = members(machine.wanted, dimension);
                all.addAll(heldMembers(slot, dimension));
                row.add(set(all));
            }
        }
        row.add(
                machine.claims.isEmpty()
                        ? machine.registered
                        : machine.claims.get(machine.claims.size() - 1).version());
        for (Hold hold : holds) {
            if (hold.slot == slot) {
                row.add(List.of("hold", hold.job + hold.session, hold.got, hold.wanted));
            }
        }
        queued.stream()
                .filter(waits -> waits.slot == slot)
                .sorted(Comparator.<Queued>comparingLong(waits -> waits.origin.version())
                        .thenComparingInt(Queued::ordinal))
                .forEach(waits -> row.add(List.of("queued", waits.task, waits.origin.version())));
        return row;
    }

    private List<Object> taskRow(Task task) {
        List<TaskId> waitsFor = new ArrayList<>();
        if (task.state == TaskState.PLACED) {
            on(task.machine).stream()
                    .filter(victim -> task.id.equals(victim.yieldsTo))
                    .forEach(victim -> waitsFor.add(victim.id));
        }
        boolean surplus = task.state == TaskState.PENDING && isSurplus(task);
        return List.of(
                "task",
                task.id,
                shown(task),
                surplus ? TaskReason.UPDATED : task.reason,
                task.attempt,
                task.failures,
                task.machine,
                waitsFor,
                task.state.isOnMachine() ? task.shape : Amounts.NONE,
                task.state.isOnMachine() && task.spare);
    }

    private JobState state(Job job) {
        if (job.endedAs != null) {
            return job.endedAs;
        }
        List<Task> all = members(job);
        boolean onMachines = isOnMachines(job);
        if (job.stopped) {
            JobState stopped = job.failedTooOften ? JobState.FAILED : JobState.STOPPED;
            return onMachines ? JobState.STOPPING : stopped;
        }
        boolean finished = all.stream().anyMatch(task -> task.state == TaskState.FINISHED);
        if (isEnded(job)) {
            List<Task> own = all.stream()
                    .filter(task -> !isCopy(job, task) && task.reason != TaskReason.COPY)
                    .toList();
            if (own.stream().anyMatch(task -> task.state == TaskState.FAILED)) {
                return JobState.FAILED;
            }
            return own.stream().anyMatch(task -> task.state == TaskState.KILLED) ? JobState.STOPPED : JobState.FINISHED;
        }
        return onMachines || finished ? JobState.RUNNING : JobState.PENDING;
    }
}
