package dev.cella.scheduling.live;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.cella.client.proto.Job;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Values decoded from specifications, which are bytes to the cell and come with the row of the job. Each generation of a job
 * is decoded once, while it is among the newest.
 *
 * <p>Guarded by its own monitor, because a planner that was given up may still call it.
 */
final class ReadOnce<T> {
    private static final int KEPT_MAX = 10_000;

    private record Known<T>(int generation, T value) {}

    private final Function<Job, T> read;
    private final Map<JobId, Known<T>> known = new LinkedHashMap<>();

    ReadOnce(Function<Job, T> read) {
        this.read = read;
    }

    synchronized T of(JobRow job) {
        Known<T> found = known.get(job.id());
        if (found == null || found.generation != job.generation()) {
            found = new Known<>(job.generation(), read.apply(specification(job)));
            keep(job.id(), found);
        }
        return found.value;
    }

    private void keep(JobId job, Known<T> value) {
        known.put(job, value);
        if (known.size() > KEPT_MAX) {
            known.remove(known.keySet().iterator().next());
        }
    }

    private static Job specification(JobRow job) {
        try {
            return Job.parseFrom(job.specification().bytes());
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the specification of job " + job.name() + " is no job", damaged);
        }
    }
}
