package dev.cella.scheduling.loop;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Signal;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The scheduler's jobs that have not ended, each in one phase: in the queue, being planned, resting until a time, asleep
 * until there is room, or with nothing to plan. Every change of phase goes through here, so that no job is in two places.
 * Owned by {@link SchedulerLoop}.
 */
final class OpenJobs {
    /** The job whose turn it is, and what woke it if it was asleep. */
    record Next(OpenJob job, List<Signal> signals) {}

    private static final Comparator<OpenJob> BY_ALARM =
            Comparator.comparing((OpenJob job) -> job.alarm.orElseThrow()).thenComparing(job -> job.id.version());

    private final Map<JobId, OpenJob> jobs = new LinkedHashMap<>();
    private final Map<JobId, OpenJob> waiting = new LinkedHashMap<>();
    private final EnumMap<Phase, Integer> counts = new EnumMap<>(Phase.class);
    private final TreeSet<OpenJob> queue = new TreeSet<>();
    private final TreeSet<OpenJob> alarms = new TreeSet<>(BY_ALARM);
    private final SleepingJobs sleeping;
    private final QueueOrder order;
    private final RetryOrder retryOrder;
    private long rounds;

    OpenJobs(SleepingJobs sleeping, QueueOrder order, RetryOrder retryOrder) {
        this.sleeping = sleeping;
        this.order = order;
        this.retryOrder = retryOrder;
    }

    Collection<OpenJob> all() {
        return jobs.values();
    }

    Optional<OpenJob> find(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** Those that are not idle, the one that has waited longest first. */
    Collection<OpenJob> waiting() {
        return waiting.values();
    }

    /** The job is ours from now on, and has nothing to plan yet. */
    OpenJob open(JobRow row, CellTime now) {
        OpenJob job = new OpenJob(row.id(), order, row.header().priority(), row.generation(), now);
        jobs.put(job.id, job);
        counts.merge(job.phase, 1, Integer::sum);
        goBehindOthers(job);
        return job;
    }

    void close(OpenJob job) {
        idle(job);
        jobs.remove(job.id);
        counts.merge(job.phase, -1, Integer::sum);
    }

    /** Its place in the order may change with its priority. */
    void reprioritise(OpenJob job, int priority) {
        if (job.priority != priority) {
            boolean asleep = job.phase == Phase.ASLEEP;
            boolean ready = job.phase == Phase.READY;
            if (asleep || ready) {
                leave(job);
            }
            job.priority = priority;
            if (asleep || ready) {
                ready(job);
            }
        }
    }

    /** It has nothing to plan. */
    void idle(OpenJob job) {
        leave(job);
        enter(job, Phase.IDLE);
    }

    /** It gets its next turn when the queue comes to it. */
    void ready(OpenJob job) {
        leave(job);
        enter(job, Phase.READY);
        queue.add(job);
    }

    /** It was not placed whole, and gets its next turn when its place in the order comes. */
    void retry(OpenJob job) {
        leave(job);
        goBehindOthers(job);
        ready(job);
    }

    /** Rounds are counted only where they order jobs. */
    private void goBehindOthers(OpenJob job) {
        if (retryOrder == RetryOrder.BEHIND_OTHERS) {
            job.round = ++rounds;
        }
    }

    /** A plan for it is under way. */
    void planning(OpenJob job) {
        leave(job);
        enter(job, Phase.PLANNING);
        job.due = false;
        job.ownEndSincePlan = false;
    }

    /** It gets its next turn after {@code until}. */
    void rest(OpenJob job, CellTime until) {
        leave(job);
        enter(job, Phase.RESTING);
        setAlarm(job, until);
    }

    /** It gets its next turn when one of the wakes comes; it has seen everything until the moment {@code seen}. */
    void sleep(OpenJob job, List<Wake> wakes, long seen) {
        leave(job);
        if (job.ownEndSincePlan && wakes.contains(new Wake.Ended(job.id))) {
            ready(job);
            return;
        }
        enter(job, Phase.ASLEEP);
        for (Wake wake : wakes) {
            if (wake instanceof Wake.Room room) {
                sleeping.add(job, room, seen);
            } else if (wake instanceof Wake.At at) {
                setAlarm(job, earlier(job.alarm, at.time()));
            } else if (wake instanceof Wake.Ended) {
                job.waitsForOwnEnd = true;
            }
        }
    }

    private static CellTime earlier(Optional<CellTime> one, CellTime other) {
        return one.filter(time -> time.compareTo(other) < 0).orElse(other);
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
            waiting.remove(job.id);
        } else {
            waiting.putIfAbsent(job.id, job);
        }
    }

    private void leave(OpenJob job) {
        switch (job.phase) {
            case READY -> queue.remove(job);
            case ASLEEP -> sleeping.remove(job);
            case IDLE, PLANNING, RESTING -> {}
        }
        clearAlarm(job);
        job.waitsForOwnEnd = false;
    }

    /** A task of the job has ended: if it sleeps until one does, it is ready; a plan under way has not seen it. */
    void taskEnded(OpenJob job) {
        job.ownEndSincePlan = true;
        if (job.waitsForOwnEnd) {
            ready(job);
        }
    }

    /** Whose alarm has come is ready. */
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

    /** Whose turn it is: the first in order among those in the queue and those who sleep and now have room. */
    Optional<Next> next() {
        Optional<SleepingJobs.Woken> woken = sleeping.first();
        if (queue.isEmpty()) {
            return woken.map(OpenJobs::next);
        }
        OpenJob first = queue.first();
        return woken.filter(sleeper -> sleeper.job().compareTo(first) < 0)
                .map(OpenJobs::next)
                .or(() -> Optional.of(next(first)));
    }

    private static Next next(SleepingJobs.Woken woken) {
        return new Next(woken.job(), List.of(new Signal.Freed(woken.job().id, woken.machine())));
    }

    private static Next next(OpenJob job) {
        List<Signal> signals = new ArrayList<>();
        if (job.due) {
            signals.add(new Signal.Due(job.id));
        }
        return new Next(job, signals);
    }

    int count(Phase phase) {
        return counts.getOrDefault(phase, 0);
    }
}
