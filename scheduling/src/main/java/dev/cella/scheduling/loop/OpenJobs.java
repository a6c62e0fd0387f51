package dev.cella.scheduling.loop;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The scheduler's jobs that have not ended, each in one phase: in the queue, being planned, resting until a time, asleep until
 * there is room, or with nothing to plan. Every change of phase goes through here, so that no job is in two places. Owned by
 * {@link SchedulerLoop}.
 */
final class OpenJobs {
    /** How many of the most important jobs count one placement behind them, and how many others: a bound on what it costs. */
    private static final int OVERTAKEN_MAX = 16;

    private static final Comparator<OpenJob> BY_IMPORTANCE = Comparator.comparingInt(
                    (OpenJob job) -> job.header.priority())
            .reversed()
            .thenComparing(Comparator.naturalOrder());

    private static final Comparator<OpenJob> BY_ALARM = Comparator.comparing((OpenJob job) -> job.alarm.orElseThrow())
            .thenComparing(job -> job.id.version())
            .thenComparing(job -> job.key().cell());

    private final List<Map<JobId, OpenJob>> jobs = new ArrayList<>();
    private final List<SleepingJobs> sleeping = new ArrayList<>();
    private final List<PolicyWaits> policies = new ArrayList<>();
    private final Map<JobKey, OpenJob> waiting = new LinkedHashMap<>();
    private final EnumMap<Phase, Integer> counts = new EnumMap<>(Phase.class);
    private final TreeSet<OpenJob> queue = new TreeSet<>();
    private final TreeSet<OpenJob> alarms = new TreeSet<>(BY_ALARM);

    /** Those that sleep until they are overtaken, and those that may be while they are planned. */
    private final TreeSet<OpenJob> overtakable = new TreeSet<>(BY_IMPORTANCE);

    private Optional<OpenJob> lastToCount = Optional.empty();
    private final QueueOrder order;
    private final RetryOrder retryOrder;
    private final Optional<PoolQueues> pools;
    private long rounds;

    /**
     * @param perPool whether to keep a queue for the jobs of each pool, too
     */
    OpenJobs(QueueOrder order, RetryOrder retryOrder, boolean perPool) {
        this.order = order;
        this.retryOrder = retryOrder;
        this.pools = perPool ? Optional.of(new PoolQueues()) : Optional.empty();
    }

    /** One more cell. Jobs of any cell sleep until it has room. */
    void addCell(SleepingJobs sleepers, PolicyWaits waits) {
        jobs.add(new LinkedHashMap<>());
        sleeping.add(sleepers);
        policies.add(waits);
    }

    Collection<OpenJob> all(int cell) {
        return jobs.get(cell).values();
    }

    Optional<OpenJob> find(int cell, JobId id) {
        return Optional.ofNullable(jobs.get(cell).get(id));
    }

    Optional<OpenJob> find(JobKey key) {
        return key.cell() < jobs.size() ? find(key.cell(), key.id()) : Optional.empty();
    }

    /** Jobs that are not idle, the longest waiting first. */
    Collection<OpenJob> waiting() {
        return waiting.values();
    }

    /** Jobs in the queue, in order. */
    SortedSet<OpenJob> queue() {
        return queue;
    }

    /** The places of the first {@code max} jobs in the queue, from 1. */
    Map<JobKey, Integer> placesInQueue(int max) {
        Map<JobKey, Integer> places = new HashMap<>();
        for (OpenJob job : queue) {
            if (places.size() == max) {
                break;
            }
            places.put(job.key(), places.size() + 1);
        }
        return places;
    }

    Optional<PoolQueues> pools() {
        return pools;
    }

    /** The job is ours from now on, and has nothing to plan yet. */
    OpenJob open(int cell, JobRow row, CellTime now, OpenJob.Open open) {
        JobKey key = new JobKey(cell, row.id());
        OpenJob job = new OpenJob(key, order, row.header(), row.generation(), now, open);
        jobs.get(cell).put(job.id, job);
        counts.merge(job.phase, 1, Integer::sum);
        goBehindOthers(job);
        return job;
    }

    void close(OpenJob job) {
        idle(job);
        jobs.get(job.key().cell()).remove(job.id);
        counts.merge(job.phase, -1, Integer::sum);
    }

    /**
     * Updates its place in the order, which may change with its priority, and its queue, which may change with its pool.
     */
    void changed(OpenJob job, JobHeader header) {
        boolean moves =
                job.header.priority() != header.priority() || !job.header.pool().equals(header.pool());
        boolean isSorted = job.phase == Phase.ASLEEP || job.phase == Phase.READY;
        if (moves && isSorted) {
            leave(job);
        }
        pools.ifPresent(queues -> queues.forget(job));
        boolean isOvertakable = overtakable.remove(job);
        job.header = header;
        if (isOvertakable) {
            overtakable.add(job);
        }
        if (moves && isSorted) {
            ready(job);
        } else if (job.phase != Phase.IDLE) {
            pools.ifPresent(queues -> queues.demands(job));
        }
    }

