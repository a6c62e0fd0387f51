package dev.cella.state.core;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.cell.copies.MachinesCopy;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Token;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * The common copy of the cell state in this process, and the lock under which it is read. One thread applies whole entries,
 * and any thread may read between two of them.
 *
 * <p>The apply thread needs no lock for its own reads, because nobody else writes.
 */
final class CommonCell {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile Cell cell;
    private volatile int featureLevel = 1;
    private volatile CellVersion version = CellVersion.NONE;
    private volatile boolean unfinished;
    private volatile long sessionsWentVersion;
    private volatile WeakReference<MachinesCopy> machines = new WeakReference<>(null);

    CommonCell(CellLimits limits) {
        cell = new Cell(limits);
    }

    // ---- on the apply thread

    /** Applies a whole entry, and records the changes of rows that are outside the tables. */
    List<CommandResult> apply(Entry entry, ColdChanges coldRows) {
        Entry stamped = entry.notBefore(cell.view().time());
        List<CommandResult> results;
        lock.writeLock().lock();
        try {
            int sessions = cell.view().sessions().size();
            results = cell.apply(stamped);
            version = cell.view().version();
            if (cell.view().sessions().size() < sessions) {
                sessionsWentVersion = version.number();
            }
            featureLevel = cell.view().featureLevel();
            unfinished = cell.hasFollowUps();
        } finally {
            lock.writeLock().unlock();
        }
        keepSpecifications(entry, results, coldRows);
        keepOutcomes(results, coldRows);
        return results;
    }

    /** Keeps whole outcomes, because the cell itself keeps only enough to recognise a repeat. */
    private void keepOutcomes(List<CommandResult> results, ColdChanges coldRows) {
        coldRows.keep(EntryOutcomes.of(results));
        coldRows.forget(cell.takeForgottenOutcomes());
    }

    private static void keepSpecifications(Entry entry, List<CommandResult> results, ColdChanges coldRows) {
        for (int place = 0; place < results.size(); place++) {
            if (results.get(place) instanceof CommandResult.Done done && mayBeOfAJob(done)) {
                Command command = CommandCodec.decodeCommand(entry.commands().get(place));
                keepSpecification(command, done, coldRows);
            }
        }
    }

    private static boolean mayBeOfAJob(CommandResult.Done done) {
        return done.generation() > 0 && done.effect() != CommandResult.Effect.UNCHANGED;
    }

    private static void keepSpecification(Command command, CommandResult.Done done, ColdChanges coldRows) {
        if (command instanceof Command.SubmitJob submit) {
            Specification specification = submit.specification();
            ColdKey key = ColdKey.specification(new JobId(done.identity()), done.generation());
            coldRows.put(key, specification.bytes());
        } else if (command instanceof Command.ForgetJob forget) {
            coldRows.drop(forget.job(), done.generation());
        }
    }

    /** The digests of the current tables. */
    CellDigests digests() {
        return cell.view().digests();
    }

    /** The changes since the last call. */
    byte[] takeChanges() {
        return cell.takeChanges();
    }

    /**
     * Takes a copy, which the persister turns into bytes on its own thread. A reader of the feed may take another copy at the
     * same time.
     */
    SealedCell seal(LogPosition position) {
        CheckpointHead head = head(cell, position);
        return new SealedCell(head, new CopiedPages(alone(Cell::copy)));
    }

    static CheckpointHead head(Cell of, LogPosition position) {
        CellView view = of.view();
        return new CheckpointHead(
                view.name().orElseThrow(),
                view.incarnation(),
                position,
                view.version(),
                view.time(),
                view.featureLevel(),
                digest(of));
    }

    /** The pages of a running cell. */
    record CopiedPages(CellCopy copy) implements HotPages {
        @Override
        public void forEach(CellCopy.Pages pages) {
            copy.forEachPage(pages);
        }

        @Override
        public void forEachSince(HotPages earlier, CellCopy.Pages pages) {
            copy.forEachPageSince(((CopiedPages) earlier).copy, pages);
        }
    }

    /** The content for a backup of this moment. Any thread may write it while the cell goes on. */
    CellBackup backup() {
        return alone(now -> new CellBackup(head(now, LogPosition.START), now.copy(), newestSpecifications(now.view())));
    }

    private static List<ColdKey> newestSpecifications(CellView view) {
        List<ColdKey> keys = new ArrayList<>();
        view.jobs().forEach(job -> keys.add(ColdKey.specification(job.id(), job.generation())));
        return keys;
    }

    static long digest(Cell of) {
        return Digests.mix(of.view().digest(), of.outcomesDigest());
    }

    // ---- before the log is started

