package dev.cella.chaos.simulated;

import dev.cella.chaos.simulated.SimulatedDisk.LogEntry;
import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.LogSyncs;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One member's end of a replicated log, in virtual time: Raft with a pre-vote, a leader that steps down when it does not hear
 * a majority, batched syncs, and checkpoints for members that are behind what is kept.
 *
 * <p>It replaces Ratis. It is small on purpose: the run tests what Cella builds on a log, and needs a log whose messages,
 * disks and clocks can fail at every step. One object lives as long as one run of its process; its {@link SimulatedDisk} has
 * what must outlive it.
 */
final class SimulatedLog implements ReplicatedLog {
    private static final long HEARTBEAT_NANOS = 100 * DueEvents.MILLI;
    private static final long ELECTION_NANOS_MIN = 500 * DueEvents.MILLI;
    private static final long ELECTION_NANOS_SPREAD = 500 * DueEvents.MILLI;
    private static final long QUORUM_LOST_NANOS = 2 * (ELECTION_NANOS_MIN + ELECTION_NANOS_SPREAD);
    private static final int BATCH_MAX = 64;
    /** How many entries before the last checkpoint are kept for members that lag. */
    private static final long KEPT_ENTRIES = 100;

    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    /** A leader's knowledge about another member. */
    private static final class Peer {
        private long next;
        private long match = -1;
        private long heardAt;
        private long round;
    }

    /** A caller that waits until everything is applied that was committed when it asked. */
    private record CatchingUp(long round, long index, CompletableFuture<Long> caughtUp) {}

    /** How a checkpoint gets from one member's store into another's. */
    interface CheckpointSource {
        Runnable shipTo(SimulatedStore store);
    }

    private final SimulatedProcess process;
    private final SimulatedDisk disk;
    private final SimulatedStore store;
    private final LogGroup group;
    private final SplittableRandom random;
    private final Map<String, Peer> peers = new TreeMap<>();
    private final Map<Long, CompletableFuture<AppliedEntry>> pending = new TreeMap<>();
    private final List<CatchingUp> catchingUp = new ArrayList<>();
    private final Set<String> votes = new HashSet<>();
    private @Nullable LogListener listener;
    private Runnable afterEachEntry = () -> {};
    private Role role = Role.FOLLOWER;
    private boolean preVoting;
    private Optional<String> leader = Optional.empty();
    private boolean toldLeading;
    private long firstOfTerm;
    private long committed = -1;
    private long applied = -1;
    private long verified = -1;
    private long round;
    private long heardLeaderAt = -ELECTION_NANOS_MIN;
    private long electionDueAt;
    private boolean syncing;
    private boolean applying;
    private boolean failed;

    SimulatedLog(
            SimulatedProcess process,
            SimulatedDisk disk,
            SimulatedStore store,
            LogGroup group,
            SplittableRandom random) {
        this.process = process;
        this.disk = disk;
        this.store = store;
        this.group = group;
        this.random = random;
        group.join(this);
    }

    /** For a listener that looks at the replica after each entry. */
    void afterEachEntry(Runnable look) {
        afterEachEntry = look;
    }

    String name() {
        return process.name();
    }

    SimulatedProcess process() {
        return process;
    }

    long term() {
        return disk.term();
    }

    boolean isLeader() {
        return role == Role.LEADER && process.isAlive();
    }

    /** Returns whether its member can start on what its disk has, and has all entries that it ever confirmed. */
    boolean isWhole() {
        return !disk.lacksEntries() && disk.firstIndex() <= store.newestWhole().index() + 1;
    }

    long applied() {
        return applied;
    }

    long lastIndex() {
        return disk.lastIndex();
    }

    @Override
    public void start(LogListener told) throws StartRefusedException {
        LogPosition checkpoint = told.newestCheckpoint();
        if (disk.firstIndex() > checkpoint.index() + 1) {
            throw new StartRefusedException(
                    Why.LOG_INCOMPLETE,
                    "the log begins with entry %d, and the checkpoint ends with entry %d"
                            .formatted(disk.firstIndex(), checkpoint.index()),
                    "replace this replica");
        }
        listener = told;
        applied = checkpoint.index();
        committed = checkpoint.index();
        if (disk.lastIndex() < checkpoint.index()) {
            disk.beginAfter(checkpoint.index(), checkpoint.term());
        }
        deferElection();
        awaitElection();
    }

