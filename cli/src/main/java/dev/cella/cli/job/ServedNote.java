package dev.cella.cli.job;

import dev.cella.cli.cell.Pages;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.SchedulerStatus;
import java.util.List;
import java.util.Optional;

/** Notes that no scheduler plans a job, and which schedulers have sessions. */
final class ServedNote {
    private ServedNote() {}

    static Optional<String> of(Job complete, HttpCell cell) {
        List<String> served = Pages.schedulers(cell).getSchedulersList().stream()
                .map(SchedulerStatus::getName)
                .distinct()
                .sorted()
                .toList();
        String asked = complete.getScheduler();
        return served.contains(asked)
                ? Optional.empty()
                : Optional.of("no scheduler " + asked + " has a session"
                        + (served.isEmpty()
                                ? ", and no other has one"
                                : "; those that have: " + String.join(", ", served)));
    }
}
