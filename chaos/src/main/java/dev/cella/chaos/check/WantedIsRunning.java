package dev.cella.chaos.check;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import java.util.List;
import java.util.Set;

/** C17: at the end no task waits that a working scheduler could place. */
final class WantedIsRunning implements Checker {
    @Override
    public String number() {
        return "C17";
    }

    @Override
    public String holds() {
        return "At the end everything that is wanted and can be placed is placed.";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        CellView end = evidence.replay().end();
        Set<String> working = Placeable.workingSchedulers(evidence.history(), end);
        for (JobRow job : end.jobs()) {
            if (job.isEnded()
                    || Placeable.needsMoreAtOnce(job.header())
                    || !working.contains(job.header().scheduler())) {
                continue;
            }
            for (GroupRow group : job.groups()) {
                int waiting = Placeable.firstWaiting(end, job, group);
                found.unless(
                        waiting < 0,
                        "the end",
                        "%s/%s/%d waits for scheduler %s, and there is room",
                        job.name(),
                        group.header().name(),
                        waiting,
                        job.header().scheduler());
            }
        }
        return found.all();
    }
}
