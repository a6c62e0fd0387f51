package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/** The name of a task for people: the newest job of a name, a group in it, and an index. */
public record TaskName(String jobName, String group, int index) {

    /** Parses {@code job/group/index}. */
    static TaskName parse(String path, String text) {
        String[] parts = text.split("/", -1);
        if (parts.length != 3 || !parts[2].matches("\\d{1,6}")) {
            throw Requests.bad(path, "must be JOB/GROUP/INDEX, is \"" + text + "\"");
        }
        return new TaskName(parts[0], parts[1], Integer.parseInt(parts[2]));
    }

    public Optional<JobRow> job(CellView view) {
        return view.job(jobName);
    }

    public Optional<TaskRow> find(CellView view) {
        return job(view)
                .filter(job -> job.header().findGroup(group) >= 0 && index >= 0)
                .flatMap(job -> view.task(new TaskId(job.id(), job.header().findGroup(group), index)));
    }

    @Override
    public String toString() {
        return jobName + "/" + group + "/" + index;
    }
}
