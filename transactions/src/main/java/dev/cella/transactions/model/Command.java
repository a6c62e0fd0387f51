package dev.cella.transactions.model;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that can be asked of a cell. A command is written into the log with the principal who asked; its turn in the
 * log gives it one cell version, whatever becomes of it.
 */
public sealed interface Command {
    /** One method a command: who handles commands is told by the compiler which one was forgotten. */
    interface Visitor<R> {
        R visit(FoundCell command);

        R visit(RaiseFeatureLevel command);

        R visit(AddDimension command);

        R visit(PutMachine command);

        R visit(ChangeMachine command);

        R visit(LoseMachine command);

        R visit(ContinueLoss command);

        R visit(SubmitJob command);

        R visit(StopJob command);

        R visit(ContinueStop command);

        R visit(ReportTask command);

        R visit(OpenSession command);

        R visit(CloseSession command);

        R visit(EndOffer command);

        R visit(WantOffers command);

        R visit(CommitTransaction command);

        R visit(PutPool command);

        R visit(DefinePool command);

        R visit(RemovePool command);

        R visit(SetRights command);

        R visit(PauseScheduler command);

        R visit(ScaleGroup command);

        R visit(ForgetJob command);

        R visit(DrainMachine command);

        R visit(ContinueDrain command);

        R visit(PutToken command);

        R visit(RevokeToken command);
    }

    <R> R accept(Visitor<R> visitor);

    /** The very first command of a cell: gives it its name, its incarnation and its feature level. */
    record FoundCell(CellName name, Incarnation incarnation, int featureLevel) implements Command {
        public FoundCell {
            if (incarnation.number() == 0) {
                throw new IllegalArgumentException("a cell is founded with an incarnation");
            }
            if (featureLevel < 1) {
                throw new IllegalArgumentException("feature levels are counted from 1, not from " + featureLevel);
            }
        }

