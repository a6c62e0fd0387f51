package dev.cella.state.core;

import dev.cella.state.core.SubmitException.Why;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs all commands that wait into one log entry, and tells each what became of it.
 *
 * <h2>Why</h2>
 *
 * One command an entry costs a round of appending, replicating and syncing each: 5 to 40 times slower. To linger for
 * company costs everybody that time. Instead a few entries may be in flight, and while they are, commands gather by
 * themselves. An idle cell answers after one sync, a busy one packs hundreds into each.
 *
 * <h2>What an answer means</h2>
 *
 * An answer is given when the entry is applied here. An entry that fails after it was proposed may be committed all the
 * same; its callers are told {@link Why#OUTCOME_UNKNOWN}. Only commands that were never proposed are told to try again.
 *
 * <p>Commands come from any thread, and are encoded on it. Entries are packed and proposed by the batcher's thread
 * alone, so that stamps of cell time stand in the log in order. Guarded by its own monitor.
 */
final class Batcher {
    private static final long NOBODY = 0;

    private static final Duration RETRY_FULL = Duration.ofMillis(200);
    private static final Duration RETRY_NO_LEADER = Duration.ofSeconds(1);

    /** A command that nobody has proposed yet. */
    private static final class Waiting implements LaneQueue.Sized {
        private final byte[] bytes;
        private final CompletableFuture<CommandResult> result = new CompletableFuture<>();

        Waiting(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int bytes() {
            return bytes.length;
        }
    }

    /** What makes this replica's entries, while it leads. */
    private record Leadership(LeaderClock clock, IntSupplier featureLevel, Incarnation incarnation) {}

    private final ReplicatedLog log;
    private final ReplicaLimits limits;
    private final Threads threads;
    private final Time time;
    private final ReplicaStats stats;
    private final Map<Lane, LaneQueue<Waiting>> lanes = new EnumMap<>(Lane.class);
    private @Nullable Leadership leadership;
    private int entriesInFlight;
    private boolean packing;
    private boolean closed;

    Batcher(ReplicatedLog log, ReplicaLimits limits, Threads threads, Time time, ReplicaStats stats) {
        this.log = log;
        this.limits = limits;
        this.threads = threads;
        this.time = time;
        this.stats = stats;
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new LaneQueue<>());
        }
    }

    CompletableFuture<CommandResult> submit(Lane lane, Principal principal, Command command) {
        Waiting waiting = new Waiting(CommandCodec.encode(principal, command));
        SubmitException refusal = admit(lane, owner(command), waiting);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        pack();
        return waiting.result;
    }

    /** Who takes turns with others: the session that commits; all that nobody in particular asks counts as one. */
    private static long owner(Command command) {
        return command instanceof Command.CommitTransaction commit
                ? commit.transaction().session().map(SessionId::version).orElse(NOBODY)
                : NOBODY;
    }

    private synchronized @Nullable SubmitException admit(Lane lane, long owner, Waiting command) {
        LaneQueue<Waiting> queue = queue(lane);
        if (closed) {
            return new SubmitException(Why.CLOSED, Duration.ZERO, "this replica is closing");
        }
        if (leadership == null) {
            return noLeader();
        }
        if (command.bytes.length > ReplicaLimits.COMMAND_BYTES_MAX) {
            return new SubmitException(Why.TOO_LARGE, Duration.ZERO, "a command of " + command.bytes.length + " bytes");
        }
        if (queue.bytes() > 0 && queue.bytes() + command.bytes.length > limits.laneBytes()) {
            stats.laneWasFull(lane);
            return new SubmitException(Why.LANE_FULL, RETRY_FULL, "the lane for " + lane + " is full");
        }
        queue.add(owner, command);
        return null;
    }

    private static SubmitException noLeader() {
        return new SubmitException(Why.NO_LEADER, RETRY_NO_LEADER, "this replica does not lead the cell");
    }

    private LaneQueue<Waiting> queue(Lane lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    /** So many bytes of commands wait in that lane. */
    synchronized long waitingBytes(Lane lane) {
        return queue(lane).bytes();
    }

    /** So many commands wait in that lane. */
    synchronized int waiting(Lane lane) {
        return queue(lane).size();
    }

    /** From now on entries go on from that stamp, in that history, each at the level that the cell has by then. */
    synchronized void lead(CellTime last, IntSupplier featureLevel, Incarnation incarnation) {
        leadership = new Leadership(new LeaderClock(last, time), featureLevel, incarnation);
    }

    /** What waits is told to try again; what is in flight learns it from the log. */
    synchronized void follow() {
        leadership = null;
        refuseAll(noLeader());
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
        if (!packing) {
            packing = true;
            threads.batcher().execute(this::packAll);
        }
    }

    /** Packs until nothing waits or enough is in flight; an entry that is done calls for the next round. */
    private void packAll() {
        for (Entry entry = nextEntry(); entry != null; entry = nextEntry()) {
            propose(entry);
        }
    }

    private synchronized @Nullable Entry nextEntry() {
        Leadership leading = leadership;
        List<Waiting> commands =
                leading == null || entriesInFlight >= limits.entriesInFlight() ? List.of() : takeSome();
        if (leading == null || commands.isEmpty()) {
            packing = false;
            return null;
        }
        entriesInFlight++;
        EntryHeader header = new EntryHeader(
                leading.featureLevel.getAsInt(), leading.clock.now(), time.wallMillis(), leading.incarnation);
        return new Entry(header, commands);
    }

    /** Lane by lane, as much as an entry holds, and at least one command. */
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
        synchronized (this) {
            entriesInFlight--;
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
