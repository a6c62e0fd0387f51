package dev.cella.scheduler.batch.megha;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * One of Megha's schedulers: it has a view of all workers, which may be stale, and matches the tasks of its users to
 * workers that are free in it (IV-B, Figure 2).
 *
 * <p>It looks in its internal partitions first, which are its own at each local master, then in the external ones, and takes a
 * worker there by a repartition. If it finds none, and the task's user has less than its share, it takes a worker from the user
 * with the largest violation. Otherwise the task waits for the next state that a local master sends.
 *
 * <p>A step machine without time: the caller carries the requests to the local masters and brings their answers.
 *
 * @param <T> what the caller calls a task
 */
public final class GlobalMaster<T> {
    /** How a worker is chosen among those that are free in the view. */
    public enum Choice {
        /** The paper's: partitions in turns, and the first worker of the next one. */
        FIRST_IN_TURNS,
        /** The authors' public simulator's: any partition that is not full, and any worker of it. */
        RANDOM,
        /**
         * The first version's of that simulator: local masters in turns, always from the first other global master on, and the
         * first worker.
         */
        FIRST_IN_ORDER
    }

    /**
     * A task that waits for a worker.
     *
     * @param required a bit vector for each constraint; a worker must have all these bits
     * @param rank the lowest goes first; among equals, the one that came first
     */
    public record Waiting<T>(T task, int user, List<WorkerBits> required, long rank, long arrival) {}

    /**
     * The placement that a local master has to verify.
     *
     * @param isExternal whether it is a repartition: the worker is in another global master's partition
     * @param victim the user whose task ends for this one, or {@link UserShares#NOBODY}
     */
    public record Request<T>(Waiting<T> waiting, int worker, boolean isExternal, int victim) {}

    private final Federation federation;
    private final int number;
    private final Choice choice;
    private final UserShares shares;
    private final RandomGenerator random;
    private final WorkerBits view;

    /** By worker, as the local masters said last; empty if there is one user. */
    private final int[] users;

    /** By user: the number of its workers in the view. */
    private final int[] used;

    private final List<PriorityQueue<Waiting<T>>> queues = new ArrayList<>();
    private int nextQueue;
    private int nextInternal;
    private int nextExternal;
    private long arrivals;

    /** The view begins with all workers free. */
    public GlobalMaster(Federation federation, int number, Choice choice, UserShares shares, RandomGenerator random) {
        this.federation = federation;
        this.number = number;
        this.choice = choice;
        this.shares = shares;
        this.random = random;
        this.view = new WorkerBits(federation.workers());
        this.users = new int[shares.users() > 1 ? federation.workers() : 0];
        this.used = new int[shares.users()];
        Arrays.fill(users, UserShares.NOBODY);
        view.fill(0, federation.workers());
        for (int user = 0; user < shares.users(); user++) {
            queues.add(new PriorityQueue<>(
                    Comparator.comparingLong(Waiting<T>::rank).thenComparingLong(Waiting::arrival)));
        }
    }

    public void submit(T task, int user, List<WorkerBits> required, long rank) {
        queues.get(user).add(new Waiting<>(task, user, required, rank, arrivals++));
    }

    /** A task that was refused, or whose worker was taken, waits again in its old place. */
    public void putBack(Waiting<T> waiting) {
        queues.get(waiting.user()).add(waiting);
    }

    /** The same, in the place of another rank. */
    public void putBack(Waiting<T> waiting, long rank) {
        putBack(new Waiting<>(waiting.task(), waiting.user(), waiting.required(), rank, waiting.arrival()));
    }

    public int waiting() {
        return queues.stream().mapToInt(PriorityQueue::size).sum();
    }

    // ---- the view

    /** A local master sent its present state. */
    public void learn(ClusterState state) {
        int begin = federation.clusterBegin(state.localMaster());
        int end = federation.clusterEnd(state.localMaster());
        view.copy(state.free(), begin, end);
        for (int worker = begin; worker < end && users.length > 0; worker++) {
            setUser(worker, state.users()[worker - begin]);
        }
    }

    private void take(int worker, int user) {
        view.set(worker, false);
        setUser(worker, user);
    }

    private void setUser(int worker, int user) {
        if (users.length == 0) {
            return;
        }
        if (users[worker] != UserShares.NOBODY) {
            used[users[worker]]--;
        }
        users[worker] = user;
        if (user != UserShares.NOBODY) {
            used[user]++;
        }
    }

    // ---- the match operation

    /** Matches what it can: the users' queues in turns, until no queue can go on. */
    public List<Request<T>> match() {
        List<Request<T>> requests = new ArrayList<>();
        List<Waiting<T>> unmatched = new ArrayList<>();
        boolean[] isBlocked = new boolean[queues.size()];
        int blocked = 0;
        while (blocked < queues.size()) {
            int user = nextQueue;
            nextQueue = (nextQueue + 1) % queues.size();
            Waiting<T> waiting = isBlocked[user] ? null : queues.get(user).poll();
            Optional<Request<T>> request = waiting == null ? Optional.empty() : match(waiting);
            request.ifPresent(requests::add);
            if (waiting != null && request.isEmpty()) {
                unmatched.add(waiting);
            }
            boolean isEnd =
                    waiting == null || (request.isEmpty() && waiting.required().isEmpty());
            if (isEnd && !isBlocked[user]) {
                isBlocked[user] = true;
                blocked++;
            }
        }
        unmatched.forEach(this::putBack);
        return requests;
    }

