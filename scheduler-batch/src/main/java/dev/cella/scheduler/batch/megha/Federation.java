package dev.cella.scheduler.batch.megha;

/**
 * How the workers are divided: each local master has a cluster, and each cluster has one partition for each global master. All
 * are numbers from 0; worker numbers run through the partitions of the first cluster, then through those of the second.
 */
public record Federation(int workers, int globalMasters, int localMasters) {
    public Federation {
        if (globalMasters < 1 || localMasters < 1) {
            throw new IllegalArgumentException("a federation has at least one global and one local master, not "
                    + globalMasters + " and " + localMasters);
        }
        if (workers < (long) globalMasters * localMasters) {
            throw new IllegalArgumentException(workers + " workers are too few: each of " + localMasters
                    + " local masters has a partition for each of " + globalMasters + " global masters");
        }
    }

    /** The first worker of the partition that the local master keeps for the global one. */
    public int firstWorker(int local, int global) {
        return (int) ((long) workers * (local * globalMasters + global) / ((long) globalMasters * localMasters));
    }

    /** The first worker after that partition. */
    public int endWorker(int local, int global) {
        boolean isLast = global == globalMasters - 1;
        if (isLast) {
            return local == localMasters - 1 ? workers : firstWorker(local + 1, 0);
        }
        return firstWorker(local, global + 1);
    }

    /** The first worker of the local master's cluster, and the first after it. */
    public int clusterBegin(int local) {
        return firstWorker(local, 0);
    }

    public int clusterEnd(int local) {
        return endWorker(local, globalMasters - 1);
    }

    /** The global master that owns the worker's partition. */
    public int globalMaster(int worker) {
        int local = localMaster(worker);
        int global = 0;
        while (worker >= endWorker(local, global)) {
            global++;
        }
        return global;
    }

    /** The local master of the worker's cluster. */
    public int localMaster(int worker) {
        int local = (int) ((long) worker * localMasters / workers);
        while (worker >= clusterEnd(local)) {
            local++;
        }
        while (worker < clusterBegin(local)) {
            local--;
        }
        return local;
    }
}
