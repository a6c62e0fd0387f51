package dev.cella.scheduling;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import java.util.Optional;

/**
 * A job that has tasks to place. Which of its tasks those are is said by the {@link PlanningView}, where claims in flight
 * are no longer pending.
 *
 * @param attempt counts the scheduling attempts of this job by this scheduler, from 1
 * @param last what became of the last transaction that claimed for it, so that a plan can learn from what failed
 * @param since when it began to wait for this turn's tasks
 */
public record JobWork(JobId id, JobHeader job, int generation, int attempt, Optional<Outcome> last, CellTime since) {
    public JobWork {
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
        }
    }
}
