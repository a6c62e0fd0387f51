package dev.cella.transactions.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a client can ask of a cell. A command is written into the log with its principal. Its position in the log
 * gives it one cell version, whatever its result.
 */
public sealed interface Command {
    /** One method per command, so that the compiler reports a missing one. */
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

        R visit(ReportTasks command);

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

    /** The first command of a cell: gives it its name, its incarnation and its feature level. */
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

    /** From now on entries may use the encoding and the meaning of this level. */
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

    /** Adds a dimension at the end of the registry. If it exists already, nothing changes. */
    record AddDimension(Dimension dimension) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Registers, resizes or renews a machine by its name. An agent with another boot id makes it a new incarnation, and
     * everything on the old one is LOST. {@code force} lets an operator shrink it below what is held.
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

    /**
     * An operator's change of a machine. {@code force} removes a machine that has tasks on it, which are then LOST.
     */
    record ChangeMachine(MachineId machine, MachineChange change, boolean force) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** The changes that an operator can make to a machine. */
    enum MachineChange {
        /** No new tasks come, and the present ones stay; {@link DrainMachine} moves them. */
        DRAIN,
        READY,
        REMOVE
    }

    /** The agent's lease has expired: every attempt on the machine ends as LOST. */
    record LoseMachine(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Continues a loss that did not fit into one command. */
    record ContinueLoss(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Submits a job with its header and its opaque specification. With a version to check, the command is done only if the job
     * of that name was last updated at that version; 0 means that no such job exists.
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

    /** What to do when a live job of that name differs. */
    enum SubmitMode {
        CREATE,
        CREATE_OR_UPDATE
    }

    /**
     * Stops a job: nothing of it is placed from now on, and running tasks are told to stop.
     *
     * @param graceMillis how long its tasks have to end before they are killed; if empty, as long as the job says
     */
    record StopJob(JobId job, OptionalLong graceMillis) implements Command {
        public StopJob {
            if (graceMillis.orElse(0) < 0) {
                throw new IllegalArgumentException("a grace is not negative: " + graceMillis.getAsLong());
            }
        }

        public StopJob(JobId job) {
            this(job, OptionalLong.empty());
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Continues the stop of a job, or the sweep of a shrunk one, that did not fit into one command. */
    record ContinueStop(JobId job) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * An executor's report about a task. An executor that does not know the {@code placement} leaves it out. Wall times are
     * for people.
     *
     * <p>Every task that ends is reported, so this is one flat object. 0 means not stated; for exit codes {@link
     * #EXIT_CODE_NONE} does. Other code can use the constructors and accessors with values.
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
            if (reason.isOfCheck() && state != TaskState.RUNNING) {
                throw new IllegalArgumentException("a task that is " + state + " has no reason " + reason);
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

    /** Many reports, one after another, for one version; answered by {@link CommandResult.Reported}. */
    record ReportTasks(List<ReportTask> reports) implements Command {
        public static final int REPORTS_MAX = 10_000;

        public ReportTasks {
            reports = List.copyOf(reports);
            if (reports.isEmpty() || reports.size() > REPORTS_MAX) {
                throw new IllegalArgumentException(
                        "1 to " + REPORTS_MAX + " reports go together, not " + reports.size());
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Opens a session, or renews the one named. Opening fences the older session of the same scheduler and instance. Renewing
     * a fenced session is refused.
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

        /** Opens or renews a session without taking part in offers. */
        public OpenSession(
                String scheduler, String instance, String type, long leaseMillis, Optional<SessionId> renews) {
            this(scheduler, instance, type, leaseMillis, renews, Optional.empty());
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Closes a session, by its owner or because its lease has expired. */
    record CloseSession(SessionId session) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Gives an offer back. The allocator does not offer its machine to the session again for that number of milliseconds; it
     * reads this time from the cell.
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

    /** Tells the cell that a scheduler's sessions want no offers, or want offers of all machines again. */
    record WantOffers(String scheduler, boolean wanted) implements Command {
        public WantOffers {
            Labels.checkName("scheduler", scheduler);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Commits the claims of a scheduling attempt. */
    record CommitTransaction(Transaction transaction) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets the limits of a pool. A pool without limits is like one that was never limited. */
    record PutPool(String path, Limits limits) implements Command {
        public PutPool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets the whole policy of a pool. */
    record DefinePool(String path, PoolPolicy policy) implements Command {
        public DefinePool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Removes the policy of a pool that nobody uses. */
    record RemovePool(String path) implements Command {
        public RemovePool {
            Labels.checkPool(path);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets the rights of a scheduler; {@link Rights#UNSET} restores the default. */
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
     * Pauses a scheduler's planning, or resumes it. Its transactions are not refused: those that are on their way are decided
     * like any other.
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

    /** Makes a token, or changes the token of that name. Its older secret is then invalid. */
    record PutToken(Token token) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Revokes the token of that name. */
    record RevokeToken(String name) implements Command {
        public RevokeToken {
            Labels.checkName("token", name);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /** Sets the number of tasks in a group of a job. The job keeps its generation. */
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

    /** Drops the rows of an ended job, a bounded number at a time. The leader proposes it until none is left. */
    record ForgetJob(JobId job) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }

    /**
     * Empties a machine, as {@link Drain} says. The deadline is {@code deadlineAfterMillis} of cell time after the command.
     */
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

    /** The deadline of a drain has passed: tells tasks on the machine to stop, a bounded number at a time. */
    record ContinueDrain(MachineId machine) implements Command {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visit(this);
        }
    }
}
