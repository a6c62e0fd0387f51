package dev.cella.cli.job;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.TaskCounts;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Jobs, a row each: the same columns wherever jobs are listed. */
public final class JobListing {
    private JobListing() {}

    public static void print(List<JobStatus> jobs, Terminal terminal) {
        print(jobs, false, terminal);
    }

    static void print(List<JobStatus> jobs, boolean wide, Terminal terminal) {
        Table table = new Table(
                wide,
                "NAME",
                "~TYPE",
                "~SCHEDULER",
                "STATE",
                ">TASKS",
                ">PENDING",
                ">RUNNING",
                "~>FINISHED",
                "~>FAILED",
                "~SUBMITTED",
                "+>GENERATION",
                "+>ATTEMPTS",
                "+>CONFLICTS",
                "+LABELS",
                "+REASON");
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
                    Words.time(job.getSubmittedAt()),
                    job.getGeneration(),
                    job.getAttempts(),
                    job.getConflicts(),
                    labels(job),
                    job.getReason());
        }
        table.print(terminal);
    }

    /** The working jobs and their progress, for a screen shared with other tables. */
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

    /** {@code app=web,tier=front}, in the order of their names. */
    static String labels(JobStatus job) {
        return new TreeMap<>(job.getLabelsMap())
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    private static long onMachines(TaskCounts tasks) {
        return tasks.getPlaced() + tasks.getRunning() + tasks.getStopping();
    }

    private static long count(JobStatus job) {
        return job.getGroupsList().stream().mapToLong(GroupStatus::getCount).sum();
    }
}
