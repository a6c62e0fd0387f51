package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many claims each group has in one plan, and how many of them are in no proposal yet. Claims of one group come one after
 * another, so the last count is mostly the right one.
 */
final class DraftedClaims {
    private static final class Count {
        private final GroupRow group;
        private int all;
        private int fresh;

        Count(GroupRow group) {
            this.group = group;
        }
    }

    private final Map<GroupRow, Count> counts = new HashMap<>();
    private @Nullable Count last;

    private Count of(GroupRow group) {
        Count count = last;
        if (count == null || count.group != group) {
            count = counts.computeIfAbsent(group, Count::new);
            last = count;
        }
        return count;
    }

    void claimed(GroupRow group) {
        Count count = of(group);
        count.all++;
        count.fresh++;
    }

    void proposed(GroupRow group) {
        of(group).fresh--;
    }

    void takenBack(GroupRow group) {
        Count count = of(group);
        count.all--;
        count.fresh--;
    }

    /** The claims of the group. */
    int all(GroupRow group) {
        Count count = counts.get(group);
        return count == null ? 0 : count.all;
    }

    /** The claims of the group that are in no proposal yet. */
    int fresh(GroupRow group) {
        Count count = counts.get(group);
        return count == null ? 0 : count.fresh;
    }

    /** The claims of the job that are in no proposal yet. */
    int fresh(JobRow job) {
        int fresh = 0;
        for (int place = 0; place < job.groupCount(); place++) {
            fresh += fresh(job.group(place));
        }
        return fresh;
    }
}
