package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Timeline;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.plugin.SchedulerTypes;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.TaskCounts;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The whole simulated cell of one run: replicas, schedulers, agents with their machines, and users, on one heap of events
 * and under one seed. Nothing in it reads a clock, starts a thread or draws without the seed, so the same scenario and
 * seed give the same history, bit for bit.
 */
final class SimulatedCell {
    private static final int MACHINES_A_RACK = 10;
    private static final long SAMPLE_NANOS = 500 * DueEvents.MILLI;

    /** The most rows that a command changes: fewer than many jobs have, so that further commands continue their ends. */
    private static final int ROWS_MAX = 5;

    private static final ReplicaLimits LIMITS = ReplicaLimits.defaults()
            .withCell(new CellLimits(
                    CellLimits.STANDARD.outcomesKept(), CellLimits.STANDARD.outcomeAgeMillisMax(), ROWS_MAX))
            .withFeedBytes(128 << 10)
            .withCheckpointLogBytes(24 << 10)
            .withKillTime(Duration.ofSeconds(2));

    private final DueEvents heap = new DueEvents();
    private final History history = new History(LIMITS.cell());
    private final Timeline timeline = new Timeline();
    private final SplittableRandom random;
    private final SimulatedNetwork network;
    private final LogGroup group;
    private final List<SimulatedReplica> replicas = new ArrayList<>();
    private final List<SimulatedScheduler<?>> schedulers = new ArrayList<>();
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final Map<String, SimulatedMachine> machines = new TreeMap<>();
    private final Submitter submitter;
    private final long laneBytes;
    private final int level;
    private final SplittableRandom replyLoss;
    private boolean quiet;
    private int replyLossPercent;
    private long repliesLost;
    private long placements;
    private long conflicts;
    private long outcomesDigest;
    private long leaderlessSince;

    SimulatedCell(Scenario scenario, long seed, SchedulerTypes types) {
        random = new SplittableRandom(seed);
        level = scenario.level();
        laneBytes = 1_024L * scenario.laneKib();
        network = new SimulatedNetwork(heap, random.split());
        group = new LogGroup(network);
        replyLoss = random.split();
        for (int place = 1; place <= scenario.replicas(); place++) {
            SimulatedProcess process = new SimulatedProcess("r" + place, heap);
            replicas.add(
                    new SimulatedReplica(process, group, LIMITS.withLaneBytes(laneBytes), history, random.split()));
        }
        scenario.schedulers().forEach(spec -> schedulers.add(scheduler(spec, types)));
        for (int place = 0; place < scenario.agents(); place++) {
            agents.add(new SimulatedAgent(this, new SimulatedProcess("agent-" + place, heap)));
        }
        for (int place = 0; place < scenario.machines(); place++) {
            addMachine(place, agents.get(place * scenario.agents() / scenario.machines()));
        }
        submitter = new Submitter(
                this,
                new SimulatedProcess("users", heap),
                random.split(),
                scenario.schedulers().stream()
                        .map(SchedulerSpec::name)
                        .distinct()
                        .toList(),
                scenario.pools(),
                scenario.load());
        history.contendedWeights.putAll(scenario.pools());
    }

    private SimulatedScheduler<?> scheduler(SchedulerSpec spec, SchedulerTypes types) {
        SchedulerProvider provider = types.find(spec.type())
                .orElseThrow(() -> new IllegalArgumentException("no scheduler type " + spec.type()));
        Scheduler<?> made = provider.create(SchedulerOptions.of(provider.options(), spec.options()));
        history.decisionMillis.put(spec.name(), spec.decisionMillis());
        return scheduler(spec, made);
    }

    private <M> SimulatedScheduler<M> scheduler(SchedulerSpec spec, Scheduler<M> made) {
        String instance = "i" + schedulers.size();
        SimulatedProcess process = new SimulatedProcess("scheduler-" + spec.name() + "-" + instance, heap);
        return new SimulatedScheduler<>(
                this,
                process,
                spec.name(),
                instance,
                spec.type(),
                made,
                spec.decisionMillis() * DueEvents.MILLI,
                random.nextLong());
    }

    private void addMachine(int place, SimulatedAgent agent) {
        Amounts capacity = Amounts.of(4_000, 8_192);
        SimulatedMachine machine = new SimulatedMachine(
                this,
                agent,
                new SimulatedProcess("m" + place, heap),
                capacity,
                Map.of("rack", "rack-" + place / MACHINES_A_RACK),
                random.split());
        agent.add(machine);
        machines.put(machine.name(), machine);
        history.capacities.put(machine.name(), capacity);
    }

    // ---- the run

    /** Starts everything, and submits the load over {@code loadMillis} milliseconds. */
    void start(long loadMillis) {
        replicas.forEach(SimulatedReplica::start);
        schedulers.forEach(SimulatedScheduler::start);
        for (SimulatedMachine machine : machines.values()) {
            machine.startGuard();
        }
        agents.forEach(SimulatedAgent::start);
        if (level > 1) {
            submitter.raiseLevel(level);
        }
        submitter.start(loadMillis);
        sample();
    }

