package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import java.util.List;

/** What an agent needs of one generation of a job's specification: how each of its groups is run. */
public record JobRuns(JobId job, int generation, List<GroupRun> groups) {
    public JobRuns {
        groups = List.copyOf(groups);
    }
}
