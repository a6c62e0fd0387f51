package dev.cella.state.conflicts;

import dev.cella.state.conflicts.DecidedTransaction.RefusedItem;
import dev.cella.state.history.Sample;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Counts lost claims by scheduler over windows of time and in total by session, and keeps each of them in the ledger.
 *
 * <h2>Behind the apply, but complete in every answer</h2>
 *
 * <p>The changes of an entry contain the results of its transactions, so each replica gets all of this from the log. Counting
 * while applying would slow down the one thread that all callers wait for. So the apply thread hands over the bytes that it
 * makes for the feed anyway. The replica's timer, or the first question, reads them a moment later. So every answer covers
 * everything that was applied before the question.
 *
 * <h2>Bounds and losses</h2>
 *
 * <p>The log keeps half an hour of counts. It keeps all lost claims up to a bound of bytes (about a million claims), and
 * bounded numbers of attempts of jobs and of totals of sessions and schedulers. Each replica keeps all this in memory. After a
 * restart, and after a checkpoint from another replica, it begins with the log after the checkpoint.
 *
 * <p>Any thread may use it, but not while reading the cell, because it reads the cell itself. Guarded by its own monitor.
 */
public final class ConflictLog {
    public static final Duration WINDOW_MAX = Tallies.KEPT;

    /** The length of the stretches in which counts of transactions are kept. */
    public static final Duration STRETCH = Tallies.STRETCH;

    /** The name under which all schedulers beyond the limit are counted. */
    public static final String OTHERS = "(others)";

    private static final int JOBS_MAX = 2_000;
    private static final int ATTEMPTS_MAX = 8;
    private static final int SESSIONS_MAX = 2_000;
    private static final int SCHEDULERS_MAX = 200;
    private static final int UNREAD_BYTES_MAX = 8 << 20;

    /** Reads the cell. */
    public interface Cell {
        <T> T read(Function<? super CellView, ? extends T> question);
    }

    /** The changes of an entry, and how many claims were aborted in each of its transactions. */
    private static final class Unread {
        final byte[] changes;
        final Map<Long, Integer> abortedByVersion;

        Unread(byte[] changes, Map<Long, Integer> abortedByVersion) {
            this.changes = changes;
            this.abortedByVersion = abortedByVersion;
        }
    }

    private final Cell cell;
    private final Queue<Unread> unread = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unreadBytes = new AtomicInteger();

    private final Tallies tallies = new Tallies();
    private final Ledger ledger;
    private final DecisionLog decisions;
    private final Map<Long, Deque<Attempt>> attemptsByJob = new Newest<>(JOBS_MAX);
    private final Map<Long, Totals> totalsBySession = new Newest<>(SESSIONS_MAX);
    private final Map<String, Totals> totalsByScheduler = new Newest<>(SCHEDULERS_MAX);

    /**
     * An empty log.
     *
     * @param bytesMax the bound of the bytes of lost claims; other decided transactions may take a quarter of it
     */
    public ConflictLog(Cell cell, long bytesMax) {
        this.cell = cell;
        this.ledger = new Ledger(bytesMax);
        this.decisions = new DecisionLog(bytesMax / 4);
    }

    /**
     * Called by the apply thread after each entry. It counts only if nobody has counted for long, as during a replay.
     */
    public void entryApplied(byte[] changes, List<CommandResult> results) {
        unread.add(new Unread(changes, abortedByVersion(results)));
        if (unreadBytes.addAndGet(changes.length) > UNREAD_BYTES_MAX) {
            catchUp();
        }
    }

    private static Map<Long, Integer> abortedByVersion(List<CommandResult> results) {
        Map<Long, Integer> aborted = Map.of();
        for (CommandResult result : results) {
            if (result instanceof CommandResult.Decided decided
                    && decided.outcome().verdict() == Verdict.REJECTED) {
                aborted = aborted.isEmpty() ? new HashMap<>() : aborted;
                aborted.put(decided.version().number(), aborted(decided.outcome()));
            }
        }
        return aborted;
    }

