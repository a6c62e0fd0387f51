package dev.cella.state.web.feed;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import dev.cella.client.job.HostsFiles;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Heartbeat;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Part;
import dev.cella.state.core.FeedReader;
import dev.cella.state.core.FeedRequest;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.MachinesPart;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feed for agents of few machines: whenever something changes that concerns its machines, an agent gets a small cell of
 * what concerns them ({@link MachinesPart}).
 *
 * <h2>Why parts and not changes</h2> An agent needs a few rows of a cell with many thousand tasks. Changes could be filtered,
 * but then the server would have to know which rows an agent has: a job comes into its view with the first task on a machine,
 * and leaves it with the last. A part needs no such memory. It is made from the cell as it is now, replaces the part before,
 * and is the same at every server, after a lost stream and after a restart. Its size follows from the tasks on the machines.
 *
 * <p>The changes are read once for all agents, and each concerns some of them. That reading may miss the end of a hold, or a task that
 * left a machine and went elsewhere meanwhile. So while the cell moves, each agent gets a part at least once a second, which
 * also tells it the version.
 *
 * <p>A change may make a whole part necessary, and a machine with a thousand tasks has a thousand changes a second. So the
 * next part comes the later the larger the last one was: an agent gets about half a mebibyte a second.
 *
 * <p>It follows the feed only while an agent reads. Guarded by its own monitor.
 */