    /** Loads a checkpoint's tables if their digest matches the head. */
    void load(Checkpoint checkpoint) throws DamagedCheckpointException {
        Cell loaded = read(cell.limits(), checkpoint.head(), checkpoint.hot());
        lock.writeLock().lock();
        try {
            cell = loaded;
            version = loaded.view().version();
            sessionsWentVersion = version.number();
            featureLevel = loaded.view().featureLevel();
            unfinished = loaded.hasFollowUps();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Reads the tables of a checkpoint or a backup. Their digest must match the head. Throws an {@link UnknownLevelException} if
     * they are whole, and of a cell that a newer program has raised.
     */
    static Cell read(CellLimits limits, CheckpointHead head, List<byte[]> pages) throws DamagedCheckpointException {
        if (head.featureLevel() > EntryCodec.FEATURE_LEVEL_MAX) {
            throw new UnknownLevelException("feature level %d, this program knows %d"
                    .formatted(head.featureLevel(), EntryCodec.FEATURE_LEVEL_MAX));
        }
        Cell read = new Cell(limits);
        try {
            read.load(pages);
        } catch (RuntimeException failure) {
            throw new DamagedCheckpointException("its tables cannot be read: " + failure.getMessage(), failure);
        }
        if (digest(read) != head.digest()) {
            throw new DamagedCheckpointException("its tables have another digest than it says");
        }
        return read;
    }

    // ---- on any thread

    <T> T read(Function<? super CellView, ? extends T> question) {
        lock.readLock().lock();
        try {
            return question.apply(cell.view());
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * As {@link #read}, but excludes other readers, for functions that leave a trace: a preview drafts on the rows of pools
     * and groups, a copy marks the pages that it shares, and the search for unfinished work drops what is done.
     */
    <T> T readAlone(Function<? super CellView, ? extends T> question) {
        return alone(read -> question.apply(read.view()));
    }

    private <T> T alone(Function<Cell, ? extends T> question) {
        lock.writeLock().lock();
        try {
            return question.apply(cell);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** The version of the newest outcome that was dropped. */
    CellVersion horizon() {
        lock.readLock().lock();
        try {
            return cell.horizon();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** The version after the last whole entry. */
    CellVersion version() {
        return version;
    }

    /** Reads without waiting for the entry that is being applied: the map is immutable and is replaced as a whole. */
    Map<String, Token> tokensByHash() {
        return cell.view().tokensByHash();
    }

    Incarnation incarnation() {
        return read(CellView::incarnation);
    }

    CellTime cellTime() {
        return read(CellView::time);
    }

    /**
     * The newest version at which there were fewer sessions than before. No row tells that one has gone. A new session in the
     * same entry has a row with a version of that entry, so it is enough to count. After a checkpoint it is the version of that.
     */
    long sessionsWentVersion() {
        return sessionsWentVersion;
    }

    /** The feature level after the last whole entry. */
    int featureLevel() {
        return featureLevel;
    }

    boolean isFounded() {
        return read(CellView::isFounded);
    }

    /** A copy for readers of the feed. It is taken between two entries and turned into bytes later. */
    CellSnapshot snapshot() {
        CellCopy copy = alone(Cell::copy);
        return new CellSnapshot(copy.incarnation(), copy.version(), copy.snapshotForReplicas());
    }

    /** The machines at the newest version. Readers of one version share one copy, as long as one of them keeps it. */
    MachinesCopy machines() {
        MachinesCopy kept = machines.get();
        if (kept == null || !kept.version().equals(version)) {
            kept = alone(Cell::copyMachines);
            machines = new WeakReference<>(kept);
        }
        return kept;
    }

    /** The tasks of some jobs at the newest version. */
    TasksCopy tasks(Function<? super CellView, ? extends Collection<JobRow>> jobs) {
        return alone(now -> now.copyTasks(jobs.apply(now.view())));
    }

    /** Returns whether {@link #unfinished} has a command. This builds none. */
    boolean hasUnfinished() {
        return unfinished;
    }

    /** The commands that large changes still need, and those that are due by now. */
    List<Command> unfinished(CellTime now) {
        return alone(read -> read.followUps(now));
    }

    // ---- leases

    /** The lease of the machine. Empty if the machine was registered again or its agent was given up. */
    OptionalLong machineLeaseMillis(MachineId machine) {
        return read(view -> {
            OptionalInt slot = view.findMachine(machine);
            return slot.isEmpty() ? OptionalLong.empty() : leaseMillis(view, slot.getAsInt());
        });
    }

    int machineSlots() {
        return read(CellView::machineSlots);
    }

    /** The leases of the machines in the slots from {@code from} to before {@code to}. */
    Map<MachineId, Long> machineLeasesMillis(int from, int to) {
        return read(view -> {
            Map<MachineId, Long> leases = new HashMap<>();
            for (int slot = from; slot < Math.min(to, view.machineSlots()); slot++) {
                OptionalLong millis = view.machineExists(slot) ? leaseMillis(view, slot) : OptionalLong.empty();
                if (millis.isPresent()) {
                    leases.put(view.machineId(slot), millis.getAsLong());
                }
            }
            return leases;
        });
    }

    private static OptionalLong leaseMillis(CellView view, int slot) {
        boolean down = view.status(slot) == MachineStatus.DOWN;
        return down
                ? OptionalLong.empty()
                : view.agent(slot)
                        .map(agent -> OptionalLong.of(agent.leaseMillis()))
                        .orElse(OptionalLong.empty());
    }

    /** The lease of the session, if it is open. */
    OptionalLong sessionLeaseMillis(SessionId session) {
        return read(view -> view.session(session)
                .map(row -> OptionalLong.of(row.leaseMillis()))
                .orElse(OptionalLong.empty()));
    }

    Map<SessionId, Long> sessionLeasesMillis() {
        return read(view -> {
            Map<SessionId, Long> leases = new HashMap<>();
            for (SessionRow session : view.sessions()) {
                leases.put(session.id(), session.leaseMillis());
            }
            return leases;
        });
    }
}