    // ---- elections

    private void deferElection() {
        electionDueAt = process.nowNanos() + ELECTION_NANOS_MIN + random.nextLong(ELECTION_NANOS_SPREAD);
    }

    private void awaitElection() {
        process.after(electionDueAt - process.nowNanos(), () -> {
            if (listener == null) {
                return;
            }
            if (process.nowNanos() >= electionDueAt) {
                if (role != Role.LEADER) {
                    askBeforehand();
                }
                deferElection();
            }
            awaitElection();
        });
    }

    /** Asks whether it would win, before it disturbs a leader with a higher term. */
    private void askBeforehand() {
        preVoting = true;
        askForVotes(disk.term() + 1, true);
    }

    private void stand() {
        preVoting = false;
        role = Role.CANDIDATE;
        leader = Optional.empty();
        disk.vote(disk.term() + 1, Optional.of(name()));
        deferElection();
        askForVotes(disk.term(), false);
    }

    private void askForVotes(long term, boolean beforehand) {
        if (disk.lacksEntries()) {
            return;
        }
        votes.clear();
        votes.add(name());
        long lastIndex = disk.lastIndex();
        long lastTerm = disk.termAt(lastIndex);
        for (String peer : group.others(name())) {
            group.send(this, peer, member -> member.askedForVote(name(), term, lastIndex, lastTerm, beforehand));
        }
        goOnIfElected(beforehand);
    }

    private void goOnIfElected(boolean beforehand) {
        if (votes.size() >= group.majority()) {
            if (beforehand) {
                stand();
            } else {
                win();
            }
        }
    }

    private void askedForVote(String candidate, long term, long lastIndex, long lastTerm, boolean beforehand) {
        if (!beforehand && term > disk.term()) {
            follow(term);
        }
        long ownTerm = disk.termAt(disk.lastIndex());
        boolean upToDate = lastTerm > ownTerm || (lastTerm == ownTerm && lastIndex >= disk.lastIndex());
        boolean free = beforehand
                ? role != Role.LEADER && process.nowNanos() - heardLeaderAt >= ELECTION_NANOS_MIN
                : disk.votedFor().map(candidate::equals).orElse(true);
        boolean granted = upToDate && free && term >= disk.term() && !disk.lacksEntries();
        if (granted && !beforehand) {
            disk.vote(term, Optional.of(candidate));
            deferElection();
        }
        long known = disk.term();
        group.send(this, candidate, member -> member.voted(name(), term, known, granted, beforehand));
    }

    /** A candidate of an older term would ask in vain for ever, so a voter says which term it knows. */
    private void voted(String voter, long term, long known, boolean granted, boolean beforehand) {
        if (known > disk.term()) {
            follow(known);
            return;
        }
        boolean current = beforehand
                ? preVoting && role != Role.LEADER && term == disk.term() + 1
                : role == Role.CANDIDATE && !preVoting && term == disk.term();
        if (!current || !granted) {
            return;
        }
        votes.add(voter);
        goOnIfElected(beforehand);
    }

    private void win() {
        role = Role.LEADER;
        leader = Optional.of(name());
        group.elected();
        peers.clear();
        for (String peer : group.others(name())) {
            Peer known = new Peer();
            known.next = disk.lastIndex() + 1;
            known.heardAt = process.nowNanos();
            peers.put(peer, known);
        }
        firstOfTerm = disk.lastIndex() + 1;
        write(new LogEntry(disk.term(), null));
        long of = disk.term();
        beat(of);
    }

    private void follow(long term) {
        if (term > disk.term()) {
            disk.vote(term, Optional.empty());
        }
        preVoting = false;
        boolean led = role == Role.LEADER;
        role = Role.FOLLOWER;
        if (led) {
            leader = Optional.empty();
            verified = -1;
            failWhatWaits();
        }
    }

