package dev.cella.transactions.cell.tables;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that the command being applied has changed. Most commands change one job, and often the same one as the command
 * before. Then its reference stays and is not written again: the GC barrier of a reference stalls on earlier stores.
 */
final class ChangedJobs {
    private @Nullable JobRow[] jobs = new JobRow[16];
    private int count;

    void add(JobRow job) {
        if (count == jobs.length) {
            jobs = Arrays.copyOf(jobs, 2 * count);
        }
        if (jobs[count] != job) {
            jobs[count] = job;
        }
        count++;
    }

    int count() {
        return count;
    }

    JobRow get(int place) {
        JobRow job = jobs[place];
        if (place >= count || job == null) {
            throw new IllegalArgumentException("of " + count + " changed jobs none is at place " + place);
        }
        return job;
    }

    void clear() {
        if (count > 1) {
            Arrays.fill(jobs, 1, count, null);
        }
        count = 0;
    }
}
