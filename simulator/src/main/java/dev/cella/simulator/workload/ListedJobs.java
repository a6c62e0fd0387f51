package dev.cella.simulator.workload;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs that are known from the start, such as those of a trace, in the order of their arrival. */
public final class ListedJobs implements JobStream {
    private final Iterator<SimulatedJob> rest;

    public ListedJobs(List<SimulatedJob> jobs) {
        rest = jobs.stream()
                .sorted(Comparator.comparingLong(SimulatedJob::submittedNanos))
                .iterator();
    }

    @Override
    public @Nullable SimulatedJob next() {
        return rest.hasNext() ? rest.next() : null;
    }
}
