package dev.cella.scheduling.loop;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.loop.OpenJob.Phase;
import dev.cella.transactions.model.Digests;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a job after an attempt: it has nothing left to plan, waits for its next turn in the queue, rests, or
 * sleeps until there is room. Owned by {@link SchedulerLoop}.
 */
final class Attempts {
    /** How many times as long as the plan was waited for that was given up. */
    private static final int GIVEN_UP_REST = 9;

    private final LoopOptions options;
    private final LoopClock clock;
    private final OpenJobs jobs;
    private final WorkingView working;

    Attempts(LoopOptions options, LoopClock clock, OpenJobs jobs, WorkingView working) {
        this.options = options;
        this.clock = clock;
        this.jobs = jobs;
        this.working = working;
    }

    /** Drawn anew for each attempt of each job. */
    long seed(OpenJob job) {
        return Digests.mix(Digests.mix(options.seed(), job.id.version()), job.attempts);
    }

    /**
     * Its plan is there.
     *
     * @param held how many of its proposals were held back, because they can only be refused once more
     * @param momentSeen what it has seen of the room that machines gained
     * @return false if the plan neither claims anything nor says why not
     */
    boolean planned(OpenJob job, Plan<?> plan, int held, long momentSeen) {
        job.failure = Optional.empty();
        job.unplaced = plan.unplaced().isEmpty() ? List.of() : unplacedOf(job, plan);
        int left = working.tasksToPlan(job);
        if (left == 0) {
            jobs.idle(job);
            return true;
        }
        List<Wake> wakes =
                plan.wakes().stream().filter(wake -> wake.job().equals(job.id)).toList();
        int explained = job.unplaced.stream().mapToInt(Unplaced::tasks).sum();
        boolean proposed = held < plan.proposals().size();
        if (isRetriedAtOnce()) {
            jobs.retry(job);
        } else if (held > 0) {
            nothingCame(job);
        } else if (proposed && left > explained) {
            jobs.ready(job);
        } else if (explained > 0 || !wakes.isEmpty()) {
            jobs.sleep(job, wakes, momentSeen);
        } else {
            nothingCame(job);
            return false;
        }
        return true;
    }

    private static List<Unplaced> unplacedOf(OpenJob job, Plan<?> plan) {
        return plan.unplaced().stream()
                .filter(each -> each.job().equals(job.id))
                .toList();
    }

    /** Its planner failed. */
    void failed(OpenJob job, String failure) {
        job.failure = Optional.of(failure);
        nothingCame(job);
    }

    /**
     * Its planner did not come back, and for so long nothing else was planned. It rests for a multiple of that, so that a
     * job on which the planner hangs has no more than its part of the scheduler's time, however often it is tried.
     */
    void givenUp(OpenJob job, String failure, long lostMillis) {
        job.failure = Optional.of(failure);
        job.failuresInRow++;
        jobs.rest(job, clock.now().plusMillis(Math.max(lostMillis * GIVEN_UP_REST, backoffMillis(job))));
    }

    private void nothingCame(OpenJob job) {
        job.failuresInRow++;
        rest(job);
    }

    /** "If any tasks in job remain unscheduled ... insert job back into job queue" (dissertation 6.2.1, step 6). */
    void ended(OpenJob job, boolean progressed, boolean refused) {
        job.failuresInRow = progressed || !refused ? 0 : job.failuresInRow + 1;
        if (job.phase == Phase.PLANNING) {
            return;
        }
        if (!working.hasTasksToPlan(job)) {
            jobs.idle(job);
        } else if (isRetriedAtOnce()) {
            jobs.retry(job);
        } else if (refused && !progressed) {
            rest(job);
        } else if (refused || job.phase == Phase.IDLE) {
            jobs.ready(job);
        }
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
