package dev.cella.scheduler.batch.megha;

import java.util.Arrays;

/**
 * The truth about the workers of one cluster. It verifies what global masters ask for, because their views may be stale, and
 * each of its answers can bring the present state (IV-A, IV-B6).
 */
public final class LocalMaster {
    private final Federation federation;
    private final int number;
    private final int firstWorker;
    private final WorkerBits free;
    private final int[] users;

    /** @param knowsUsers whether more than one user shares the workers */
    public LocalMaster(Federation federation, int number, boolean knowsUsers) {
        this.federation = federation;
        this.number = number;
        this.firstWorker = federation.clusterBegin(number);
        this.free = new WorkerBits(federation.workers());
        this.users = new int[knowsUsers ? federation.clusterEnd(number) - firstWorker : 0];
        Arrays.fill(users, UserShares.NOBODY);
        free.fill(firstWorker, federation.clusterEnd(number));
    }

    /** Takes the worker for the user if it is free. The answer "no" is an inconsistency of the asker's view. */
    public boolean launch(int worker, int user) {
        if (!free.get(worker)) {
            return false;
        }
        free.set(worker, false);
        setUser(worker, user);
        return true;
    }

    /** Gives the worker of one user to another, if it still runs a task of that one. The caller ends that task. */
    public boolean preempt(int worker, int victim, int user) {
        if (users.length == 0 || users[worker - firstWorker] != victim) {
            return false;
        }
        setUser(worker, user);
        return true;
    }

    /** The task on the worker has ended. */
    public void end(int worker) {
        free.set(worker, true);
        setUser(worker, UserShares.NOBODY);
    }

    private void setUser(int worker, int user) {
        if (users.length > 0) {
            users[worker - firstWorker] = user;
        }
    }

    /** The present state, as a copy. */
    public ClusterState state() {
        WorkerBits copy = new WorkerBits(federation.workers());
        copy.copy(free, firstWorker, federation.clusterEnd(number));
        return new ClusterState(number, copy, users.clone());
    }
}
