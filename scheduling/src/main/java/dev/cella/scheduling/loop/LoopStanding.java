package dev.cella.scheduling.loop;

import dev.cella.scheduling.PoolStanding;
import dev.cella.scheduling.Standing;
import dev.cella.scheduling.Waiting;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.CellTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait at one moment, read from the loop's own queues without a copy. Valid for one call of the agenda.
 */
final class LoopStanding implements Standing {
    private final CellTime now;
    private final OpenJobs jobs;
    private final List<SleepingJobs.Woken> woken;
    private final IntFunction<CellView> views;
    private final Predicate<OpenJob> mayBegin;

    /**
     * The jobs that wait now.
     *
     * @param views the copy of the cell at a place
     * @param mayBegin whether the job may have a turn now; other jobs do not wait
     */
    LoopStanding(CellTime now, OpenJobs jobs, IntFunction<CellView> views, Predicate<OpenJob> mayBegin) {
        this.now = now;
        this.jobs = jobs;
        this.views = views;
        this.mayBegin = mayBegin;
        List<SleepingJobs.Woken> sleepers = jobs.woken();
        if (sleepers.size() > 1) {
            sleepers = new ArrayList<>(sleepers);
            sleepers.sort(Comparator.comparing(SleepingJobs.Woken::job));
        }
        this.woken = sleepers;
    }

    @Override
    public CellTime now() {
        return now;
    }

    /** Returns whether no job waits. */
    boolean isEmpty() {
        boolean noneWaits = woken.isEmpty() && jobs.queue().isEmpty();
        return noneWaits || !jobs().hasNext();
    }

    /** The woken sleeper of that job, if a machine of its own cell woke it. */
    Optional<SleepingJobs.Woken> wokenAtHome(OpenJob job) {
        for (int place = firstWoken(job); isWoken(job, place); place++) {
            if (woken.get(place).cell() == job.key().cell()) {
                return Optional.of(woken.get(place));
            }
        }
        return Optional.empty();
    }

    private boolean isWoken(OpenJob job, int place) {
        return place < woken.size() && woken.get(place).job().equals(job);
    }

    /** The place at which the wakes of the job begin, if it has any. They are sorted by job, so its own stand together. */
    private int firstWoken(OpenJob job) {
        int low = 0;
        int high = woken.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (woken.get(middle).job().compareTo(job) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    boolean waits(OpenJob job) {
        return mayBegin.test(job) && (job.phase == OpenJob.Phase.READY || isWoken(job, firstWoken(job)));
    }

    @Override
    public Iterator<Waiting> jobs() {
        return new Merged(jobs.queue().iterator(), woken.iterator());
    }

    @Override
    public Iterator<Waiting> jobs(PoolStanding pool) {
        PoolQueues.Pool key = new PoolQueues.Pool(pool.cell(), pool.path());
        PoolQueues.Waits waits = queues().pools().get(key);
        Iterator<SleepingJobs.Woken> sleepers = woken.stream()
                .filter(each -> PoolQueues.poolOf(each.job()).equals(key))
                .iterator();
        return new Merged(
                waits == null ? List.<OpenJob>of().iterator() : waits.queue().iterator(), sleepers);
    }

    @Override
    public List<PoolStanding> pools() {
        List<PoolStanding> standing = new ArrayList<>();
        queues().pools().forEach((pool, waits) -> {
            CellView view = views.apply(pool.cell());
            Optional<PoolRow> row = view.pool(pool.path());
            row.ifPresent(known -> standing.add(
                    new PoolStanding(pool.cell(), known, view.dimensions(), waits.demand(), waits.jobs())));
        });
        return standing;
    }

    private PoolQueues queues() {
        return jobs.pools()
                .orElseThrow(
                        () -> new IllegalStateException("this agenda does not say that it looks at pools: perPool"));
    }

    /** Merges two sorted sequences, without the jobs that may not begin now. */
    private final class Merged implements Iterator<Waiting> {
        private final Iterator<OpenJob> queue;
        private final Iterator<SleepingJobs.Woken> sleepers;
        private @Nullable OpenJob queued;
        private @Nullable OpenJob asleep;

        Merged(Iterator<OpenJob> queue, Iterator<SleepingJobs.Woken> sleepers) {
            this.queue = queue;
            this.sleepers = sleepers;
            queued = nextOfQueue();
            asleep = nextOfSleepers();
        }

        private @Nullable OpenJob nextOfQueue() {
            while (queue.hasNext()) {
                OpenJob next = queue.next();
                if (mayBegin.test(next)) {
                    return next;
                }
            }
            return null;
        }

        /** A job that several of its wakes have woken is there several times, one after another. */
        private @Nullable OpenJob nextOfSleepers() {
            OpenJob before = asleep;
            while (sleepers.hasNext()) {
                OpenJob next = sleepers.next().job();
                if (!Objects.equals(next, before) && mayBegin.test(next)) {
                    return next;
                }
            }
            return null;
        }

        @Override
        public boolean hasNext() {
            return queued != null || asleep != null;
        }

        @Override
        public Waiting next() {
            OpenJob ready = queued;
            OpenJob sleeper = asleep;
            if (ready != null && (sleeper == null || ready.compareTo(sleeper) < 0)) {
                queued = nextOfQueue();
                return ready;
            }
            if (sleeper == null) {
                throw new NoSuchElementException("nothing more waits");
            }
            asleep = nextOfSleepers();
            return sleeper;
        }
    }
}