        /** A cell of level 1, as the first programs founded it. */
        public FoundCell(CellName name, Incarnation incarnation) {
            this(name, incarnation, 1);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Everything from now on may be encoded, and means, as of this level. */
    record RaiseFeatureLevel(int level) implements Command {
        public RaiseFeatureLevel {
            if (level < 1) {
                throw new IllegalArgumentException("feature levels are counted from 1, not from " + level);
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** One more dimension at the end of the registry; nothing is done if it is there already. */
    record AddDimension(Dimension dimension) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Registers, resizes or renews a machine by its name. An agent with another boot id than before makes it a new
     * incarnation, and everything on the old one is LOST. {@code force} lets an operator shrink it below what is held.
     */
    record PutMachine(
            String name,
            Amounts capacity,
            SortedMap<String, String> attributes,
            Optional<AgentIdentity> agent,
            boolean force)
            implements Command {
        public static final int ATTRIBUTES_MAX = 256;
        public static final int TEXT_MAX = 4096;

        public PutMachine {
            Labels.checkMachineName(name);
            attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
            if (attributes.size() > ATTRIBUTES_MAX) {
                throw new IllegalArgumentException("a machine has at most " + ATTRIBUTES_MAX + " attributes");
            }
            for (Map.Entry<String, String> attribute : attributes.entrySet()) {
                if (attribute.getKey().isEmpty()
                        || attribute.getKey().length() > TEXT_MAX
                        || attribute.getValue().length() > TEXT_MAX) {
                    throw new IllegalArgumentException("an attribute's name has 1 to " + TEXT_MAX
                            + " characters and its value at most " + TEXT_MAX);
                }
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** An operator's word about a machine. {@code force} lets a machine go with tasks on it, which are LOST. */
    record ChangeMachine(MachineId machine, MachineChange change, boolean force) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** What an operator can say about a machine. */
    enum MachineChange {
        /** No new task comes, those that are there stay; {@link DrainMachine} moves them. */
        DRAIN,
        READY,
        REMOVE
    }

    /** The agent's lease is over: every attempt on the machine ends as LOST. */
    record LoseMachine(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Goes on losing what did not fit into the command before. */
    record ContinueLoss(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * A job by its header and its opaque specification. With a version to check it is done only if the job of that name was
     * updated at that version last; 0 says that there is none.
     */
    record SubmitJob(JobHeader header, Specification specification, SubmitMode mode, OptionalLong checkVersion)
            implements Command {
        public SubmitJob {
            if (checkVersion.orElse(0) < 0) {
                throw new IllegalArgumentException("a version is not negative: " + checkVersion.getAsLong());
            }
        }

        public SubmitJob(JobHeader header, Specification specification, SubmitMode mode) {
            this(header, specification, mode, OptionalLong.empty());
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** What to do when a live job of that name is another one. */
    enum SubmitMode {
        CREATE,
        CREATE_OR_UPDATE
    }

    /** Ends a job: nothing of it is placed any more, what runs is told to stop. */
    record StopJob(JobId job) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Goes on stopping and dropping what did not fit into the command before: of a stopped job, or of a shrunk one. */
    record ContinueStop(JobId job) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * What the one who runs a task saw. {@code placement} may be left out by an executor that does not know it. Wall times
     * are for people.
     *
     * <p>Every task that ends is a report, so it is one flat object, with a number for what is not said: 0, and for an exit code
     * {@link #EXIT_CODE_NONE}. Who is not in a hurry says and reads it as values.
     */
    record ReportTask(
            long jobVersion,
            int group,
            int index,
            int attempt,
            long placementVersionOrZero,
            int placementOrdinal,
            TaskState state,
            int exitCodeOrNone,
            TaskReason reason,
            long startedAtMillisOrZero,
            long endedAtMillisOrZero)
            implements Command {
        /** Stands for an exit code that nobody reported. */
        public static final int EXIT_CODE_NONE = Integer.MIN_VALUE;

        public ReportTask {
            JobId.check(jobVersion);
            TaskId.check(group, index);
            if (placementVersionOrZero != 0) {
                PlacementId.check(placementVersionOrZero, placementOrdinal);
            }
            if (attempt < 1) {
                throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
            }
        }

        public ReportTask(
                TaskId task,
                int attempt,
                Optional<PlacementId> placement,
                TaskState state,
                OptionalInt exitCode,
                TaskReason reason,
                OptionalLong startedAtMillis,
                OptionalLong endedAtMillis) {
            this(
                    task.job().version(),
                    task.group(),
                    task.index(),
                    attempt,
                    placement.map(PlacementId::version).orElse(0L),
                    placement.map(PlacementId::ordinal).orElse(0),
                    state,
                    exitCode.orElse(EXIT_CODE_NONE),
                    reason,
                    startedAtMillis.orElse(0),
                    endedAtMillis.orElse(0));
        }

        public TaskId task() {
            return new TaskId(new JobId(jobVersion), group, index);
        }

        public Optional<PlacementId> placement() {
            return placementVersionOrZero == 0
                    ? Optional.empty()
                    : Optional.of(new PlacementId(placementVersionOrZero, placementOrdinal));
        }

        public OptionalInt exitCode() {
            return exitCodeOrNone == EXIT_CODE_NONE ? OptionalInt.empty() : OptionalInt.of(exitCodeOrNone);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Opens a session, or renews the one named. Opening fences the older session of the same scheduler and instance;
     * renewing one that was fenced is refused.
     */
    record OpenSession(
            String scheduler,
            String instance,
            String type,
            long leaseMillis,
            Optional<SessionId> renews,
            Optional<Participation> offers)
            implements Command {
        public OpenSession {
            Labels.checkName("scheduler", scheduler);
            Labels.checkName("instance", instance);
            Labels.checkName("scheduler type", type);
            if (leaseMillis <= 0) {
                throw new IllegalArgumentException("a session's lease is above 0 ms: " + leaseMillis);
            }
        }

        /** Opens or renews without a word about offers. */
        public OpenSession(
                String scheduler, String instance, String type, long leaseMillis, Optional<SessionId> renews) {
            this(scheduler, instance, type, leaseMillis, renews, Optional.empty());
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Closes a session: by its owner, or because its lease is over. */
    record CloseSession(SessionId session) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Gives an offer back. The allocator does not offer its machine to the session again for that number of milliseconds; it
     * reads so in the cell.
     */
    record EndOffer(OfferId offer, long refuseMillis) implements Command {
        public EndOffer {
            if (refuseMillis < 0 || refuseMillis > HoldRequest.EXPIRES_AFTER_MILLIS_MAX) {
                throw new IllegalArgumentException("an offer is refused for 0 ms to a week, not " + refuseMillis);
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** From now on a scheduler's sessions want no offers; or they want them again, of all machines. */
    record WantOffers(String scheduler, boolean wanted) implements Command {
        public WantOffers {
            Labels.checkName("scheduler", scheduler);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** A scheduling attempt's claims. */
    record CommitTransaction(Transaction transaction) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets the limits of a pool; without any it is a pool like those that nobody ever limited. */
    record PutPool(String path, Limits limits) implements Command {
        public PutPool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Says all that there is to say of a pool. */
    record DefinePool(String path, PoolPolicy policy) implements Command {
        public DefinePool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Forgets what was said of a pool that nobody uses. */
    record RemovePool(String path) implements Command {
        public RemovePool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets what a scheduler may do; {@link Rights#UNSET} takes it back. */
    record SetRights(String scheduler, Rights rights) implements Command {
        public SetRights {
            Labels.checkName("scheduler", scheduler);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * From now on a scheduler plans nothing, or plans again. Its transactions are not refused: those that are on their way
     * are decided like any other.
     */
    record PauseScheduler(String scheduler, boolean paused) implements Command {
        public PauseScheduler {
            Labels.checkName("scheduler", scheduler);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Makes a token, or changes the one of that name; its older secret is worth nothing any more. */
    record PutToken(Token token) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** The token of that name is refused from now on. */
    record RevokeToken(String name) implements Command {
        public RevokeToken {
            Labels.checkName("token", name);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Gives a group of a job, by its place, another number of tasks; the job stays of its generation. */
    record ScaleGroup(JobId job, int group, int count) implements Command {
        public ScaleGroup {
            if (group < 0 || count < 0 || count > JobHeader.TASKS_MAX) {
                throw new IllegalArgumentException("group " + group + " cannot have " + count + " tasks");
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Drops the rows of a job that has ended, a bounded number at a time; the leader proposes it until none is left. */
    record ForgetJob(JobId job) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Empties a machine, as {@link Drain} says; the deadline comes so many milliseconds of cell time after the command. */
    record DrainMachine(MachineId machine, long deadlineAfterMillis, Drain.BatchTasks batch) implements Command {
        public DrainMachine {
            if (deadlineAfterMillis < 0 || deadlineAfterMillis > Amounts.AMOUNT_MAX) {
                throw new IllegalArgumentException("a deadline comes after 0 ms or more, not " + deadlineAfterMillis);
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** The deadline of a drain is over: tells tasks on the machine to stop, a bounded number at a time. */
    record ContinueDrain(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }
}
