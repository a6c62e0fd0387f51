package dev.cella.state.core;

import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.core.StartTimes.Part;
import dev.cella.state.core.SubmitException.Why;
import dev.cella.state.history.CellHistory;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Token;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of a cell, as its doors see it: commands go in here, and everything that is known comes out.
 *
 * <p>A command's way: {@link #submit} -> {@link Batcher} -> {@link ReplicatedLog} -> {@link Applier} -> the answer, the
 * {@link Feed}, and behind it the {@link Persister}. Nothing changes the cell in another way; the replica's own wishes
 * (founding the cell, leases that are over, finishing what is large) are commands too.
 *
 * <p>All methods may be called from any thread. Futures are completed on answering threads.
 */
public final class Replica implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** Whom the log names for what no person and no scheduler asked for. */
    private static final Principal SELF = new Principal("cell");

    private static final Duration TICK = Duration.ofMillis(250);

    /** So long a majority is waited for that says who leads. */
    private static final Duration CONFIRMED_MAX = Duration.ofSeconds(3);

    /** Conflicts and steps are kept up to so many bytes, or an eighth of the memory of a small server. */
    private static final long RECORD_BYTES_MAX =
            Math.min(96L << 20, Runtime.getRuntime().maxMemory() / 8);

    /** With more entries to apply than this, some seconds' worth of a busy cell, a replica is far behind. */
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

    /** How many times this replica has become the leader. Guarded by this for writing. */
    private volatile long leadership;

    private volatile boolean serving;
    private volatile boolean closed;

    /**
     * Makes a replica, at which nothing happens before {@link #start}.
     *
     * @param founding names the cell; it is submitted if the cell has to be founded
     * @param configured the replicas as they were configured, until the log says otherwise
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
        this.waiters = new Waiters(cell, threads.answers(), time);
        this.batcher = new Batcher(log, limits, threads, time, stats);
        Proposals proposals = new Proposals(this::propose);
        this.leases = new Leases(cell, time, limits.killTime(), proposals);
        this.followUps = new FollowUpProposer(cell, time, threads.answers(), proposals);
        this.applier = new Applier(cell, persister, feed, this::keepRecord, departure, this::entryApplied, time, stats);
        this.answers = threads.answers();
    }

    /** Loads the newest checkpoint, then follows the log. {@link #ready} says when it can be used; if this fails, it is closed. */
    public void start() throws IOException, StartRefusedException {
        try {
            restore();
            log.start(new Follower());
            startTimes.ended(Part.LOG);
            tick();
        } catch (IOException | StartRefusedException | RuntimeException failure) {
            closeAfter(failure);
            throw failure;
        }
    }

    private void restore() throws IOException {
        persister.restore();
        feed.begin(cell.incarnation(), cell.version());
        startTimes.ended(Part.CHECKPOINT);
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (IOException another) {
            failure.addSuppressed(another);
        }
    }

    /** What the log tells this replica. */
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
            restore();
            LOG.info("cell={} version={} goes on from another replica's checkpoint", founding.name(), version());
            entryApplied();
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
            batcher.lead(cell.cellTime(), cell::featureLevel, cell.incarnation());
            serve();
        } else {
            batcher.lead(cell.cellTime(), founding::featureLevel, cell.incarnation());
            var unused = propose(founding).thenRun(this::founded);
        }
    }

    /** From here on entries belong to the incarnation that was just made. */
    private synchronized void founded() {
        if (leading) {
            batcher.lead(cell.cellTime(), cell::featureLevel, cell.incarnation());
            serve();
        }
    }

    private void serve() {
        leases.lead();
        followUps.lead();
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
        if (!closed) {
            checkLog();
            leases.check();
            followUps.lookAtTheClock();
            answers.execute(conflicts::catchUp);
            answers.execute(() -> history.sample(time.wallMillis()));
            time.after(TICK, this::tick);
        }
    }

    private void checkLog() {
        if (!log.isAlive() && !closed) {
            departure.leave("the log has stopped", new IllegalStateException("the log is not alive"));
        }
    }

    private void entryApplied() {
        waiters.entryApplied();
        followUps.look();
    }

    private void keepRecord(byte[] changes, List<CommandResult> results) {
        conflicts.entryApplied(changes, results);
        history.entryApplied(changes);
    }

    private CompletableFuture<CommandResult> propose(Command command) {
        return batcher.submit(Lane.REPORTS, SELF, command);
    }

    /** When this replica leads a cell that is founded, and has applied all of the log. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    public boolean leads() {
        return serving;
    }

    /** Which of this replica's times as the leader it is now, or the last one was: for {@link #confirmLeads}. */
    public long leadership() {
        return leadership;
    }

    /**
     * Completes when a majority says that this replica still leads, without a break since that leadership: what it showed
     * meanwhile was all there was. Fails with a {@link SubmitException} where nobody can say so.
     */
    public CompletableFuture<Void> confirmLeads(long since) {
        return catchUp()
                .orTimeout(CONFIRMED_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .handle((caughtUp, failure) -> checkLeads(since, failure));
    }

    private @Nullable Void checkLeads(long since, @Nullable Throwable failure) {
        if (failure != null || !serving || leadership != since) {
            throw new SubmitException(Why.NO_LEADER, TICK, "no majority says that this replica leads the cell");
        }
        return null;
    }

    /** The name of the replica that leads, as far as this one knows. */
    public Optional<String> leader() {
        return log.leader();
    }

    /** The replicas of the cell as the log has them now, and which of them this one is. */
    public Membership membership() {
        List<Membership.Member> members =
                log.peers().stream().flatMap(peer -> peer.member().stream()).toList();
        boolean isMember = members.stream().anyMatch(member -> member.name().equals(configured.self()));
        return isMember ? new Membership(configured.self(), members) : configured;
    }

    /** The log of this replica, for those who change its members. */
    public ReplicatedLog log() {
        return log;
    }

    /** Whether what it shows is of now, or nearly: there is a leader, and little of its log is not applied here. */
    public boolean isCurrent() {
        return !closed && cell.isFounded() && log.leader().isPresent() && log.entriesBehind() <= ENTRIES_BEHIND_MAX;
    }

    /**
     * Asks the cell to do something. What became of it is the future's result, refusals included; without an answer it
     * fails with a {@link SubmitException}.
     */
    public CompletableFuture<CommandResult> submit(Lane lane, Principal principal, Command command) {
        if (!serving && !closed) {
            return CompletableFuture.failedFuture(
                    new SubmitException(Why.NO_LEADER, TICK, "this replica does not lead the cell"));
        }
        return batcher.submit(lane, principal, command).thenApply(this::whole);
    }

    /**
     * A transaction that was decided before is answered with the outcome it had then. That is a cold row, and is read here,
     * on an answering thread: the one that applies reads no disk.
     */
    private CommandResult whole(CommandResult result) {
        if (!(result instanceof CommandResult.Repeated repeated)) {
            return result;
        }
        byte[] outcome = persister
                .cold(ColdKey.outcome(repeated.first()))
                .orElseThrow(() -> new SubmitException(
                        Why.OUTCOME_UNKNOWN, TICK, "the outcome of version " + repeated.first() + " was just dropped"));
        return new CommandResult.Decided(OutcomeCodec.decode(outcome));
    }

    /** Asks a short question about one version of the cell. The answer must not hold on to the view. */
    public <T> T read(Function<? super CellView, ? extends T> question) {
        return cell.read(question);
    }

    /** The same for a question that previews a transaction ({@link CellView#preview}): one at a time, while nobody else reads. */
    public <T> T readAlone(Function<? super CellView, ? extends T> question) {
        return cell.readAlone(question);
    }

    /** The question's answer as soon as it is enough, or as it is after the wait. */
    public <T> CompletableFuture<T> await(
            Function<? super CellView, ? extends T> question, Predicate<? super T> enough, Duration wait) {
        return waiters.await(question, enough, wait);
    }

    /** The version the cell shows: that one or a later one; or an earlier one, if the wait was over first. */
    public CompletableFuture<CellVersion> awaitVersion(CellVersion version, Duration wait) {
        return await(CellView::version, shown -> shown.compareTo(version) >= 0, wait);
    }

    /** Completes when this replica shows all that was acknowledged, by any, before it was asked; fails where nobody can say. */
    public CompletableFuture<Void> catchUp() {
        return log.catchUp().thenRunAsync(() -> {}, answers);
    }

    /** Whether this replica can do that; else its leader must be asked. */
    public boolean canCatchUp() {
        return serving || log.followersCatchUp();
    }

    public CellVersion version() {
        return cell.version();
    }

    public CellName cell() {
        return founding.name();
    }

    /** The tokens of the cell by the hashes of their secrets, asked for with every request: no lock is taken. */
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

    /** What a job's generation was submitted with. */
    public Optional<Specification> specification(JobId job, int generation) {
        return persister.cold(ColdKey.specification(job, generation)).map(Specification::of);
    }

    /**
     * Writes the cell at the version that it shows now. The cell goes on meanwhile; what is written after the first moment is
     * written by the calling thread.
     */
    public void backup(OutputStream out) throws IOException {
        BackupWriter.write(cell.backup(), persister::cold, out);
    }

    /** What came of transactions. Not to be asked while reading the cell. */
    public ConflictLog conflicts() {
        return conflicts;
    }

    /** The past of tasks, machines and schedulers. Not to be asked while reading the cell. */
    public CellHistory history() {
        return history;
    }

    /** From which version on the feed can show every change. */
    public CellVersion feedKeptFrom() {
        return feed.keptFrom();
    }

    /** What this replica has counted of itself. */
    public ReplicaStats stats() {
        return stats;
    }

    /** How the time of its start divides. */
    public StartTimes startTimes() {
        return startTimes;
    }

    /** So many bytes of commands wait in that lane. */
    public long waitingBytes(Lane lane) {
        return batcher.waitingBytes(lane);
    }

    /** So many commands wait in that lane, and are in no entry of the log yet. Nothing waits where this replica does not lead. */
    public int waiting(Lane lane) {
        return batcher.waiting(lane);
    }

    /** Entries of the log that are committed and not applied here yet. */
    public long entriesBehind() {
        return log.entriesBehind();
    }

    /** How long this replica takes to bring the log to its disk. */
    public LogSyncs logSyncs() {
        return log.syncs();
    }

    public int feedReaders() {
        return feed.readers();
    }

    /** So many versions the slowest reader of the feed has not been given. */
    public long feedVersionsBehindMax() {
        return feed.versionsBehindMax();
    }

    /** So many bytes of changes are kept for readers of the feed. */
    public long feedKeptBytes() {
        return feed.keptBytes();
    }

    /** When machines and sessions were last heard of. */
    public Leases leases() {
        return leases;
    }

    /** Stops. Commands that wait are told so; what was acknowledged is in the log. */
    @Override
    public void close() throws IOException {
        closed = true;
        serving = false;
        batcher.close();
        log.close();
        persister.close();
    }
}
