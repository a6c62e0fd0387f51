package dev.cella.simulator.workload;

import dev.cella.transactions.model.JobHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code .tr}: one line per job, with its arrival in seconds, its tasks, their mean duration and each duration.
 */
final class TrReader {
    private static final int ARRIVAL = 0;
    private static final int TASKS = 1;
    private static final int MEAN = 2;
    private static final int DURATIONS = 3;

    private final List<SimulatedJob> jobs = new ArrayList<>();

    Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
        int number = 1;
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            TraceLine fields = TraceLine.ofBlanks(number++, line);
            if (!fields.isEmpty()) {
                readJob(fields);
            }
        }
        return new Trace.Arrivals(jobs);
    }

    private void readJob(TraceLine fields) throws UnreadableTraceException {
        if (fields.size() <= MEAN) {
            throw fields.atEnd("a job has an arrival, a number of tasks, a mean duration and durations");
        }
        long arrivalNanos = fields.nanos(ARRIVAL, "the arrival");
        int tasks = (int) fields.whole(TASKS, "the number of tasks", 1, JobHeader.TASKS_MAX);
        fields.decimal(MEAN, "the mean duration");
        int durations = fields.size() - DURATIONS;
        if (durations < tasks) {
            throw fields.atEnd("the job has " + tasks + " tasks, but only " + durations + " durations");
        }
        if (durations > tasks) {
            throw fields.at(DURATIONS + tasks, "the job has " + tasks + " tasks, but " + durations + " durations");
        }
        long[] nanos = new long[tasks];
        for (int task = 0; task < tasks; task++) {
            nanos[task] = fields.nanos(DURATIONS + task, "a duration");
        }
        jobs.add(new SimulatedJob(Workload.BATCH, jobs.size(), arrivalNanos, tasks, new SimulatedJob.Each(nanos)));
    }
}