    private Optional<Request<T>> match(Waiting<T> waiting) {
        int worker = internal(waiting.required());
        boolean isExternal = false;
        int victim = UserShares.NOBODY;
        if (worker == WorkerBits.NONE) {
            worker = external(waiting.required());
            isExternal = worker != WorkerBits.NONE;
        }
        if (worker == WorkerBits.NONE && shares.isBelow(waiting.user(), used[waiting.user()])) {
            victim = shares.largestViolator(used);
            worker = workerOf(victim, waiting);
        }
        if (worker == WorkerBits.NONE) {
            return Optional.empty();
        }
        take(worker, waiting.user());
        return Optional.of(new Request<>(waiting, worker, isExternal, victim));
    }

    private int internal(List<WorkerBits> required) {
        if (choice == Choice.FIRST_IN_ORDER) {
            return inOrder(number, required);
        }
        int locals = federation.localMasters();
        if (choice == Choice.RANDOM) {
            return inAny(number * locals, (number + 1) * locals, false, required);
        }
        int start = nextInternal++ % locals;
        for (int i = 0; i < locals; i++) {
            int worker = workerIn((start + i) % locals, number, required);
            if (worker != WorkerBits.NONE) {
                return worker;
            }
        }
        return WorkerBits.NONE;
    }

    /**
     * In any of these partitions that has such a worker, each as likely as another. They are numbered by global master, then
     * by local master.
     */
    private int inAny(int from, int to, boolean onlyExternal, List<WorkerBits> required) {
        int[] having = IntStream.range(from, to)
                .filter(partition -> !onlyExternal || globalOf(partition) != number)
                .filter(partition -> firstIn(localOf(partition), globalOf(partition), required) != WorkerBits.NONE)
                .toArray();
        if (having.length == 0) {
            return WorkerBits.NONE;
        }
        int partition = having[random.nextInt(having.length)];
        return workerIn(localOf(partition), globalOf(partition), required);
    }

    private int globalOf(int partition) {
        return partition / federation.localMasters();
    }

    private int localOf(int partition) {
        return partition % federation.localMasters();
    }

    /** In the partitions of that global master. The next search goes on with the next local master. */
    private int inOrder(int global, List<WorkerBits> required) {
        for (int i = 0; i < federation.localMasters(); i++) {
            int worker = workerIn(nextInternal++ % federation.localMasters(), global, required);
            if (worker != WorkerBits.NONE) {
                return worker;
            }
        }
        return WorkerBits.NONE;
    }

    private int externalInOrder(List<WorkerBits> required) {
        for (int global = 0; global < federation.globalMasters(); global++) {
            int worker = global == number ? WorkerBits.NONE : inOrder(global, required);
            if (worker != WorkerBits.NONE) {
                return worker;
            }
        }
        return WorkerBits.NONE;
    }

    private int external(List<WorkerBits> required) {
        if (choice == Choice.FIRST_IN_ORDER) {
            return externalInOrder(required);
        }
        int partitions = federation.localMasters() * federation.globalMasters();
        if (choice == Choice.RANDOM) {
            return inAny(0, partitions, true, required);
        }
        int start = nextExternal++ % partitions;
        for (int i = 0; i < partitions; i++) {
            int partition = (start + i) % partitions;
            int global = globalOf(partition);
            if (global != number) {
                int worker = workerIn(localOf(partition), global, required);
                if (worker != WorkerBits.NONE) {
                    return worker;
                }
            }
        }
        return WorkerBits.NONE;
    }

    private int workerIn(int local, int global, List<WorkerBits> required) {
        return switch (choice) {
            case FIRST_IN_TURNS, FIRST_IN_ORDER -> firstIn(local, global, required);
            case RANDOM ->
                view.random(
                        federation.firstWorker(local, global), federation.endWorker(local, global), required, random);
        };
    }

    private int firstIn(int local, int global, List<WorkerBits> required) {
        return view.first(federation.firstWorker(local, global), federation.endWorker(local, global), required);
    }

    /** A worker of the violator's in the view, from a random one on. */
    private int workerOf(int victim, Waiting<T> waiting) {
        if (victim == UserShares.NOBODY || victim == waiting.user()) {
            return WorkerBits.NONE;
        }
        int start = random.nextInt(users.length);
        for (int i = 0; i < users.length; i++) {
            int worker = (start + i) % users.length;
            if (users[worker] == victim && waiting.required().stream().allMatch(each -> each.get(worker))) {
                return worker;
            }
        }
        return WorkerBits.NONE;
    }
}