    private static int aborted(Outcome outcome) {
        return (int) outcome.results().stream()
                .filter(result -> result.reason().equals(Optional.of(Reason.ABORTED)))
                .count();
    }

    /**
     * Called by the apply thread when the cell has become another replica's, at that time. The transactions in between are not
     * known, so the rows and counts of the earlier ones are dropped. The totals stay.
     */
    public synchronized void checkpointArrived(long wallMillis) {
        for (Unread next = unread.poll(); next != null; next = unread.poll()) {
            unreadBytes.addAndGet(-next.changes.length);
        }
        tallies.clear();
        ledger.beginAt(wallMillis);
        decisions.clear();
        attemptsByJob.clear();
    }

    /** Returns whether {@link #catchUp} would do anything. It does not wait. */
    public boolean isBehind() {
        return !unread.isEmpty();
    }

    /** Counts everything applied since the last call. */
    public synchronized void catchUp() {
        for (Unread next = unread.poll(); next != null; next = unread.poll()) {
            unreadBytes.addAndGet(-next.changes.length);
            for (DecidedTransaction transaction : DecidedTransactions.in(next.changes)) {
                if (transaction.isAttempt()) {
                    int aborted = next.abortedByVersion.getOrDefault(
                            transaction.origin().version(), 0);
                    count(transaction, aborted);
                }
            }
        }
    }

    private void count(DecidedTransaction transaction, int aborted) {
        String scheduler = transaction.origin().scheduler();
        Totals totals = transaction.totals();
        SchedulerTally tally = tallies.of(scheduler, transaction.origin().version(), transaction.atMillis());
        decisions.add(transaction);
        tally.decided(totals, transaction.stalenessVersions());
        totalsByScheduler.merge(scheduler, totals, Totals::plus);
        if (transaction.origin().session() != 0) {
            totalsBySession.merge(transaction.origin().session(), totals, Totals::plus);
        }
        transaction.attempts(aborted).forEach(this::keepAttempt);
        if (!transaction.refusedItems().isEmpty()) {
            cell.<List<LostClaim>>read(view -> lostClaims(transaction, tally, view))
                    .forEach(ledger::add);
        }
    }

    private void keepAttempt(long job, Attempt attempt) {
        Deque<Attempt> attempts = attemptsByJob.computeIfAbsent(job, first -> new ArrayDeque<>());
        attempts.addFirst(attempt);
        if (attempts.size() > ATTEMPTS_MAX) {
            attempts.removeLast();
        }
    }

    /** Its refused items that are conflicts, by name. The other refused items are only counted. */
    private static List<LostClaim> lostClaims(DecidedTransaction transaction, SchedulerTally tally, CellView view) {
        List<LostClaim> lost = new ArrayList<>();
        for (RefusedItem item : transaction.refusedItems()) {
            ItemResult result = item.result();
            Optional<String> dimension = name(result.dimension(), view);
            Reason reason = result.reason().orElseThrow();
            if (result.conflict()) {
                lost.add(new LostClaim(
                        transaction.atMillis(),
                        item.task(),
                        taskName(item.task(), view),
                        machineName(item.machine(), view),
                        reason,
                        dimension,
                        result.asked(),
                        result.free(),
                        transaction.basis(),
                        transaction.origin(),
                        result.winner()));
            } else {
                tally.refusals.add(new Cause(reason, dimension), 1);
            }
        }
        return lost;
    }

    private static Optional<String> name(OptionalInt dimension, CellView view) {
        return dimension.isPresent() ? Optional.of(view.dimensions().nameAt(dimension.getAsInt())) : Optional.empty();
    }

    private static String machineName(int slot, CellView view) {
        return slot >= 0 && slot < view.machineSlots() && view.machineExists(slot) ? view.machineName(slot) : "";
    }

