package dev.cella.chaos.check;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Set;

/** C17: at the end no task waits that a working scheduler could place, and nobody has to be told any more to stop. */
final class WantedIsRunning implements Checker {
    @Override
    public String number() {
        return "C17";
    }

    @Override
    public String holds() {
        return "At the end everything that is wanted and can be placed is placed, and the rest has been told to stop.";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        CellView end = evidence.replay().end();
        Set<String> working = Placeable.workingSchedulers(evidence.history(), end);
        for (JobRow job : end.jobs()) {
            job.groups().forEach(group -> checkStopped(end, job, group, found));
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

    /** Tasks of stopped jobs, and those that a group has more than its count. */
    private static void checkStopped(CellView end, JobRow job, GroupRow group, Found found) {
        int wanted = job.isStopped() ? 0 : group.header().count();
        for (int index = wanted; index < group.rowsEnd(); index++) {
            TaskState state = end.taskState(group, index);
            found.unless(
                    state != TaskState.PLACED && state != TaskState.RUNNING,
                    "the end",
                    "%s/%s/%d is %s, and nobody wants it any more",
                    job.name(),
                    group.header().name(),
                    index,
                    state);
        }
    }
}