    private void failWhatWaits() {
        List<CompletableFuture<AppliedEntry>> waiting = new ArrayList<>(pending.values());
        List<CatchingUp> readers = new ArrayList<>(catchingUp);
        pending.clear();
        catchingUp.clear();
        if (toldLeading && listener != null) {
            toldLeading = false;
            listener.following();
        }
        IOException why = new IOException(name() + " does not lead any more");
        waiting.forEach(answer -> answer.completeExceptionally(why));
        readers.forEach(reader -> reader.caughtUp().completeExceptionally(why));
    }

    // ---- the leader

    private void beat(long of) {
        if (role != Role.LEADER || disk.term() != of || listener == null) {
            return;
        }
        if (!hearsMajority()) {
            follow(disk.term());
            return;
        }
        round++;
        peers.keySet().forEach(this::replicate);
        process.after(HEARTBEAT_NANOS, () -> beat(of));
    }

    private boolean hearsMajority() {
        long heard = peers.values().stream()
                .filter(peer -> process.nowNanos() - peer.heardAt < QUORUM_LOST_NANOS)
                .count();
        return heard + 1 >= group.majority();
    }

    private void replicate(String name) {
        Peer peer = peers.get(name);
        if (peer == null) {
            return;
        }
        if (peer.next < disk.firstIndex()) {
            shipCheckpoint(name, peer);
            return;
        }
        List<LogEntry> entries = new ArrayList<>();
        long from = peer.next;
        while (disk.has(from + entries.size()) && entries.size() < BATCH_MAX) {
            entries.add(disk.entry(from + entries.size()));
        }
        long term = disk.term();
        long before = disk.termAt(from - 1);
        long known = committed;
        long asked = round;
        String self = name();
        peer.next = from + entries.size();
        group.send(this, name, member -> member.replicated(self, term, from, before, entries, known, asked));
    }

    private void shipCheckpoint(String name, Peer peer) {
        Optional<SimulatedStore.Shipped> newest = store.ship();
        if (newest.isEmpty()) {
            return;
        }
        peer.next = newest.get().position().index() + 1;
        long term = disk.term();
        String self = name();
        group.send(this, name, member -> member.receiveCheckpoint(self, term, newest.get()));
    }

    private void acknowledged(String name, long term, long match, boolean accepted, long hint, long asked) {
        if (term > disk.term()) {
            follow(term);
            return;
        }
        Peer peer = peers.get(name);
        if (role != Role.LEADER || term < disk.term() || peer == null) {
            return;
        }
        peer.heardAt = process.nowNanos();
        peer.round = Math.max(peer.round, asked);
        if (accepted) {
            peer.match = Math.max(peer.match, match);
            if (peer.next <= disk.lastIndex()) {
                replicate(name);
            }
        } else {
            peer.next = Math.max(0, Math.min(peer.next, hint));
            replicate(name);
        }
        advance();
        answerReaders();
    }

    /** What a majority has synced is committed, if it is of this term. */
    private void advance() {
        if (role != Role.LEADER) {
            return;
        }
        long[] matches = new long[peers.size() + 1];
        int place = 0;
        for (Peer peer : peers.values()) {
            matches[place++] = peer.match;
        }
        matches[place] = disk.synced();
        Arrays.sort(matches);
        long index = matches[matches.length - group.majority()];
        if (index > committed && disk.termAt(index) == disk.term()) {
            committed = index;
            applySoon();
        }
    }

    @Override
    public CompletableFuture<AppliedEntry> append(byte[] entry) {
        if (role != Role.LEADER) {
            return CompletableFuture.failedFuture(new IOException(name() + " does not lead"));
        }
        if (disk.fails()) {
            leave("cannot write the log");
            return CompletableFuture.failedFuture(new IOException("cannot write the log of " + name()));
        }
        CompletableFuture<AppliedEntry> answer = new CompletableFuture<>();
        write(new LogEntry(disk.term(), entry));
        pending.put(disk.lastIndex(), answer);
        peers.keySet().forEach(this::replicate);
        return answer;
    }

    private void write(LogEntry entry) {
        disk.append(entry);
        sync();
    }