    private static String taskName(TaskId task, CellView view) {
        Optional<JobRow> job = view.job(task.job());
        Optional<GroupRow> group =
                job.filter(row -> task.group() < row.groups().size()).map(row -> row.group(task.group()));
        return job.map(JobRow::name).orElse(task.job().toString()) + "/"
                + group.map(row -> row.header().name()).orElse(Integer.toString(task.group())) + "/" + task.index();
    }

    // ---- questions

    /** The counts in the filter's window, for the scheduler that the filter names as the loser. */
    public synchronized ConflictSummary summary(LedgerFilter filter, Optional<GroupBy> groupBy) {
        catchUp();
        LedgerCounts counts = new LedgerCounts(groupBy);
        ledger.count(filter, counts);
        List<ConflictSummary.SchedulerRow> schedulers = new ArrayList<>();
        Counts<Cause> refusals = new Counts<>(Integer.MAX_VALUE);
        tallies.in(filter.span(), name -> filter.loser().map(name::equals).orElse(true))
                .forEach((name, tally) -> {
                    refusals.addAll(tally.refusals);
                    schedulers.add(new ConflictSummary.SchedulerRow(
                            name, tally.totals, Sample.median(tally.staleness), counts.lostBy(name)));
                });
        LedgerCounts.Tally all = counts.all();
        return new ConflictSummary(
                schedulers,
                counts.causes(),
                refusals.mostFirst().stream()
                        .map(each -> new ConflictSummary.CauseRow(each.getKey(), each.getValue()))
                        .toList(),
                counts.machines(),
                counts.matrix(),
                counts.groups(),
                all.count,
                all.lost(),
                tallies.countedFromMillis(filter.span().fromMillis()),
                ledger.keptFromMillis());
    }

    /** A page of the ledger, newest first; {@code next} asks for the page after it. */
    public record LedgerPage(List<LostClaim> claims, OptionalLong next) {
        public LedgerPage {
            claims = List.copyOf(claims);
        }
    }

    /** The newest matching lost claims before that place, newest first. */
    public synchronized LedgerPage ledger(LedgerFilter filter, long before, int limit) {
        catchUp();
        List<Ledger.Numbered> found = ledger.newest(filter, before, limit);
        return new LedgerPage(
                found.stream().map(Ledger.Numbered::lost).toList(),
                found.size() < limit
                        ? OptionalLong.empty()
                        : OptionalLong.of(found.get(limit - 1).row()));
    }

    /** The decision about the transaction at that version, while it is kept. */
    public synchronized Optional<LoggedDecision> decision(long version) {
        catchUp();
        return decisions.at(version);
    }

    /**
     * The time at which that version was the newest: when the last transaction up to it was decided, while that is kept.
     */
    public synchronized OptionalLong atMillis(long version) {
        catchUp();
        return decisions.millisUpTo(version);
    }

    /** The newest attempts to place tasks of the job, newest first. */
    public synchronized List<Attempt> attempts(JobId job) {
        catchUp();
        return List.copyOf(attemptsByJob.getOrDefault(job.version(), new ArrayDeque<>()));
    }

    /** The totals of the session's transactions that this replica has counted. */
    public synchronized Totals totals(SessionId session) {
        catchUp();
        return totalsBySession.getOrDefault(session.version(), Totals.NONE);
    }

    /** The totals of the scheduler's transactions that this replica has counted. */
    public synchronized Totals totals(String scheduler) {
        catchUp();
        return totalsByScheduler.getOrDefault(scheduler, Totals.NONE);
    }

    /** The number of lost claims in the ledger. */
    public synchronized long ledgerLength() {
        catchUp();
        return ledger.kept();
    }

    /** The totals of each scheduler that this replica has counted. */
    public synchronized Map<String, Totals> totalsByScheduler() {
        catchUp();
        return Map.copyOf(totalsByScheduler);
    }
}
