package dev.cella.scheduling.loop;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.Note;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.model.Digests;
import java.util.List;
import java.util.Optional;

/**
 * Decides the next phase of a job after an attempt: it has nothing left to plan, waits for its next turn in the queue, rests,
 * or sleeps until there is room. Owned by {@link SchedulerLoop}.
 */
final class Attempts {
    /** The rest after a plan that was given up, as a multiple of the time waited for it. */
    private static final int GIVEN_UP_REST = 9;

    private final LoopOptions options;
    private final LoopClock clock;
    private final OpenJobs jobs;
    private final List<LoopCell> cells;

    Attempts(LoopOptions options, LoopClock clock, OpenJobs jobs, List<LoopCell> cells) {
        this.options = options;
        this.clock = clock;
        this.jobs = jobs;
        this.cells = cells;
    }

    private WorkingView working(OpenJob job) {
        return cells.get(job.key().cell()).working;
    }

    /** Drawn again for each attempt of each job. */
    long seed(OpenJob job) {
        return Digests.mix(Digests.mix(options.seed(), job.id.version()), job.attempts);
    }

    /**
     * The plan has arrived.
     *
     * @param proposed how many proposals of the plan are the job's, without those held back
     * @param held how many were held back because they would only be refused once more
     * @param momentsSeen the moment of each cell up to which it has seen gained room
     * @return false if the plan neither drafts anything nor explains why not
     */
    boolean planned(OpenJob job, Plan<?> plan, int proposed, int held, List<Long> momentsSeen) {
        job.failure = Optional.empty();
        job.note = plan.notes().isEmpty() ? Optional.empty() : noteOf(job, plan);
        job.unplaced = plan.unplaced().isEmpty() ? List.of() : unplacedOf(job, plan);
        List<Wake> wakes = plan.wakes().isEmpty() ? List.of() : wakesOf(job, plan);
        int left = working(job).tasksToPlan(job);
        if (left == 0) {
            awaitWakes(job, wakes, momentsSeen);
            return true;
        }
        int explained = job.unplaced.stream().mapToInt(Unplaced::tasks).sum();
        if (isRetriedAtOnce() && wakes.stream().allMatch(Attempts::isForRoom)) {
            jobs.retry(job);
        } else if (held > 0) {
            nothingCame(job);
        } else if (proposed > 0 && left > explained && wakes.isEmpty()) {
            jobs.ready(job);
        } else if (job.missed) {
            planMissed(job);
        } else if (explained > 0 || !wakes.isEmpty()) {
            jobs.sleep(job, wakes, momentsSeen, false);
        } else {
            nothingCame(job);
            return false;
        }
        return true;
    }

    private static boolean isForRoom(Wake wake) {
        return wake instanceof Wake.Room || (wake instanceof Wake.On on && on.happening() == Happening.OVERTAKEN);
    }

    /** Some of its tasks came back to it too late for its plan. */
    private void planMissed(OpenJob job) {
        if (job.failuresInRow > 0) {
            rest(job);
        } else {
            jobs.ready(job);
        }
    }

    private static Optional<String> noteOf(OpenJob job, Plan<?> plan) {
        return plan.notes().stream()
                .filter(note -> note.job().equals(job.key()))
                .map(Note::text)
                .findFirst();
    }

    private static List<Wake> wakesOf(OpenJob job, Plan<?> plan) {
        return plan.wakes().stream()
                .filter(wake -> wake.job().equals(job.key()))
                .toList();
    }

    private static List<Unplaced> unplacedOf(OpenJob job, Plan<?> plan) {
        return plan.unplaced().stream()
                .filter(each -> each.key().equals(job.key()))
                .toList();
    }

    /** None of its tasks is pending. One of the wakes gives it its next turn, if it has any. */
    private void awaitWakes(OpenJob job, List<Wake> wakes, List<Long> momentsSeen) {
        boolean changedMeanwhile = job.tended && job.happened.contains(Happening.CHANGED);
        if (changedMeanwhile) {
            jobs.call(job);
        } else if (job.called) {
            planMissed(job);
        } else if (wakes.isEmpty()) {
            jobs.idle(job);
        } else {
            jobs.sleep(job, wakes, momentsSeen, true);
        }
    }

    /** Its planner failed. The next turn is for what this one was for, also if nothing is pending. */
    void failed(OpenJob job, String failure) {
        job.failure = Optional.of(failure);
        job.called = true;
        nothingCame(job);
    }

    /**
     * Its planner did not return, and for that long nothing else was planned. It rests for a multiple of that time, so that a
     * job on which the planner hangs uses only its share of the scheduler's time. It has a turn after that, as in {@link #failed}.
     */
    void givenUp(OpenJob job, String failure, long lostMillis) {
        job.failure = Optional.of(failure);
        job.called = true;
        job.failuresInRow++;
        jobs.rest(job, clock.now().plusMillis(Math.max(lostMillis * GIVEN_UP_REST, backoffMillis(job))));
    }

    private void nothingCame(OpenJob job) {
        job.failuresInRow++;
        rest(job);
    }

    /**
     * A transaction of its turn is settled: "If any tasks in job remain unscheduled ... insert job back into job queue"
     * (dissertation 6.2.1, step 6).
     *
     * @param calls whether an item other than a claim was refused, so that it needs a turn even if nothing is pending
     */
    void ended(OpenJob job, boolean progressed, boolean refused, boolean calls) {
        job.failuresInRow = progressed || !(refused || calls) ? 0 : job.failuresInRow + 1;
        job.called |= calls;
        if (job.phase == Phase.PLANNING) {
            job.missed |= refused || calls;
            return;
        }
        if (!working(job).hasTasksToPlan(job) && !job.called) {
            if (!job.sleepsByChoice) {
                jobs.idle(job);
            }
        } else if (isRetriedAtOnce()) {
            jobs.retry(job);
        } else if ((refused || calls) && !progressed) {
            rest(job);
        } else if (refused || calls || job.phase == Phase.IDLE) {
            jobs.ready(job);
        }
    }

    /** Returns whether a plan for its turn is worthwhile. A job that sleeps by choice has one when room wakes it. */
    boolean hasTurn(OpenJob job) {
        return job.called || job.sleepsByChoice || working(job).hasTasksToPlan(job);
    }

    private boolean isRetriedAtOnce() {
        return options.retryOrder() == RetryOrder.BEHIND_OTHERS;
    }

    private void rest(OpenJob job) {
        jobs.rest(job, clock.now().plusMillis(backoffMillis(job)));
    }

    private long backoffMillis(OpenJob job) {
        return options.retry().afterMillis(job.failuresInRow, seed(job));
    }
}
