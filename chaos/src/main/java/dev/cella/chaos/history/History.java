package dev.cella.chaos.history;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All observations of one run, in order. Times are nanoseconds since the run began. Owned by the thread that runs the world;
 * checkers read the lists after the run.
 */
public final class History {
    /** A client sent a command. A repetition after a lost answer has another number. */
    public record Asked(long number, String client, long atNanos, Command command) {}

    /** A client got the answer to its command. */
    public record Answered(long number, long atNanos, CommandResult result) {}

    /** A linearizable read: the version that it showed. */
    public record Read(String client, long askedAtNanos, long answeredAtNanos, long version) {}

    /** One entry of the committed log. */
    public static final class LogEntry {
        private final long atNanos;
        private final byte[] bytes;

        public LogEntry(long atNanos, byte[] bytes) {
            this.atNanos = atNanos;
            this.bytes = bytes;
        }

        public long atNanos() {
            return atNanos;
        }

        /** Shared: not to be written to. */
        public byte[] bytes() {
            return bytes;
        }
    }

    /** A replica's digest of the cell when it had applied the log up to that version. */
    public record ReplicaState(String replica, long atNanos, long version, long digest) {}

    /**
     * A reader of the feed moved from one version to another.
     *
     * @param replaced whether a snapshot replaced its copy
     */
    public record FeedStep(
            String reader, long atNanos, long fromVersion, long toVersion, long digest, boolean replaced) {}

    /** An agent's journal: a process of that placement began on the machine. */
    public record ProcessStarted(
            String machine, long atNanos, PlacementId placement, TaskId task, int attempt, Amounts resources) {}

    /** An agent's journal: the last process of that placement is gone. */
    public record ProcessEnded(String machine, long atNanos, PlacementId placement) {}

    /** The counts of a scheduler's loop when it ended, and why its last plan failed that did. */
    public record SchedulerFigures(
            String scheduler,
            String instance,
            long plans,
            long failedPlans,
            long repeatedPlans,
            long transactions,
            Optional<String> lastFailure) {}

    /** How often and how the cell refused commands because of overload. */
    public record Overload(
            String client, long atNanos, boolean saidRetryAfter, long waitingBytes, long waitingBytesMax) {}

    /**
     * A replica took a command into a lane that is now more than half full.
     *
     * @param bytesBefore what waited in the lane before it
     */
    public record LaneFilled(String replica, String lane, long atNanos, long bytesBefore, long bytes, long bytesMax) {}

    /** A call that the cell did although the caller's credentials give no right to it. */
    public record Trespass(String client, long atNanos, String what) {}

    /** The beginning and the end of a time without a known leader that serves. */
    public record Leaderless(long fromNanos, long untilNanos) {}

    public final List<Asked> asked = new ArrayList<>();
    public final List<Answered> answered = new ArrayList<>();
    /** The calls of users who know names and not commands; {@link #asked} and {@link #answered} have none of them. */
    public final List<UserCall> userCalls = new ArrayList<>();

    public final List<Read> reads = new ArrayList<>();
    public final List<LogEntry> log = new ArrayList<>();
    public final List<String> logDivergences = new ArrayList<>();
    public final List<ReplicaState> replicaStates = new ArrayList<>();
    public final List<FeedStep> feedSteps = new ArrayList<>();
    public final List<ProcessStarted> started = new ArrayList<>();
    public final List<ProcessEnded> ended = new ArrayList<>();
    public final List<SchedulerFigures> schedulers = new ArrayList<>();
    public final List<Overload> overloads = new ArrayList<>();
    public final List<LaneFilled> lanesFilled = new ArrayList<>();
    public final List<Trespass> trespasses = new ArrayList<>();
    public final List<Leaderless> leaderless = new ArrayList<>();
    /** Schedulers, machines and jobs that a fault prevents from working until the end, so nobody may expect it. */
    public final List<String> broken = new ArrayList<>();

    /** Machines whose agents are gone from the healing of the core until the end, so the cell must have given them up. */
    public final List<String> gone = new ArrayList<>();

    /** Machines whose agents work until the end, so the cell must show them as ready. */
    public final List<String> tended = new ArrayList<>();

    /** Schedulers whose processes run until the end, so they must work, with or without a session. */
    public final List<String> alive = new ArrayList<>();

    /** The faults that were planned for the run. */
    public final List<String> faults = new ArrayList<>();

    /** Machines with lying agents, or with guards that miss their deadlines, and schedulers whose plans were spoiled. */
    public final List<String> untrusted = new ArrayList<>();

    /** What each machine has, by its name. */
    public final Map<String, Amounts> capacities = new TreeMap<>();

    /** The tasks that each machine's agent runs at the end, by the machine's name. */
    public final Map<String, List<PlacementId>> running = new TreeMap<>();

    /** The weights of the pools that are to contend for the cell; empty if pools have no weights. */
    public final Map<String, Integer> contendedWeights = new TreeMap<>();

    /** How long each scheduler takes to decide one job, by its name. */
    public final Map<String, Long> decisionMillis = new TreeMap<>();

    private final CellLimits limits;
    private Optional<Long> healedAtNanos = Optional.empty();
    private long endedAtNanos;

    public History(CellLimits limits) {
        this.limits = limits;
    }

    /** By which the cell decided. */
    public CellLimits limits() {
        return limits;
    }

    /** When the core was healed for good; empty if it never was. */
    public Optional<Long> healedAtNanos() {
        return healedAtNanos;
    }

    public void healed(long atNanos) {
        healedAtNanos = Optional.of(atNanos);
    }

    public long endedAtNanos() {
        return endedAtNanos;
    }

    public void ended(long atNanos) {
        endedAtNanos = atNanos;
    }
}
