package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * A job whose turn it is. The {@link PlanningView} of its cell says which tasks to place; tasks with claims in flight are not
 * pending there. A job that its scheduler {@linkplain Scheduler#tends tends} may have none.
 *
 * @param attempt counts the scheduling attempts of this job by this scheduler, from 1
 * @param results the results of the transactions of the job's turns since its last turn; if nothing was decided since then,
 *     the results that the last turn had
 * @param since when it began to wait for this turn's tasks
 */
public record JobWork(JobKey key, JobHeader job, int generation, int attempt, List<Result> results, CellTime since) {
    public JobWork {
        results = List.copyOf(results);
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
        }
    }

    /** The first turn of a job of the only cell. */
    public static JobWork first(JobRow job, CellTime since) {
        return new JobWork(JobKey.of(job.id()), job.header(), job.generation(), 1, List.of(), since);
    }

    public JobId id() {
        return key.id();
    }

    /** The view of its cell. */
    public PlanningView in(List<PlanningView> cells) {
        return cells.get(key.cell());
    }

    /** The outcome of the last transaction of its turns, so that a plan can learn from failures. */
    public Optional<Outcome> last() {
        return results.isEmpty()
                ? Optional.empty()
                : Optional.of(results.get(results.size() - 1).outcome());
    }
}
