package dev.cella.cli.demo;

import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When the jobs of one scheduler were first attempted and when they were fully placed, counted from their submission. */
final class JobTimes {
    private final Map<JobId, Long> firstAttempt = new HashMap<>();
    private final Map<JobId, Long> fullyPlaced = new HashMap<>();
    private int submitted;

    /** The summary of them in the table. */
    record Summary(int submitted, List<Long> firstAttemptMillis, List<Long> fullyPlacedMillis) {
        Summary {
            firstAttemptMillis = firstAttemptMillis.stream().sorted().toList();
            fullyPlacedMillis = fullyPlacedMillis.stream().sorted().toList();
        }

        int placed() {
            return fullyPlacedMillis.size();
        }

        int pending() {
            return submitted - placed();
        }

        /** The smallest value that {@code part} of them do not exceed; 0 if there are none. */
        static long quantile(List<Long> sorted, double part) {
            return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1);
        }
    }

    void submitted() {
        submitted++;
    }

    void attempted(JobId job, long millis) {
        firstAttempt.putIfAbsent(job, millis);
    }

    void placed(JobId job, long millis) {
        fullyPlaced.putIfAbsent(job, millis);
    }

    Summary summary() {
        return new Summary(submitted, new ArrayList<>(firstAttempt.values()), new ArrayList<>(fullyPlaced.values()));
    }
}
