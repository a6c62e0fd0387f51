package dev.cella.state.web.feed;

import dev.cella.client.proto.FeedQuery;
import java.util.Optional;

/** Which rows a reader of the feed wants to see: those that belong to everything it names. */
record FeedFilter(Optional<String> machine, Optional<String> scheduler, Optional<String> job) {
    static FeedFilter of(FeedQuery query) {
        return new FeedFilter(
                query.hasMachine() ? Optional.of(query.getMachine()) : Optional.empty(),
                query.hasScheduler() ? Optional.of(query.getScheduler()) : Optional.empty(),
                query.hasJob() ? Optional.of(query.getJob()) : Optional.empty());
    }

    boolean isEverything() {
        return machine.isEmpty() && scheduler.isEmpty() && job.isEmpty();
    }

    boolean shows(ChangedRow row) {
        return fits(machine, row.machine()) && fits(scheduler, row.scheduler()) && fits(job, row.job());
    }

    private static boolean fits(Optional<String> wanted, Optional<String> value) {
        return wanted.isEmpty() || wanted.equals(value);
    }
}
