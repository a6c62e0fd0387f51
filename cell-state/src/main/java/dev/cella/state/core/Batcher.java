package dev.cella.state.core;

import dev.cella.state.core.SubmitException.Why;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs all waiting commands into one log entry, and gives each command its result.
 *
 * <h2>Why</h2> One entry per command costs one round of appending, replicating and syncing each: 5 to 40 times slower. Waiting
 * for more commands would cost every caller that time. Instead, an entry is proposed at once if none is in flight, and new
 * commands gather in the meantime. An idle cell answers after one sync, a busy one packs hundreds into each. Another entry joins
 * one in flight only if it is large: each entry costs three servers a dozen wake-ups, however small it is. For the same reason
 * small entries keep a distance while many commands come; see {@link EntryPace}.
 *
 * <h2>What an answer means</h2> An answer comes when the entry is applied here. An entry that fails after it was proposed may
 * still be committed; its callers get {@link Why#OUTCOME_UNKNOWN}. Only commands that were never proposed are told to try
 * again.
 *
 * <p>Any thread may submit commands, and encodes them itself. Only the batcher's thread packs and proposes entries, so that
 * cell times stand in the log in order. Guarded by its own monitor.
 */
final class Batcher {
    private static final long NOBODY = 0;

    private static final Duration RETRY_FULL = Duration.ofMillis(200);

    /** A caller may fill a quarter of a lane while others wait in it, and three quarters alone. */
    private static final int CALLER_PART = 4;

    /** A command that is not proposed yet. */
    private static final class Waiting implements LaneQueue.Sized {
        private final byte[] bytes;
        private final int level;
        private final CompletableFuture<CommandResult> result = new CompletableFuture<>();

        /**
         * @param level the feature level that the cell has after the command, if the command sets it
         */
        Waiting(byte[] bytes, int level) {
            this.bytes = bytes;
            this.level = level;
        }

        @Override
        public int bytes() {
            return bytes.length;
        }
    }

    /** The data from which this replica makes entries while it leads. */
    private record Leadership(LeaderClock clock, IntSupplier featureLevel, Incarnation incarnation) {}

    private final ReplicatedLog log;
    private final ReplicaLimits limits;
    private final Threads threads;
    private final Time time;
    private final ReplicaStats stats;
    private final Map<Lane, LaneQueue<Waiting>> lanes = new EnumMap<>(Lane.class);
    private final EntryPace pace;
    private @Nullable Leadership leadership;
    private int entriesInFlight;
    private boolean packing;

    /** Set while a timer is going to pack. */
    private boolean timed;

    /**
     * Set while the leadership is handed over: commands wait until it is known who leads. Completes when no entry is in
     * flight. Guarded by this for writing.
     */
    private volatile @Nullable CompletableFuture<Void> held;

    private boolean closed;

    Batcher(ReplicatedLog log, ReplicaLimits limits, Threads threads, Time time, ReplicaStats stats) {
        this.log = log;
        this.limits = limits;
        this.threads = threads;
        this.time = time;
        this.stats = stats;
        this.pace = new EntryPace(limits.entryDistance());
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new LaneQueue<>());
        }
    }

    CompletableFuture<CommandResult> submit(Lane lane, Principal principal, Command command) {
        Waiting waiting = new Waiting(CommandCodec.encode(principal, command), levelAfter(command));
        SubmitException refusal = admit(lane, owner(lane, principal, command), waiting);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        pack();
        return waiting.result;
    }

    /**
     * The entry that raises the level is of the new level. Otherwise an older program would refuse the command where all others
     * carry it out, and would notice that only at the next entry. No program applies a level that it does not know.
     */
    private static int levelAfter(Command command) {
        int level = 0;
        if (command instanceof Command.RaiseFeatureLevel raise) {
            level = raise.level();
        } else if (command instanceof Command.FoundCell found) {
            level = found.featureLevel();
        }
        return level <= EntryCodec.FEATURE_LEVEL_MAX ? level : 0;
    }

    /**
     * The owner for taking turns: the session that commits, else the caller, as a number below 0. Reports keep the order in
     * which they came.
     */
    private static long owner(Lane lane, Principal principal, Command command) {
        if (command instanceof Command.CommitTransaction commit
                && commit.transaction().session().isPresent()) {
            return commit.transaction().session().get().version();
        }
        return lane == Lane.REPORTS ? NOBODY : Long.MIN_VALUE | principal.text().hashCode();
    }

    private synchronized @Nullable SubmitException admit(Lane lane, long owner, Waiting command) {
        LaneQueue<Waiting> queue = queue(lane);
        if (closed) {
            return new SubmitException(Why.CLOSED, Duration.ZERO, "this replica is closing");
        }
        if (leadership == null && held == null) {
            return noLeader(Optional.empty());
        }
        if (command.bytes.length > ReplicaLimits.COMMAND_BYTES_MAX) {
            return new SubmitException(Why.TOO_LARGE, Duration.ZERO, "a command of " + command.bytes.length + " bytes");
        }
        long bytesMax = limits.laneBytes();
        if (queue.bytes() > 0 && queue.bytes() + command.bytes.length > bytesMax) {
            stats.laneWasFull(lane);
            return new SubmitException(Why.LANE_FULL, RETRY_FULL, "the lane for " + lane + " is full");
        }
        if (owner < 0 && isMoreThanItsPart(queue, owner, command.bytes.length, bytesMax)) {
            stats.laneWasFull(lane);
            return new SubmitException(
                    Why.LANE_FULL, RETRY_FULL, "this caller's part of the lane for " + lane + " is full");
        }
        queue.add(owner, command);
        return null;
    }

    /** Otherwise one caller with large jobs would fill the lane, and nobody else could give an order. */
    private static boolean isMoreThanItsPart(LaneQueue<Waiting> queue, long owner, int added, long bytesMax) {
        long part = bytesMax / CALLER_PART;
        long own = queue.bytesOf(owner);
        boolean othersWait = queue.bytes() > own;
        return own > 0 && own + added > part && (othersWait || own + added > bytesMax - part);
    }

    private static SubmitException noLeader(Optional<URI> leader) {
        return new SubmitException(
                Why.NO_LEADER, SubmitException.RETRY_NO_LEADER, "this replica does not lead the cell", leader);
    }

    private LaneQueue<Waiting> queue(Lane lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    /** The bytes of the commands that wait in that lane. */
    synchronized long waitingBytes(Lane lane) {
        return queue(lane).bytes();
    }

    /** The number of commands that wait in that lane. */
    synchronized int waiting(Lane lane) {
        return queue(lane).size();
    }

    /**
     * From now on entries continue by that clock, in that history, each at the level that the cell has when it is made.
     */
    synchronized void lead(LeaderClock clock, IntSupplier featureLevel, Incarnation incarnation) {
        leadership = new Leadership(clock, featureLevel, incarnation);
    }

    /** Tells waiting commands to try again. Commands in flight get their results from the log. */
    synchronized void follow() {
        leadership = null;
        if (held == null) {
            refuseAll(noLeader(Optional.empty()));
        }
    }

    /** Returns whether commands are taken although this replica may not lead any more. */
    boolean isHeld() {
        return held != null;
    }

    /** Commands wait from now on, until {@link #goOn}. Completes when no entry is in flight any more. */
    synchronized CompletableFuture<Void> hold() {
        CompletableFuture<Void> landed = new CompletableFuture<>();
        held = landed;
        if (entriesInFlight == 0) {
            landed.complete(null);
        }
        return landed;
    }

    /**
     * Ends {@link #hold}. If this replica leads, it proposes the commands that waited. Otherwise they are told to ask the
     * leader: nothing was done about them.
     */
    void goOn(Optional<URI> leader) {
        synchronized (this) {
            held = null;
            if (leadership == null) {
                refuseAll(noLeader(leader));
            }
        }
        pack();
    }

    synchronized void close() {
        closed = true;
        refuseAll(new SubmitException(Why.CLOSED, Duration.ZERO, "this replica is closing"));
    }

    private void refuseAll(SubmitException why) {
        List<Waiting> left = takeAll();
        if (!left.isEmpty()) {
            threads.answers().execute(() -> fail(left, why));
        }
    }

    private List<Waiting> takeAll() {
        List<Waiting> all = new ArrayList<>();
        lanes.values().forEach(queue -> all.addAll(queue.takeAll()));
        return all;
    }

    private synchronized void pack() {
        if (packing || !mayPropose()) {
            return;
        }
        int waiting = waiting();
        if (waiting == 0) {
            return;
        }
        Duration delay = pace.delay(time.monotonicNanos(), waiting);
        if (delay.isZero() || isLarge()) {
            packing = true;
            threads.batcher().execute(this::packAll);
        } else if (!timed) {
            timed = true;
            var unused = time.after(delay, this::packInTime);
        }
    }

    private void packInTime() {
        synchronized (this) {
            timed = false;
        }
        pack();
    }

    private boolean mayPropose() {
        return held == null && (entriesInFlight == 0 || (entriesInFlight < limits.entriesInFlight() && isLarge()));
    }

    /** Returns whether what waits would be a large entry. */
    private boolean isLarge() {
        return lanes.values().stream().mapToLong(LaneQueue::bytes).sum() >= limits.joiningBytes();
    }

    private int waiting() {
        return lanes.values().stream().mapToInt(LaneQueue::size).sum();
    }

    /** Packs until nothing waits or enough is in flight. The end of an entry starts the next round. */
    private void packAll() {
        for (Entry entry = nextEntry(); entry != null; entry = nextEntry()) {
            propose(entry);
        }
    }

    private synchronized @Nullable Entry nextEntry() {
        Leadership leading = leadership;
        List<Waiting> commands = leading == null || !mayPropose() ? List.of() : takeSome();
        if (leading == null || commands.isEmpty()) {
            packing = false;
            return null;
        }
        entriesInFlight++;
        pace.proposed(time.monotonicNanos(), commands.size());
        int level =
                commands.stream().mapToInt(command -> command.level).reduce(leading.featureLevel.getAsInt(), Math::max);
        EntryHeader header = new EntryHeader(level, leading.clock.now(), time.wallMillis(), leading.incarnation);
        return new Entry(header, commands);
    }

    /** Takes commands lane by lane, as many as an entry holds, and at least one. */
    private List<Waiting> takeSome() {
        List<Waiting> taken = new ArrayList<>();
        int room = limits.entryBytes();
        for (LaneQueue<Waiting> queue : lanes.values()) {
            int roomHere = taken.isEmpty() ? ReplicaLimits.COMMAND_BYTES_MAX : room;
            for (Waiting next = queue.pollUpTo(roomHere); next != null; next = queue.pollUpTo(room)) {
                taken.add(next);
                room -= next.bytes.length;
            }
            if (room <= 0) {
                break;
            }
        }
        return taken;
    }

    /** One entry on its way. */
    private record Entry(EntryHeader header, List<Waiting> commands) {
        byte[] encode() {
            return EntryCodec.encode(
                    header, commands.stream().map(command -> command.bytes).toList());
        }
    }

    private void propose(Entry entry) {
        long begin = time.monotonicNanos();
        var unused = log.append(entry.encode()).whenComplete((applied, failure) -> {
            stats.roundEnded(time.monotonicNanos() - begin);
            landed();
            threads.answers().execute(() -> answer(entry, applied, failure));
        });
    }

    private void landed() {
        CompletableFuture<Void> waiting;
        synchronized (this) {
            entriesInFlight--;
            waiting = entriesInFlight == 0 ? held : null;
        }
        if (waiting != null) {
            waiting.complete(null);
        }
        pack();
    }

    private static void answer(Entry entry, @Nullable AppliedEntry applied, @Nullable Throwable failure) {
        if (applied == null) {
            SubmitException lost =
                    new SubmitException(Why.OUTCOME_UNKNOWN, Duration.ZERO, "the answer of the log was lost");
            if (failure != null) {
                lost.initCause(failure);
            }
            fail(entry.commands, lost);
            return;
        }
        for (int place = 0; place < entry.commands.size(); place++) {
            entry.commands.get(place).result.complete(applied.results().get(place));
        }
    }

    private static void fail(List<Waiting> commands, SubmitException why) {
        commands.forEach(command -> command.result.completeExceptionally(why));
    }
}
