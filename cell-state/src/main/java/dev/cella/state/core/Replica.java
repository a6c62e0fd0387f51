package dev.cella.state.core;

import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.core.StartTimes.Part;
import dev.cella.state.core.SubmitException.Why;
import dev.cella.state.history.AuditLog;
import dev.cella.state.history.CellHistory;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Transaction;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of a cell, as its doors see it: it takes commands and answers questions.
 *
 * <p>The way of a command: {@link #submit} -> {@link Batcher} -> {@link ReplicatedLog} -> {@link Applier} -> the answer, the
 * {@link Feed}, and behind it the {@link Persister}. Nothing changes the cell in another way. The replica's own changes
 * (founding the cell, expired leases, the rest of large changes) are commands too.
 *
 * <p>Any thread may call any method. Answering threads complete the futures.
 */
public final class Replica implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** The principal in the log for commands that came from no person and no scheduler. */
    private static final Principal SELF = new Principal("cell");

    private static final Duration TICK = Duration.ofMillis(250);

    /**
     * How long a replica that leaves waits until another one leads. Without an answer the others elect one by themselves. On a
     * busy machine a server needs more than a second to begin to lead for the first time. If the commands were refused before,
     * nobody could tell the clients who leads.
     */
    public static final Duration HAND_OVER_MAX = Duration.ofSeconds(2);

    /** How often it is looked whether a leader is known, after a transfer that failed. */
    private static final Duration LEADER_LOOK = Duration.ofMillis(20);

    /** How long to wait for a majority to confirm the leader. */
    private static final Duration CONFIRMED_MAX = Duration.ofSeconds(3);

    private static final long AUDIT_BYTES_MAX = 8 << 20;

    /** The bound of bytes for conflicts and steps: this many, or an eighth of the memory of a small server. */
    private static final long RECORD_BYTES_MAX = ReplicaLimits.withinHeap(96L << 20, 8);

    /**
     * With more entries to apply than this, which is some seconds of work in a busy cell, a replica is far behind.
     */
    private static final long ENTRIES_BEHIND_MAX = 500;

    private final Command.FoundCell founding;
    private final Membership configured;
    private final ReplicatedLog log;
    private final Time time;
    private final ReplicaStats stats = new ReplicaStats();
    private final StartTimes startTimes;
    private final CommonCell cell;
    private final Persister persister;
    private final Feed feed;
    private final ConflictLog conflicts;
    private final CellHistory history;
    private final AuditLog audit;
    private final Waiters waiters;
    private final Batcher batcher;
    private final Leases leases;
    private final FollowUpProposer followUps;
    private final Applier applier;
    private final Executor answers;
    private final Departure departure;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    /** Guarded by this. */
    private boolean leading;

    /** When the newest entry was applied here. */
    private volatile long appliedNanos;

    /** How many times this replica has become the leader. Guarded by this for writing. */
    private volatile long leadership;

    private volatile boolean serving;
    private volatile boolean closed;

    /**
     * Makes a replica. Nothing happens before {@link #start}.
     *
     * @param founding names the cell; submitted if the cell has to be founded
     * @param configured the replicas as configured, until the log says otherwise
     */
    public Replica(
            Command.FoundCell founding,
            Membership configured,
            ReplicatedLog log,
            CellStore store,
            ReplicaLimits limits,
            Time time,
            Threads threads,
            Departure departure) {
        this.founding = founding;
        this.configured = configured;
        this.log = log;
        this.time = time;
        this.startTimes = new StartTimes(time);
        this.departure = departure;
        this.cell = new CommonCell(limits.cell());
        this.persister =
                new Persister(store, cell, threads.persister(), limits.checkpointLogBytes(), departure, time, stats);
        this.feed = new Feed(limits.feedBytes(), cell::snapshot, threads.answers(), time, stats);
        this.conflicts = new ConflictLog(cell::read, RECORD_BYTES_MAX);
        this.history = new CellHistory(cell::read, RECORD_BYTES_MAX / 2);
        this.audit = new AuditLog(cell::read, SELF, AUDIT_BYTES_MAX);
        this.waiters = new Waiters(cell, threads.answers(), time);
        this.batcher = new Batcher(log, limits, threads, time, stats);
        Proposals proposals = new Proposals(this::propose);
        this.leases = new Leases(cell, time, limits.killTime(), proposals);
        this.followUps = new FollowUpProposer(cell, threads.answers(), proposals);
        this.applier = new Applier(cell, persister, feed, new Past(), departure, this::entryApplied, time, stats);
        this.answers = threads.answers();
        this.appliedNanos = time.monotonicNanos();
    }

    /**
     * Loads the newest checkpoint, then follows the log. {@link #ready} tells when the replica can be used. If this fails, the
     * replica is closed.
     */
    public void start() throws IOException, StartRefusedException {
        try {
            restoreOwn();
            log.start(new Follower());
            startTimes.ended(Part.LOG);
            tick();
        } catch (IOException | StartRefusedException | RuntimeException failure) {
            closeAfter(failure);
            throw failure;
        }
    }

    private void restoreOwn() throws IOException, StartRefusedException {
        try {
            restore();
        } catch (UnknownLevelException newer) {
            throw StartRefusedException.newer("the newest checkpoint", newer);
        }
    }

    private void restore() throws IOException {
        persister.restore();
        feed.begin(cell.incarnation(), cell.version());
        audit.begin(cell.version().number());
        startTimes.ended(Part.CHECKPOINT);
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (IOException | RuntimeException another) {
            failure.addSuppressed(another);
        }
    }

    /** Receives the log's callbacks. */
    private final class Follower implements LogListener {
        private boolean isFollowing;

        @Override
        public AppliedEntry committed(LogPosition position, byte[] entry) {
            if (!isFollowing) {
                isFollowing = true;
                startTimes.ended(Part.ELECTION);
            }
            return applier.committed(position, entry);
        }

        @Override
        public void passed(LogPosition position) {
            // Ratis' own entries change nothing and take no version.
        }

        @Override
        public void leading() {
            lead();
        }

        @Override
        public void following() {
            follow();
        }

        @Override
        public LogPosition newestCheckpoint() {
            return persister.newestCheckpoint();
        }

        @Override
        public List<Path> newestCheckpointFiles() {
            return persister.newestFiles();
        }

        @Override
        public void checkpointArriving() {
            persister.pause();
        }

        @Override
        public void checkpointArrived() throws IOException {
            restoreArrived();
            checkArrived();
            history.checkpointArrived(version().number());
            conflicts.checkpointArrived(time.wallMillis());
            LOG.info("cell={} version={} goes on from another replica's checkpoint", founding.name(), version());
            entryApplied();
        }

        private void restoreArrived() throws IOException {
            try {
                restore();
            } catch (UnknownLevelException newer) {
                departure.leave(
                        "the checkpoint that another replica sent was written by a newer program: "
                                + newer.getMessage(),
                        newer);
                throw newer;
            }
        }

        /** The log begins after the checkpoint now, and this replica's own ones are gone, so it has nowhere to go on from. */
        private void checkArrived() throws IOException {
            if (persister.newestCheckpoint().isAtStart()) {
                IOException damaged = new IOException("no whole checkpoint is left");
                departure.leave(
                        "the checkpoint that another replica sent is damaged: replace this one (cella cell replace %s) and start it on an empty directory"
                                .formatted(configured.self()),
                        damaged);
                throw damaged;
            }
        }

        @Override
        public LogPosition purgeableUpTo() {
            return persister.purgeableUpTo();
        }

        @Override
        public void failed(String what, Throwable cause) {
            if (!closed) {
                departure.leave(what, cause);
            }
        }
    }

    private synchronized void lead() {
        leading = true;
        leadership++;
        startTimes.ended(Part.ELECTION);
        startTimes.ended(Part.REPLAY);
        if (cell.isFounded()) {
            batcher.lead(clock(), cell::featureLevel, cell.incarnation());
            serve();
        } else {
            batcher.lead(clock(), founding::featureLevel, cell.incarnation());
            var unused = propose(founding).thenRun(this::founded);
        }
    }

    /** From now on entries belong to the new incarnation. */
    private synchronized void founded() {
        if (leading) {
            batcher.lead(clock(), cell::featureLevel, cell.incarnation());
            serve();
        }
    }

    private LeaderClock clock() {
        CellTime last = cell.cellTime();
        return new LeaderClock(last, appliedNanos, time);
    }

    private void serve() {
        leases.lead();
        followUps.lead(clock());
        serving = true;
        history.leads(log.leader().orElse(founding.name().text()), version().number(), time.wallMillis());
        LOG.info("cell={} incarnation={} version={} leads", founding.name(), incarnation(), version());
        ready.complete(null);
    }

    private synchronized void follow() {
        leading = false;
        serving = false;
        leases.follow();
        followUps.follow();
        batcher.follow();
    }

    private void tick() {
        if (closed) {
            return;
        }
        try {
            checkLog();
            leases.check();
            if (followUps.isLeading() || conflicts.isBehind() || history.isSampleDue(time.wallMillis())) {
                answers.execute(this::lookAtTheClock);
            }
        } finally {
            // The timer logs a failure. The next tick comes nevertheless.
            time.after(TICK, this::tick);
        }
    }

    /** In one task, because each wakes a thread. */
    private void lookAtTheClock() {
        followUps.lookAtTheClock();
        conflicts.catchUp();
        history.sample(time.wallMillis());
    }

    private void checkLog() {
        if (!log.isAlive() && !closed) {
            departure.leave("the log has stopped", new IllegalStateException("the log is not alive"));
        }
    }

    private void entryApplied() {
        appliedNanos = time.monotonicNanos();
        waiters.entryApplied();
        followUps.look();
    }

    /**
     * On the apply thread. A defect in what is kept for people costs them a part of it. It must not end the replicas, which all
     * apply the entry.
     */
    private final class Past implements Applier.PastKeeper {
        @Override
        public void entryComes(Entry entry) {
            keep(() -> audit.entryComes(entry));
        }

        @Override
        public void entryApplied(Entry entry, List<CommandResult> results, byte[] changes) {
            keep(() -> audit.entryApplied(entry, results));
            keep(() -> conflicts.entryApplied(changes, results));
            keep(() -> history.entryApplied(changes));
        }

        private void keep(Runnable part) {
            try {
                part.run();
            } catch (RuntimeException defect) {
                LOG.error(
                        "the past of the cell lacks a part, at version {}",
                        cell.version().number(),
                        defect);
            }
        }
    }

    private CompletableFuture<CommandResult> propose(Command command) {
        return batcher.submit(Lane.REPORTS, SELF, command);
    }

    /** Completes when this replica leads a founded cell and has applied the whole log. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    public boolean leads() {
        return serving;
    }

    /** The number of this replica's current or last leadership, for {@link #confirmLeads}. */
    public long leadership() {
        return leadership;
    }

    /**
     * Completes when a majority confirms that this replica still leads and has led without a break since that leadership. Then
     * everything it showed in between was complete. Fails with a {@link SubmitException} if no majority confirms it.
     */
    public CompletableFuture<Void> confirmLeads(long since) {
        return catchUp()
                .orTimeout(CONFIRMED_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .handle((caughtUp, failure) -> checkLeads(since, failure));
    }

    private @Nullable Void checkLeads(long since, @Nullable Throwable failure) {
        if (failure != null || !serving || leadership != since) {
            throw new SubmitException(
                    Why.NO_LEADER,
                    SubmitException.RETRY_NO_LEADER,
                    "no majority says that this replica leads the cell");
        }
        return null;
    }

    /** The name of the leader, as far as this replica knows. */
    public Optional<String> leader() {
        return log.leader();
    }

    /** Returns whether this replica leads, or can say which other one does. */
    public boolean knowsLeader() {
        return serving || otherLeader().isPresent();
    }

    /** The address of the leader, if it is known and is another replica. */
    public Optional<URI> otherLeader() {
        return serving
                ? Optional.empty()
                : leader().filter(name -> !name.equals(membership().self()))
                        .flatMap(name -> membership().find(name))
                        .map(Membership.Member::address);
    }

    /** The replicas of the cell as the log has them now, and which one this is. */
    public Membership membership() {
        List<Membership.Member> members =
                log.peers().stream().flatMap(peer -> peer.member().stream()).toList();
        boolean isMember = members.stream().anyMatch(member -> member.name().equals(configured.self()));
        return isMember ? new Membership(configured.self(), members) : configured;
    }

    /** The log of this replica, for changes of its members. */
    public ReplicatedLog log() {
        return log;
    }

    /**
     * Returns whether this replica is current or nearly so: there is a leader, and only a few entries are not applied here.
     */
    public boolean isCurrent() {
        return !closed && cell.isFounded() && log.leader().isPresent() && log.entriesBehind() <= ENTRIES_BEHIND_MAX;
    }

    /**
     * Submits a command to the cell. The future holds its result, also a refusal. Without an answer the future fails with a
     * {@link SubmitException}.
     */
    public CompletableFuture<CommandResult> submit(Lane lane, Principal principal, Command command) {
        if (!serving && !closed && !batcher.isHeld()) {
            return CompletableFuture.failedFuture(new SubmitException(
                    Why.NO_LEADER,
                    SubmitException.RETRY_NO_LEADER,
                    "this replica does not lead the cell",
                    otherLeader()));
        }
        return batcher.submit(lane, principal, command).thenApply(result -> whole(command, result));
    }

    /**
     * A transaction that was decided before is answered with its first outcome. That is a cold row, which an answering thread
     * reads here, because the apply thread reads no disk.
     */
    private CommandResult whole(Command command, CommandResult result) {
        if (!(result instanceof CommandResult.Repeated repeated)) {
            return result;
        }
        Transaction transaction = ((Command.CommitTransaction) command).transaction();
        return new CommandResult.Decided(
                outcome(repeated.first()).orElseGet(() -> refusedWithoutOutcome(transaction, repeated)));
    }

    private Optional<Outcome> outcome(CellVersion decided) {
        try {
            return persister.cold(ColdKey.outcome(decided)).map(OutcomeCodec::decode);
        } catch (StoreUnavailableException closed) {
            SubmitException unknown = new SubmitException(
                    Why.OUTCOME_UNKNOWN,
                    SubmitException.RETRY_NO_LEADER,
                    "the outcome of version " + decided + " cannot be read now");
            unknown.addSuppressed(closed);
            throw unknown;
        }
    }

    /**
     * The outcome may have been dropped since the repeat was recognised. Then the answer is the one that the next repeat gets.
     *
     * <p>Otherwise the cell was restored: it knows the ids that were decided before, but has no outcome of them. A caller of that
     * time would repeat its transaction until the id is forgotten, and everything after it on the same stream would wait. The
     * same holds without an incarnation: the caller is told to read the cell again.
     */
    private Outcome refusedWithoutOutcome(Transaction transaction, CommandResult.Repeated repeated) {
        boolean isForgotten = !repeated.first().isAfter(cell.horizon());
        return Outcome.refused(
                transaction.id(), repeated.version(), isForgotten ? Reason.BASIS_TOO_OLD : Reason.OTHER_INCARNATION);
    }

    /** Evaluates a short function on one version of the cell. The result must not refer to the view. */
    public <T> T read(Function<? super CellView, ? extends T> question) {
        return cell.read(question);
    }

    /**
     * As {@link #read}, for a function that previews a transaction ({@link CellView#preview}): it excludes all other readers.
     */
    public <T> T readAlone(Function<? super CellView, ? extends T> question) {
        return cell.readAlone(question);
    }

    /**
     * The machines at the newest version, which the caller may keep. It is made without reading a machine, so that a long list
     * holds up no commit.
     */
    public MachinesCopy machines() {
        return cell.machines();
    }

    /** The tasks of some jobs at the newest version, which the caller may keep. It is made without reading a task. */
    public TasksCopy tasks(Function<? super CellView, ? extends Collection<JobRow>> jobs) {
        return cell.tasks(jobs);
    }

    /** Evaluates the question until its answer is enough, or the wait is over, or the caller completes the future. */
    public <T> CompletableFuture<T> await(
            Function<? super CellView, ? extends T> question, Predicate<? super T> enough, Duration wait) {
        return waiters.await(question, enough, wait);
    }

    /** The version that the cell shows: that version or a later one, or an earlier one if the wait was over first. */
    public CompletableFuture<CellVersion> awaitVersion(CellVersion version, Duration wait) {
        return await(CellView::version, shown -> shown.compareTo(version) >= 0, wait);
    }

    /**
     * Completes when this replica shows everything that any replica acknowledged before the call. Only the leader can do it.
     * Fails if no majority confirms that it leads.
     */
    public CompletableFuture<Void> catchUp() {
        return log.catchUp().thenRunAsync(() -> {}, answers);
    }

    public CellVersion version() {
        return cell.version();
    }

    /**
     * The newest version at which a session may have gone; the rows of the others tell what else changed. A replica that has read
     * a checkpoint does not know which went before it, and answers at least the version of that.
     */
    public long sessionsWentVersion() {
        return cell.sessionsWentVersion();
    }

    public CellName cell() {
        return founding.name();
    }

    /** The tokens of the cell by the hashes of their secrets. Every request calls this, so it takes no lock. */
    public Map<String, Token> tokensByHash() {
        return cell.tokensByHash();
    }

    public Incarnation incarnation() {
        return cell.incarnation();
    }

    /** A place in the feed for one reader. */
    public FeedReader subscribe(FeedRequest request) {
        return feed.subscribe(request);
    }

    /** The specification with which a job's generation was submitted. */
    public Optional<Specification> specification(JobId job, int generation) {
        return persister.cold(ColdKey.specification(job, generation)).map(Specification::of);
    }

    /**
     * Writes the cell at its present version. The cell goes on; after a short first step, all writing happens on the calling
     * thread. Throws a {@link StoreUnavailableException} if the checkpoint of another replica comes meanwhile: its store may
     * lack what the backup needs.
     */
    public void backup(OutputStream out) throws IOException {
        int since = persister.restored();
        BackupWriter.write(cell.backup(), key -> persister.cold(key, since), out);
    }

    /** The results of transactions. Do not call its methods while reading the cell. */
    public ConflictLog conflicts() {
        return conflicts;
    }

    /** The past of tasks, machines and schedulers. Do not call its methods while reading the cell. */
    public CellHistory history() {
        return history;
    }

    public AuditLog audit() {
        return audit;
    }

    /** The first version from which the feed can show every change. */
    public CellVersion feedKeptFrom() {
        return feed.keptFrom();
    }

    /** The counters of this replica. */
    public ReplicaStats stats() {
        return stats;
    }

    /** Where the time of its start went. */
    public StartTimes startTimes() {
        return startTimes;
    }

    /** The bytes of the commands that wait in that lane. */
    public long waitingBytes(Lane lane) {
        return batcher.waitingBytes(lane);
    }

    /**
     * The number of commands that wait in that lane and are in no entry of the log yet. A replica that does not lead has none.
     */
    public int waiting(Lane lane) {
        return batcher.waiting(lane);
    }

    /** The number of committed entries that are not applied here yet. */
    public long entriesBehind() {
        return log.entriesBehind();
    }

    /** How long this replica takes to flush the log to its disk. */
    public LogSyncs logSyncs() {
        return log.syncs();
    }

    public int feedReaders() {
        return feed.readers();
    }

    /** How many versions behind the slowest reader of the feed is. */
    public long feedVersionsBehindMax() {
        return feed.versionsBehindMax();
    }

    /** The bytes of changes that are kept for readers of the feed. */
    public long feedKeptBytes() {
        return feed.keptBytes();
    }

    /** The times at which machines and sessions last renewed their leases. */
    public Leases leases() {
        return leases;
    }

    /**
     * Transfers the leadership to that member. Commands that come meanwhile wait: they are proposed here if the transfer fails,
     * and are told to ask the next leader if it succeeds. After a transfer that failed, nobody may lead for a moment. They wait
     * for that too.
     */
    public CompletableFuture<Void> handOver(LogPeer next) {
        CompletableFuture<Void> transferred =
                batcher.hold().thenComposeAsync(landed -> log.transferLead(next.id()), answers);
        return transferred
                .exceptionallyCompose(failure -> leaderKnown((int) HAND_OVER_MAX.dividedBy(LEADER_LOOK)))
                .thenRun(() -> batcher.goOn(otherLeader()))
                .thenCompose(told -> transferred);
    }

    private CompletableFuture<Void> leaderKnown(int looksLeft) {
        CompletableFuture<Void> known = new CompletableFuture<>();
        lookForLeader(looksLeft, known);
        return known;
    }

    private void lookForLeader(int looksLeft, CompletableFuture<Void> known) {
        if (looksLeft == 0 || closed || knowsLeader()) {
            known.complete(null);
        } else {
            time.after(LEADER_LOOK, () -> lookForLeader(looksLeft - 1, known));
        }
    }

    /**
     * Hands over to another replica if this one leads and another one can. Call this before the doors are closed: then the
     * waiting commands are told who leads, and the cell is not without a leader until an election time-out has passed.
     */
    public void leave() {
        if (serving) {
            log.successor().ifPresent(this::leaveTo);
        }
    }

    private void leaveTo(LogPeer next) {
        try {
            handOver(next).get(HAND_OVER_MAX.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info("cell={} next={} event=handedOver", founding.name(), next.name());
        } catch (ExecutionException | TimeoutException failure) {
            batcher.goOn(otherLeader());
            LOG.info(
                    "cell={} next={} event=notHandedOver cause=\"{}\": the others elect a leader",
                    founding.name(),
                    next.name(),
                    String.valueOf(failure.getCause() == null ? failure : failure.getCause()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the replica. Waiting commands get an answer that says so; everything acknowledged is in the log. */
    @Override
    public void close() throws IOException {
        closed = true;
        serving = false;
        batcher.close();
        try {
            log.close();
        } finally {
            persister.close();
        }
    }
}
