package dev.cella.agent.reconciler;

import dev.cella.transactions.model.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The part of a job generation's specification that an agent needs: how to run each of its groups, by the group's place in the
 * job.
 *
 * @param copied for groups of copies, by their place: the index of the task that each copies
 */
public record JobRuns(JobId job, int generation, Map<Integer, GroupRun> groups, Map<Integer, List<Integer>> copied) {
    public JobRuns {
        groups = Map.copyOf(groups);
        copied = Map.copyOf(copied);
    }

    /** The groups are in the order of the specification. */
    public JobRuns(JobId job, int generation, List<GroupRun> groups) {
        this(
                job,
                generation,
                IntStream.range(0, groups.size()).boxed().collect(Collectors.toMap(place -> place, groups::get)),
                Map.of());
    }

    /** How to run the attempt, if the generation has its group. To its command, a copy is the task that it copies. */
    Optional<GroupRun> run(Assignment assignment) {
        Optional<GroupRun> run =
                Optional.ofNullable(groups.get(assignment.task().group()));
        List<Integer> originals = copied.get(assignment.task().group());
        return originals == null
                ? run
                : run.filter(known -> assignment.task().index() < originals.size())
                        .map(known ->
                                known.asCopy(originals.get(assignment.task().index()), assignment.attempt()));
    }
}