public final class MachineFeed {
    private static final Logger LOG = LoggerFactory.getLogger(MachineFeed.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_A_HEARTBEAT = 5;

    /** The most ended tasks that are shown to one agent; they only help it to estimate how long tasks run. */
    private static final int ENDED_MAX = 1_000;

    private static final int KNOWN_JOBS_MAX = 1_000;

    /** A larger part delays the next one. */
    private static final int SMALL_PART_BYTES = 16 * 1024;

    private static final long REST_NANOS_A_BYTE = 2_000;
    private static final long REST_NANOS_MAX = Duration.ofMillis(200).toNanos();

    private record Generation(JobId job, int generation) {}

    private final Replica replica;
    private final Time time;
    private final Set<Watcher> watchers = new LinkedHashSet<>();
    private final Map<String, Set<Watcher>> byName = new HashMap<>();
    private final Map<Integer, Set<Watcher>> bySlot = new HashMap<>();
    private final Map<JobId, Set<Watcher>> byJobWithPeers = new HashMap<>();

    /** The names of a job's groups whose tasks are told where the others run. */
    private final Map<Generation, Set<String>> peers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Generation, Set<String>> eldest) {
            return size() > KNOWN_JOBS_MAX;
        }
    };

    private @Nullable FeedReader changes;

    public MachineFeed(Replica replica, Time time) {
        this.replica = replica;
        this.time = time;
    }

    /** Begins to watch for an agent of these machines, which need not exist yet. */
    public synchronized Watcher watch(Collection<String> machines, Executor executor) {
        Watcher watcher = new Watcher(List.copyOf(machines), executor);
        watchers.add(watcher);
        watcher.machines.forEach(
                name -> byName.computeIfAbsent(name, first -> new HashSet<>()).add(watcher));
        if (changes == null) {
            changes = replica.subscribe(FeedRequest.after(replica.incarnation(), replica.version()));
            follow(changes);
        }
        return watcher;
    }

    private synchronized void leave(Watcher watcher) {
        watchers.remove(watcher);
        watcher.machines.forEach(name -> remove(byName, name, watcher));
        watcher.slots.forEach(slot -> remove(bySlot, slot, watcher));
        watcher.jobsWithPeers.forEach(job -> remove(byJobWithPeers, job, watcher));
        if (watchers.isEmpty() && changes != null) {
            changes.close();
            changes = null;
        }
    }

    private static <K> void remove(Map<K, Set<Watcher>> from, K key, Watcher watcher) {
        from.computeIfPresent(key, (same, known) -> {
            known.remove(watcher);
            return known.isEmpty() ? null : known;
        });
    }

    // ---- the changes, for all agents

    private void follow(FeedReader from) {
        var unused = from.next()
                .thenAccept(frame -> {
                    take(from, frame).forEach(Watcher::answer);
                    follow(from);
                })
                .whenComplete((taken, failure) -> {
                    if (failure != null) {
                        startOver(from, failure);
                    }
                });
    }

    /** The watchers whose part has changed. */
    private synchronized List<Watcher> take(FeedReader from, dev.cella.state.core.FeedFrame frame) {
        if (from != changes) {
            return List.of();
        }
        if (frame instanceof dev.cella.state.core.FeedFrame.Changes next) {
            TouchedByFrame touched = new TouchedByFrame();
            new ChangeReader(touched).readFrames(FeedProjection.bytes(next.data()));
            return replica.read(view -> marked(touched, view));
        }
        if (beginsAnew(frame)) {
            watchers.forEach(watcher -> watcher.changed = true);
        }
        return List.copyOf(watchers);
    }

    /** After a resync and a whole snapshot. The chunks between them would make the same parts again and again. */
    private static boolean beginsAnew(dev.cella.state.core.FeedFrame frame) {
        return frame instanceof dev.cella.state.core.FeedFrame.Resync
                || (frame instanceof dev.cella.state.core.FeedFrame.Snapshot snapshot && snapshot.last());
    }

    private synchronized void startOver(FeedReader from, Throwable failure) {
        if (from == changes) {
            LOG.error("The feed for agents could not follow the cell and starts again", failure);
            from.close();
            changes = replica.subscribe(FeedRequest.after(replica.incarnation(), replica.version()));
            watchers.forEach(watcher -> watcher.changed = true);
            follow(changes);
        }
    }

    /** The watchers that have something new to get, these changes included. */
    private List<Watcher> marked(TouchedByFrame touched, CellView view) {
        touched.machines.forEach(name -> mark(byName.get(name)));
        touched.slots.stream().forEach(slot -> mark(bySlot.get(slot)));
        touched.jobs.forEach(job -> view.job(job).ifPresent(row -> row.groups().forEach(group -> markOn(group, view))));
        for (TaskId task : touched.tasks) {
            mark(bySlot.get(view.lastMachineOf(task)));
            mark(byJobWithPeers.get(task.job()));
        }
        for (TaskId task : touched.finished) {
            bySlot.getOrDefault(view.lastMachineOf(task), Set.of()).forEach(watcher -> watcher.note(task));
        }
        return watchers.stream().filter(watcher -> watcher.changed).toList();
    }

    private void markOn(GroupRow group, CellView view) {
        for (int index = 0; group.onMachines() > 0 && index < group.rowsEnd(); index++) {
            mark(bySlot.get(view.machineOf(group, index)));
        }
    }

    private static void mark(@Nullable Set<Watcher> concerned) {
        if (concerned != null) {
            concerned.forEach(watcher -> watcher.changed = true);
        }
    }

    private boolean hasPeers(GroupRow group) {
        Generation key = new Generation(group.job().id(), group.job().generation());
        return peers.computeIfAbsent(
                        key, read -> groupsWithPeers(group.job().specification().bytes()))
                .contains(group.header().nameOfCopied());
    }

    private static Set<String> groupsWithPeers(byte[] specification) {
        try {
            return Job.parseFrom(specification).getGroupsList().stream()
                    .filter(HostsFiles::isWanted)
                    .map(Group::getName)
                    .collect(Collectors.toSet());
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            return Set.of();
        }
    }

    // ---- one agent

    /** An agent's place in this feed. Guarded by the feed's monitor. */
    public final class Watcher {
        private final List<String> machines;
        private final Executor executor;
        private final Set<TaskId> ended = new LinkedHashSet<>();
        private Set<Integer> slots = Set.of();
        private Set<JobId> jobsWithPeers = Set.of();
        private CellVersion sent = CellVersion.NONE;
        private boolean changed = true;
        private @Nullable CompletableFuture<FeedFrame> asked;
        private Time.@Nullable Cancellation ticking;
        private int ticks;
        private long restEndNanos = time.monotonicNanos();
        private boolean isResting;

        private Watcher(List<String> machines, Executor executor) {
            this.machines = machines;
            this.executor = executor;
        }

        /** The next frame, as soon as there is one. Ask again only after it came. */
        public CompletableFuture<FeedFrame> next() {
            CompletableFuture<FeedFrame> next = new CompletableFuture<>();
            synchronized (MachineFeed.this) {
                if (!watchers.contains(this)) {
                    return next;
                }
                asked = next;
                ticks = 0;
                ticking = time.after(TICK, this::tick);
            }
            executor.execute(this::answer);
            return next;
        }

        private void tick() {
            executor.execute(() -> {
                synchronized (MachineFeed.this) {
                    if (asked == null) {
                        return;
                    }
                    ticks++;
                    changed |= replica.version().isAfter(sent);
                    ticking = time.after(TICK, this::tick);
                }
                answer();
            });
        }

        private void note(TaskId finished) {
            if (ended.size() < ENDED_MAX) {
                ended.add(finished);
            }
        }

        private void answer() {
            CompletableFuture<FeedFrame> answered;
            CompletableFuture<FeedFrame> made;
            synchronized (MachineFeed.this) {
                CompletableFuture<FeedFrame> current = asked;
                boolean isDue = changed || ticks >= TICKS_A_HEARTBEAT;
                if (current == null || !isDue || !watchers.contains(this) || rests()) {
                    return;
                }
                answered = current;
                stopAsking();
                made = make();
            }
            var unused = made.whenComplete((frame, failure) -> {
                if (failure == null) {
                    answered.complete(frame);
                } else {
                    answered.completeExceptionally(failure);
                }
            });
        }

        /** Returns whether the last part was so large that it is too early for another one; then tries again later. */
        private boolean rests() {
            long restNanos = restEndNanos - time.monotonicNanos();
            if (changed && restNanos > 0 && !isResting) {
                isResting = true;
                time.after(Duration.ofNanos(restNanos), () -> executor.execute(this::wake));
            }
            return isResting;
        }

        private void wake() {
            synchronized (MachineFeed.this) {
                isResting = false;
            }
            answer();
        }

        private CompletableFuture<FeedFrame> make() {
            try {
                return CompletableFuture.completedFuture(changed ? replica.read(this::part) : heartbeat());
            } catch (RuntimeException broken) {
                LOG.error("machines={}: their part of the cell could not be made", machines, broken);
                return CompletableFuture.failedFuture(broken);
            }
        }

        private FeedFrame part(CellView view) {
            changed = false;
            MachinesPart.Made made = view.part(machines, MachineFeed.this::hasPeers, List.copyOf(ended));
            ended.clear();
            slots = moved(bySlot, slots, made.slots());
            jobsWithPeers = moved(byJobWithPeers, jobsWithPeers, made.jobsWithPeers());
            sent = view.version();
            restEndNanos = time.monotonicNanos() + restNanos(made);
            List<ByteString> chunks =
                    made.chunks().stream().map(UnsafeByteOperations::unsafeWrap).toList();
            return FeedFrame.newBuilder()
                    .setPart(Part.newBuilder()
                            .setIncarnation(view.incarnation().number())
                            .setVersion(sent.number())
                            .addAllChunks(chunks))
                    .build();
        }

        private static long restNanos(MachinesPart.Made made) {
            long bytes = made.chunks().stream().mapToLong(chunk -> chunk.length).sum();
            return bytes <= SMALL_PART_BYTES ? 0 : Math.min(bytes * REST_NANOS_A_BYTE, REST_NANOS_MAX);
        }

        private <K> Set<K> moved(Map<K, Set<Watcher>> index, Set<K> from, Set<K> to) {
            if (!from.equals(to)) {
                from.forEach(key -> remove(index, key, this));
                to.forEach(key ->
                        index.computeIfAbsent(key, first -> new HashSet<>()).add(this));
            }
            return to;
        }

        private FeedFrame heartbeat() {
            return FeedFrame.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder().setVersion(sent.number()))
                    .build();
        }

        private void stopAsking() {
            asked = null;
            if (ticking != null) {
                ticking.cancel();
                ticking = null;
            }
        }

        /** Leaves the feed. The future of a requested frame never completes. */
        public void close() {
            synchronized (MachineFeed.this) {
                stopAsking();
                leave(this);
            }
        }
    }
}
