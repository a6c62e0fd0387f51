package dev.cella.agent.federation;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.transactions.cell.tables.GroupRow;
import java.util.Optional;

/**
 * What an attempt of the home runs.
 *
 * @param group the task's group, or the one that its group copies
 * @param index the task's index, or that of the task that it copies
 */
public record HomeRun(Job job, Group group, int index) {
    /**
     * Finds what the task at that index of a group of the job runs. It is empty if the job does not describe the group, and for
     * a copy that its group has lost: then the home no longer knows which task it copies.
     */
    public static Optional<HomeRun> of(Job job, GroupRow row, int index) {
        if (row.isOfCopies() && row.isSurplus(index)) {
            return Optional.empty();
        }
        return job.getGroupsList().stream()
                .filter(group -> group.getName().equals(row.header().nameOfCopied()))
                .findFirst()
                .map(group -> new HomeRun(job, group, row.isOfCopies() ? row.copied(index) : index));
    }
}
