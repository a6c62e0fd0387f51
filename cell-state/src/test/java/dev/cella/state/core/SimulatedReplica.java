package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.core.SimulatedGroup.Member;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A replica in one thread, under a simulated log and in manual time. A test can kill it and start it again on its store.
 */
public final class SimulatedReplica {
    private final SimulatedGroup group;
    private final MemoryStore store = new MemoryStore();
    private final ReplicaLimits limits;
    private final ManualTime time;
    private final List<String> departures = new ArrayList<>();
    /** The calls of the store that wait while it is blocked. */
    private final TaskQueue blocked = new TaskQueue();

    private boolean storeIsBlocked;
    private TaskQueue queue;
    private Member member;
    private Replica replica;

    public SimulatedReplica(SimulatedGroup group, ReplicaLimits limits, ManualTime time)
            throws IOException, StartRefusedException {
        this.group = group;
        this.limits = limits;
        this.time = time;
        restart();
    }

    /** The former run is dead: its threads never run again. */
    void restart() throws IOException, StartRefusedException {
        if (member != null) {
            member.close();
        }
        queue = new TaskQueue();
        member = group.join("r" + System.identityHashCode(this));
        replica = new Replica(
                new Command.FoundCell(
                        new CellName("sim"), new Incarnation(group.entries().size() + 1)),
                Membership.alone(),
                member,
                store,
                limits,
                time,
                new Threads(queue, queue, this::persist),
                (message, cause) -> departures.add(message));
        replica.start();
    }

    private void persist(Runnable task) {
        (storeIsBlocked ? blocked : queue).execute(task);
    }

    /** From now on the disk does not answer the store. */
    void blockStore() {
        storeIsBlocked = true;
    }

    void unblockStore() {
        storeIsBlocked = false;
        blocked.runAll();
    }

    public Replica replica() {
        return replica;
    }

    Member member() {
        return member;
    }

    MemoryStore store() {
        return store;
    }

    List<String> departures() {
        return departures;
    }

    /** Gets the other's newest checkpoint in place of the log up to there, if that is further than its own state. */
    void jumpToCheckpointOf(SimulatedReplica other) throws IOException {
        member.jumpTo(other.store.newestPosition(), () -> store.receiveNewestOf(other.store));
    }

    /** The same, but a byte of the checkpoint is another one when it arrives. */
    void jumpToDamagedCheckpointOf(SimulatedReplica other) throws IOException {
        member.jumpTo(other.store.newestPosition(), () -> {
            store.receiveNewestOf(other.store);
            store.tearNewest();
        });
    }

    /** The same, but the checkpoint is at a feature level that this program does not know. */
    void jumpToNewerCheckpointOf(SimulatedReplica other) throws IOException {
        member.jumpTo(other.store.newestPosition(), () -> {
            store.receiveNewestOf(other.store);
            store.raiseNewest();
        });
    }

    /** How often a thread has been given something to do since the start. */
    int tasksTaken() {
        return queue.taken();
    }

    void runThreads() {
        queue.runAll();
    }

    /** Becomes the leader and runs until nothing is left to do. */
    public void lead() {
        group.elect(member, 0);
        settle();
        assertThat(replica.ready()).isCompleted();
    }

    /** Runs until nothing is left to do without time passing. */
    public void settle() {
        do {
            decideNext();
        } while (group.hasProposals());
    }

    /** Decides the entry that was proposed first, and runs everything that follows from it. */
    public void decideNext() {
        queue.runAll();
        group.commitNext();
        while (member.isBehind()) {
            member.deliverNext();
        }
        queue.runAll();
    }

    public CommandResult ask(Command command) {
        CompletableFuture<CommandResult> answer = replica.submit(Lane.OPERATORS, Samples.TEST, command);
        settle();
        assertThat(answer).isDone();
        return answer.join();
    }

    long digest() {
        return replica.read(CellView::digest);
    }
}