    void runUntil(long millis) {
        heap.runUntil(millis * DueEvents.MILLI);
    }

    /** From now on no task ends by itself, so that the agents' tasks can be compared with the cell. */
    void quiet() {
        quiet = true;
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Adds to the history what is known only at the end. */
    void finish() {
        for (LogGroup.Applied entry : group.entries()) {
            byte[] bytes = entry.bytes();
            if (bytes != null) {
                history.log.add(new History.LogEntry(entry.atNanos(), bytes));
            }
        }
        history.logDivergences.addAll(group.divergences());
        schedulers.forEach(SimulatedScheduler::recordFigures);
        replicas.stream().filter(each -> each.process().isRunning()).forEach(SimulatedReplica::recordState);
        noteLeader();
        if (leaderlessSince >= 0) {
            history.leaderless.add(new History.Leaderless(leaderlessSince, heap.nowNanos()));
        }
        machines.values().forEach(machine -> history.running.put(machine.name(), machine.placements()));
        agents.stream().filter(agent -> agent.process().isRunning()).forEach(this::noteTended);
        history.ended(heap.nowNanos());
    }

    /** Its machines that have power, and that no fault keeps from working. */
    private void noteTended(SimulatedAgent agent) {
        for (SimulatedMachine machine : agent.machines()) {
            if (!machine.isDead() && !history.broken.contains(machine.name())) {
                history.tended.add(machine.name());
            }
        }
    }

    // ---- what happens by the way

    private void sample() {
        noteLeader();
        Optional<SimulatedReplica> shown = mostAdvanced();
        shown.ifPresent(replica -> replica.replica().read(view -> sample(view)));
        heap.after(SAMPLE_NANOS, this::sample);
    }

    private boolean sample(CellView view) {
        TaskCounts tasks = view.taskCounts();
        timeline.add(new Timeline.Sample(
                heap.nowMillis(),
                serving().map(SimulatedReplica::name),
                placements,
                conflicts,
                tasks.of(TaskState.PENDING),
                tasks.of(TaskState.RUNNING)));
        return true;
    }

    private void noteLeader() {
        boolean led = serving().isPresent();
        if (led && leaderlessSince >= 0) {
            history.leaderless.add(new History.Leaderless(leaderlessSince, heap.nowNanos()));
            leaderlessSince = -1;
        } else if (!led && leaderlessSince < 0) {
            leaderlessSince = heap.nowNanos();
        }
    }

    Optional<SimulatedReplica> serving() {
        return replicas.stream()
                .filter(replica -> replica.leads() && !replica.process().isStopped())
                .findFirst();
    }

    private Optional<SimulatedReplica> mostAdvanced() {
        return replicas.stream()
                .filter(replica -> replica.process().isAlive())
                .reduce((one, other) ->
                        one.replica().version().isAfter(other.replica().version()) ? one : other);
    }

    void decided(String scheduler, Outcome outcome) {
        placements += outcome.accepted();
        conflicts += outcome.isConflicted() ? 1 : 0;
        outcomesDigest = Digests.mix(outcomesDigest, Digests.of(scheduler));
        outcomesDigest = Digests.mix(outcomesDigest, Digests.of(outcome.id().text()));
        outcomesDigest = Digests.mix(outcomesDigest, outcome.version().number());
    }

    void recordRead(SimulatedProcess client, long askedAt, long version) {
        history.reads.add(new History.Read(client.name(), askedAt, heap.nowNanos(), version));
    }

    /** Equal for two runs with the same events. */
    long digest() {
        long digest = Digests.mix(heap.digest(), heap.events());
        digest = Digests.mix(digest, outcomesDigest);
        for (History.LogEntry entry : history.log) {
            digest = Digests.mix(digest, Digests.of(entry.bytes()));
        }
        return Digests.mix(digest, history.started.size());
    }

    // ---- parts

    DueEvents heap() {
        return heap;
    }

    History history() {
        return history;
    }

    Timeline timeline() {
        return timeline;
    }

    SimulatedNetwork network() {
        return network;
    }

    LogGroup group() {
        return group;
    }

    List<SimulatedReplica> replicas() {
        return replicas;
    }

    List<SimulatedScheduler<?>> schedulers() {
        return schedulers;
    }

    List<SimulatedAgent> agents() {
        return agents;
    }

    Map<String, SimulatedMachine> machines() {
        return machines;
    }

    Submitter submitter() {
        return submitter;
    }

    long laneBytes() {
        return laneBytes;
    }

    SplittableRandom split() {
        return random.split();
    }

    /** Reads the most advanced replica. */
    <T> Optional<T> read(Function<CellView, T> question) {
        return mostAdvanced().map(SimulatedReplica::replica).map((Replica replica) -> replica.read(question));
    }

    // ---- lost replies

    void loseReplies(int percent) {
        replyLossPercent = percent;
    }

    boolean losesReplyTo(SimulatedProcess client) {
        boolean lost = replyLossPercent > 0 && replyLoss.nextInt(100) < replyLossPercent;
        repliesLost += lost ? 1 : 0;
        return lost;
    }

    long repliesLost() {
        return repliesLost;
    }
}