    /** It has nothing to plan. */
    void idle(OpenJob job) {
        leave(job);
        enter(job, Phase.IDLE);
    }

    /** It gets its next turn when the agenda reaches it. */
    void ready(OpenJob job) {
        leave(job);
        enter(job, Phase.READY);
        queue.add(job);
        pools.ifPresent(queues -> queues.add(job));
    }

    /** It was not placed completely, and gets its next turn at its place in the order. */
    void retry(OpenJob job) {
        leave(job);
        goBehindOthers(job);
        ready(job);
    }

    /** Rounds count only where they order jobs. */
    private void goBehindOthers(OpenJob job) {
        if (retryOrder == RetryOrder.BEHIND_OTHERS) {
            job.round = ++rounds;
        }
    }

    /** A plan for it is under way, which sees everything that has happened so far. */
    void planning(OpenJob job) {
        leave(job);
        enter(job, Phase.PLANNING);
        job.due = false;
        job.called = false;
        job.freed = OptionalInt.empty();
        job.missed = false;
        job.happened.clear();
        policies.get(job.key().cell()).add(job);
        overtakable.add(job);
    }

    /** It gets its next turn after {@code until}. */
    void rest(OpenJob job, CellTime until) {
        leave(job);
        enter(job, Phase.RESTING);
        setAlarm(job, until);
    }

    /**
     * One of the wakes gives it its next turn. An event since its plan began wakes it at once.
     *
     * @param seen the moment of each cell up to which it has seen everything
     * @param byChoice whether none of its tasks is pending
     */
    void sleep(OpenJob job, List<Wake> wakes, List<Long> seen, boolean byChoice) {
        leave(job);
        boolean happened =
                wakes.stream().anyMatch(wake -> wake instanceof Wake.On on && job.happened.contains(on.happening()));
        if (happened) {
            call(job);
            return;
        }
        enter(job, Phase.ASLEEP);
        job.sleepsByChoice = byChoice;
        job.wakes = List.copyOf(wakes);
        Alarms setter = new Alarms(job, seen);
        wakes.forEach(wake -> wake.set(setter));
    }

    /** Keeps the wakes of one job. */
    private final class Alarms implements Wake.Setter {
        private final OpenJob job;
        private final List<Long> seen;

        Alarms(OpenJob job, List<Long> seen) {
            this.job = job;
            this.seen = seen;
        }

        @Override
        public void room(Wake.Room wake) {
            sleeping.get(wake.cell()).add(job, wake, seen.get(wake.cell()));
        }

        @Override
        public void on(Wake.On wake) {
            job.waitsFor.add(wake.happening());
            if (wake.happening() == Happening.POLICY) {
                policies.get(job.key().cell()).add(job);
            } else if (wake.happening() == Happening.OVERTAKEN) {
                overtakable.add(job);
            }
        }

        @Override
        public void at(Wake.At wake) {
            setAlarm(
                    job,
                    job.alarm.filter(time -> time.compareTo(wake.time()) < 0).orElse(wake.time()));
        }
    }

    private void setAlarm(OpenJob job, CellTime at) {
        clearAlarm(job);
        job.alarm = Optional.of(at);
        alarms.add(job);
    }

    private void clearAlarm(OpenJob job) {
        if (job.alarm.isPresent()) {
            alarms.remove(job);
            job.alarm = Optional.empty();
        }
    }

    private void enter(OpenJob job, Phase phase) {
        counts.merge(job.phase, -1, Integer::sum);
        counts.merge(phase, 1, Integer::sum);
        job.phase = phase;
        if (phase == Phase.IDLE) {
            waiting.remove(job.key());
            pools.ifPresent(queues -> queues.forget(job));
        } else {
            waiting.putIfAbsent(job.key(), job);
            pools.ifPresent(queues -> queues.demands(job));
        }
    }

    /** A job that slept by choice has a turn next, whatever ended its sleep. */
    private void leave(OpenJob job) {
        switch (job.phase) {
            case READY -> {
                queue.remove(job);
                pools.ifPresent(queues -> queues.remove(job));
            }
            case PLANNING -> {
                policies.get(job.key().cell()).remove(job);
                overtakable.remove(job);
            }
            case ASLEEP -> {
                sleeping.forEach(sleepers -> sleepers.remove(job));
                policies.get(job.key().cell()).remove(job);
                overtakable.remove(job);
            }
            case IDLE, RESTING -> {}
        }
        clearAlarm(job);
        job.wakes = List.of();
        job.waitsFor.clear();
        job.called |= job.sleepsByChoice;
        job.sleepsByChoice = false;
    }