    private void leave(String what) {
        failed = true;
        LogListener told = listener;
        if (told != null) {
            process.soon(() -> told.failed(what, new IOException("disk of " + name())));
        }
    }

    private void sync() {
        if (syncing || failed || disk.synced() >= disk.lastIndex()) {
            return;
        }
        syncing = true;
        long upTo = disk.lastIndex();
        process.after(disk.syncNanos(), () -> {
            syncing = false;
            if (disk.fails()) {
                leave("cannot sync the log");
                return;
            }
            disk.syncedUpTo(Math.min(upTo, disk.lastIndex()));
            synced();
            sync();
        });
    }

    private void synced() {
        if (role == Role.LEADER) {
            advance();
        } else if (leader.isPresent()) {
            acknowledge(leader.get(), true, 0, 0);
        }
    }

    // ---- the follower

    private void replicated(
            String from, long term, long first, long termBefore, List<LogEntry> entries, long known, long asked) {
        if (term < disk.term()) {
            acknowledge(from, false, disk.lastIndex() + 1, asked);
            return;
        }
        if (disk.fails()) {
            leave("cannot write the log");
            return;
        }
        hear(from, term);
        boolean isKnown = first - 1 < disk.firstIndex() || disk.has(first - 1);
        if (!isKnown || (first - 1 >= disk.firstIndex() && disk.termAt(first - 1) != termBefore)) {
            acknowledge(from, false, Math.min(first - 1, disk.lastIndex() + 1), asked);
            return;
        }
        take(first, entries);
        verified = Math.max(verified, first - 1 + entries.size());
        commit(Math.min(known, verified));
        if (disk.lacksEntries() && known >= 0 && disk.synced() >= known) {
            disk.hasAllEntries();
        }
        sync();
        acknowledge(from, true, 0, asked);
    }

    private void hear(String from, long term) {
        if (term > disk.term() || role != Role.FOLLOWER || !leader.equals(Optional.of(from))) {
            follow(term);
            verified = -1;
            leader = Optional.of(from);
        }
        heardLeaderAt = process.nowNanos();
        deferElection();
    }

    private void take(long first, List<LogEntry> entries) {
        for (int place = 0; place < entries.size(); place++) {
            long index = first + place;
            if (index < disk.firstIndex()) {
                continue;
            }
            if (disk.has(index) && disk.termAt(index) != entries.get(place).term()) {
                disk.truncateFrom(index);
            }
            if (!disk.has(index)) {
                disk.append(entries.get(place));
            }
        }
    }

    private void acknowledge(String to, boolean accepted, long hint, long asked) {
        long term = disk.term();
        long match = Math.min(verified, disk.synced());
        String self = name();
        group.send(this, to, member -> member.acknowledged(self, term, match, accepted, hint, asked));
    }

    private void receiveCheckpoint(String from, long term, SimulatedStore.Shipped shipped) {
        if (term < disk.term() || listener == null) {
            return;
        }
        hear(from, term);
        if (shipped.position().index() > applied) {
            listener.checkpointArriving();
            store.receive(shipped);
            disk.beginAfter(shipped.position().index(), shipped.position().term());
            try {
                listener.checkpointArrived();
            } catch (IOException failure) {
                leave("cannot load the checkpoint: " + failure.getMessage());
                return;
            }
            applied = shipped.position().index();
            committed = Math.max(committed, applied);
        }
        verified = Math.max(verified, shipped.position().index());
        acknowledge(from, true, 0, 0);
    }

    // ---- applying

    private void commit(long index) {
        if (index > committed) {
            committed = index;
            applySoon();
        }
    }

    private void applySoon() {
        if (!applying) {
            applying = true;
            process.soon(this::applyAll);
        }
    }

    private void applyAll() {
        applying = false;
        LogListener told = listener;
        while (told != null && applied < committed && !failed && disk.has(applied + 1)) {
            applied++;
            apply(told, applied, disk.entry(applied));
        }
        leadIfDue();
        answerReaders();
        purge();
    }

