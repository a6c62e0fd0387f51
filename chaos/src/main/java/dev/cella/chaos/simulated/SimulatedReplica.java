package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.Threads;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * One process of the replicated store: the production {@link Replica} on a simulated log, disk and store. It can be killed
 * and started again; a replica that leaves because its disk failed is started again by its supervisor. One that may not
 * start on what its disk has is replaced.
 */
final class SimulatedReplica {
    private static final long SUPERVISOR_NANOS = 2_000 * DueEvents.MILLI;
    /** One entry in this many gets its digest recorded. */
    private static final int ENTRIES_A_DIGEST = 8;

    private final SimulatedProcess process;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimulatedStore store = new SimulatedStore();
    private final LogGroup group;
    private final ReplicaLimits limits;
    private final History history;
    private final SplittableRandom random;
    private SimulatedLog log;
    private Replica replica;
    private boolean started;
    private long departures;
    private long powerLosses;

    SimulatedReplica(
            SimulatedProcess process, LogGroup group, ReplicaLimits limits, History history, SplittableRandom random) {
        this.process = process;
        this.group = group;
        this.limits = limits;
        this.history = history;
        this.random = random;
        this.log = newLog();
        this.replica = newReplica();
    }

    private SimulatedLog newLog() {
        SimulatedLog made = new SimulatedLog(process, disk, store, group, random.split());
        made.afterEachEntry(this::recordDigest);
        return made;
    }

    private Replica newReplica() {
        return new Replica(
                new Command.FoundCell(new CellName("simulated"), new Incarnation(1)),
                Membership.alone(),
                log,
                store,
                limits,
                process.time(),
                new Threads(process::soon, process::soon, process::soon),
                (message, cause) -> depart());
    }

    private void recordDigest() {
        if (log.applied() % ENTRIES_A_DIGEST == 0) {
            recordState();
        }
    }

    /** Writes into the history what this replica shows now. */
    void recordState() {
        history.replicaStates.add(new History.ReplicaState(
                name(), process.nowNanos(), replica.version().number(), replica.read(CellView::digest)));
    }

    String name() {
        return process.name();
    }

    SimulatedProcess process() {
        return process;
    }

    SimulatedDisk disk() {
        return disk;
    }

    SimulatedStore store() {
        return store;
    }

    SimulatedLog log() {
        return log;
    }

    Replica replica() {
        return replica;
    }

    /** How often it left by itself. */
    long departures() {
        return departures;
    }

    /** How many entries power losses took from it. */
    long entriesLost() {
        return powerLosses;
    }

    boolean leads() {
        return process.isAlive() && replica.leads();
    }

    private void depart() {
        departures++;
        if (process.isAlive()) {
            kill();
        }
        process.afterDeath(SUPERVISOR_NANOS, this::start);
    }

    void kill() {
        process.kill();
    }

    void losePower() {
        process.losePower();
        powerLosses += disk.losePower();
    }

    void wipe() {
        process.kill();
        disk.wipe();
        store.wipe();
    }

    /** Starts it on the content of its disk; does nothing if it runs. */
    void start() {
        if (process.isAlive() && started) {
            return;
        }
        process.start();
        log = newLog();
        replica = newReplica();
        started = true;
        try {
            replica.start();
        } catch (IOException failure) {
            depart();
        } catch (StartRefusedException refused) {
            replaceIfWhole();
            depart();
        }
    }

    /** As an operator does when a replica is refused on what its disk has: it begins again on an empty one. */
    private void replaceIfWhole() {
        if (group.isWholeWithout(name())) {
            wipe();
        }
    }
}