    /**
     * Something happened to the job. If it sleeps until that, it gets a turn. A plan under way has not seen the event.
     */
    void happened(OpenJob job, Happening happening) {
        job.happened.add(happening);
        if (job.waitsFor.contains(happening)) {
            call(job);
        }
    }

    /** The job got tasks placed, and has overtaken more important ones, and those before it that are as important. */
    void placed(OpenJob job) {
        job.calm();
        overtaken(ahead -> BY_IMPORTANCE.compare(ahead, job) < 0);
    }

    /** Others got tasks of that priority placed. */
    void placedByOthers(int priority) {
        overtaken(ahead -> ahead.header.priority() > priority);
    }

    /** Returns whether a job may be overtaken by tasks of that priority. */
    boolean isOvertakenBy(int priority) {
        return !overtakable.isEmpty() && overtakable.first().header.priority() > priority;
    }

    /** The most important jobs ahead count each placement behind them. The others count in turns. */
    private void overtaken(Predicate<OpenJob> isAhead) {
        List<OpenJob> first = firstAhead(overtakable, isAhead);
        countOvertaken(first);
        if (first.size() == OVERTAKEN_MAX) {
            OpenJob last = first.get(OVERTAKEN_MAX - 1);
            OpenJob after = lastToCount
                    .filter(job -> BY_IMPORTANCE.compare(job, last) > 0)
                    .orElse(last);
            lastToCount = countOvertaken(firstAhead(overtakable.tailSet(after, false), isAhead));
        }
    }

    private static List<OpenJob> firstAhead(SortedSet<OpenJob> byImportance, Predicate<OpenJob> isAhead) {
        return byImportance.isEmpty()
                ? List.of()
                : byImportance.stream().takeWhile(isAhead).limit(OVERTAKEN_MAX).toList();
    }

    /** Gives a turn to the first of them that has been overtaken often enough. Returns the last one that counted. */
    private Optional<OpenJob> countOvertaken(List<OpenJob> jobs) {
        Optional<OpenJob> last = Optional.empty();
        for (OpenJob job : jobs) {
            last = Optional.of(job);
            if (job.losesPatience()) {
                happened(job, Happening.OVERTAKEN);
                return last;
            }
        }
        return last;
    }

    /** The amounts that the policies of its pool and its scheduler leave may have changed. */
    void policiesMoved() {
        for (int cell = 0; cell < policies.size(); cell++) {
            if (policies.get(cell).rightsMoved()) {
                List.copyOf(all(cell)).forEach(this::rightsMoved);
            }
            policies.get(cell).moved().forEach(job -> happened(job, Happening.POLICY));
        }
    }

    /** New rights may open machines, evictions or holds to the scheduler, and no machine gains room by that. */
    private void rightsMoved(OpenJob job) {
        if (job.phase == Phase.ASLEEP) {
            call(job);
        } else if (job.phase == Phase.PLANNING) {
            job.missed = true;
        }
    }

    /** Gives it a turn, whether its tasks are pending or not. */
    void call(OpenJob job) {
        job.called = true;
        ready(job);
    }

    /** Gives it a turn, or one more if a plan for it is under way. */
    void callSoon(OpenJob job) {
        if (job.phase == Phase.IDLE || job.phase == Phase.ASLEEP) {
            call(job);
        } else {
            job.called = true;
            job.missed |= job.phase == Phase.PLANNING;
        }
    }

    /** Makes the jobs ready whose alarm has come. */
    void ring(CellTime now) {
        while (!alarms.isEmpty() && alarms.first().alarm.orElseThrow().compareTo(now) <= 0) {
            OpenJob job = alarms.first();
            job.due = job.phase == Phase.ASLEEP;
            ready(job);
        }
    }

    Optional<CellTime> nextAlarm() {
        return alarms.isEmpty() ? Optional.empty() : alarms.first().alarm;
    }

    /** The sleepers that could be placed now; of those that wait for the same room, the first one. */
    List<SleepingJobs.Woken> woken() {
        List<SleepingJobs.Woken> woken = List.of();
        for (SleepingJobs sleepers : sleeping) {
            List<SleepingJobs.Woken> more = sleepers.woken();
            if (woken.isEmpty()) {
                woken = more;
            } else if (!more.isEmpty()) {
                woken = new ArrayList<>(woken);
                woken.addAll(more);
            }
        }
        return woken;
    }

    int count(Phase phase) {
        return counts.getOrDefault(phase, 0);
    }
}