    private void apply(LogListener told, long index, LogEntry entry) {
        LogPosition position = new LogPosition(entry.term(), index);
        byte[] bytes = entry.bytes();
        group.applied(name(), index, new LogGroup.Applied(process.nowNanos(), bytes));
        if (bytes == null) {
            told.passed(position);
            return;
        }
        AppliedEntry result = told.committed(position, bytes);
        afterEachEntry.run();
        CompletableFuture<AppliedEntry> answer = pending.remove(index);
        if (answer != null) {
            answer.complete(result);
        }
    }

    private void leadIfDue() {
        if (role == Role.LEADER && !toldLeading && applied >= firstOfTerm && listener != null) {
            toldLeading = true;
            listener.leading();
        }
    }

    private void purge() {
        if (listener != null) {
            long upTo = listener.purgeableUpTo().index() - KEPT_ENTRIES;
            if (upTo - disk.firstIndex() > KEPT_ENTRIES) {
                disk.purgeUpTo(Math.min(upTo, applied));
            }
        }
    }

    // ---- reading what was acknowledged

    @Override
    public CompletableFuture<Void> catchUp() {
        CompletableFuture<Long> caughtUp = new CompletableFuture<>();
        if (role == Role.LEADER) {
            awaitIndex(caughtUp);
        } else if (leader.isPresent()) {
            String self = name();
            group.send(this, leader.get(), member -> member.askedForIndex(self, caughtUp));
        } else {
            caughtUp.completeExceptionally(new IOException("nobody leads"));
        }
        CompletableFuture<Void> shown = new CompletableFuture<>();
        var unused = caughtUp.whenComplete((index, failure) -> {
            if (failure != null) {
                shown.completeExceptionally(failure);
            } else {
                catchingUp.add(new CatchingUp(-1, index, applied(shown)));
                answerReaders();
            }
        });
        process.after(QUORUM_LOST_NANOS, () -> {
            if (!shown.isDone()) {
                shown.completeExceptionally(new IOException("no majority answered " + name()));
            }
        });
        return shown;
    }

    private static CompletableFuture<Long> applied(CompletableFuture<Void> shown) {
        CompletableFuture<Long> applied = new CompletableFuture<>();
        var unused = applied.whenComplete((index, failure) -> {
            if (failure != null) {
                shown.completeExceptionally(failure);
            } else {
                shown.complete(null);
            }
        });
        return applied;
    }

    private void askedForIndex(String by, CompletableFuture<Long> answer) {
        CompletableFuture<Long> index = new CompletableFuture<>();
        var unused = index.whenComplete((known, failure) -> group.send(this, by, member -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(known);
            }
        }));
        if (role == Role.LEADER) {
            awaitIndex(index);
        } else {
            index.completeExceptionally(new IOException(name() + " does not lead"));
        }
    }

    /** A majority must confirm in a later round that this member still leads. */
    private void awaitIndex(CompletableFuture<Long> answer) {
        if (!toldLeading) {
            answer.completeExceptionally(new IOException(name() + " does not know yet what is committed"));
            return;
        }
        round++;
        catchingUp.add(new CatchingUp(round, committed, answer));
        peers.keySet().forEach(this::replicate);
        answerReaders();
    }

    private void answerReaders() {
        List<CatchingUp> ready = catchingUp.stream()
                .filter(reader -> reader.round() < 0 ? applied >= reader.index() : isConfirmed(reader.round()))
                .toList();
        catchingUp.removeAll(ready);
        ready.forEach(reader -> reader.caughtUp().complete(reader.index()));
    }

    private boolean isConfirmed(long asked) {
        long confirmed =
                peers.values().stream().filter(peer -> peer.round >= asked).count();
        return role == Role.LEADER && confirmed + 1 >= group.majority();
    }

    // ---- for the replica

    @Override
    public Optional<String> leader() {
        return leader;
    }

    @Override
    public long entriesBehind() {
        return Math.max(0, committed - applied);
    }

    @Override
    public LogSyncs syncs() {
        return LogSyncs.NONE;
    }

    @Override
    public boolean isAlive() {
        return !failed;
    }

    @Override
    public void close() {
        listener = null;
        role = Role.FOLLOWER;
    }
}
