package dev.cella.cli.job;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.TaskCounts;
import java.util.List;

/** Jobs, a row each: the same columns wherever jobs are listed. */
public final class JobTable {
    private JobTable() {}

    public static void print(List<JobStatus> jobs, Terminal terminal) {
        Table table = new Table(
                "NAME",
                "TYPE",
                "SCHEDULER",
                "STATE",
                ">TASKS",
                ">PENDING",
                ">RUNNING",
                ">FINISHED",
                ">FAILED",
                "SUBMITTED");
        for (JobStatus job : jobs) {
            TaskCounts tasks = job.getTasks();
            table.row(
                    job.getName(),
                    Words.word(job.getType()),
                    job.getScheduler(),
                    Words.word(job.getState()),
                    count(job),
                    tasks.getPending(),
                    onMachines(tasks),
                    tasks.getFinished(),
                    tasks.getFailed(),
                    Words.time(job.getSubmittedAt()));
        }
        table.print(terminal);
    }

    /** What is at work and how far it is, for a screen that others share. */
    public static void printBrief(List<JobStatus> jobs, Terminal terminal) {
        Table table = new Table("NAME", "SCHEDULER", "STATE", ">TASKS", ">PENDING", ">RUNNING", ">FINISHED", ">FAILED");
        for (JobStatus job : jobs) {
            TaskCounts tasks = job.getTasks();
            table.row(
                    job.getName(),
                    job.getScheduler(),
                    Words.word(job.getState()),
                    count(job),
                    tasks.getPending(),
                    onMachines(tasks),
                    tasks.getFinished(),
                    tasks.getFailed());
        }
        table.print(terminal);
    }

    private static long onMachines(TaskCounts tasks) {
        return tasks.getPlaced() + tasks.getRunning() + tasks.getStopping();
    }

    private static long count(JobStatus job) {
        return job.getGroupsList().stream().mapToLong(GroupStatus::getCount).sum();
    }
}
