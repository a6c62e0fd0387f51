package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import java.util.List;

/** The part of a job generation's specification that an agent needs: how to run each of its groups. */
public record JobRuns(JobId job, int generation, List<GroupRun> groups) {
    public JobRuns {
        groups = List.copyOf(groups);
    }
}
