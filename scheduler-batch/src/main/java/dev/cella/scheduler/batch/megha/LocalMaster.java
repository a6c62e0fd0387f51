package dev.cella.scheduler.batch.megha;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The truth about the workers of one cluster. It verifies what global masters ask for, because their views may be stale, and
 * each of its answers can bring the present state (IV-A, IV-B6).
 */
public final class LocalMaster {
    private final int number;
    private final int firstWorker;
    private final int endWorker;
    private final WorkerBits free;
    private final int[] users;

    /** The state that was sent last. Nothing has changed since if it is here. */
    private @Nullable ClusterState sent;

    /** @param knowsUsers whether more than one user shares the workers */
    public LocalMaster(Federation federation, int number, boolean knowsUsers) {
        this.number = number;
        this.firstWorker = federation.clusterBegin(number);
        this.endWorker = federation.clusterEnd(number);
        this.free = new WorkerBits(firstWorker, endWorker);
        this.users = new int[knowsUsers ? endWorker - firstWorker : 0];
        Arrays.fill(users, UserShares.NOBODY);
        free.fill(firstWorker, endWorker);
    }

    /** Takes the worker for the user if it is free. The answer "no" is an inconsistency of the asker's view. */
    public boolean launch(int worker, int user) {
        if (!free.get(worker)) {
            return false;
        }
        setFree(worker, false);
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
        setFree(worker, true);
        setUser(worker, UserShares.NOBODY);
    }

    private void setFree(int worker, boolean isFree) {
        free.set(worker, isFree);
        sent = null;
    }

    private void setUser(int worker, int user) {
        if (users.length > 0) {
            users[worker - firstWorker] = user;
            sent = null;
        }
    }

    /** The present state, as a copy. Many may wait for a busy global master, so equal ones in a row are one. */
    public ClusterState state() {
        ClusterState known = sent;
        if (known == null) {
            WorkerBits copy = new WorkerBits(firstWorker, endWorker);
            copy.copy(free, firstWorker, endWorker);
            known = new ClusterState(number, copy, users.clone());
            sent = known;
        }
        return known;
    }
}
