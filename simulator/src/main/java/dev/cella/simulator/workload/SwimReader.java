package dev.cella.simulator.workload;

import dev.cella.transactions.model.JobHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads SWIM's tables: one line per job, with its name, its arrival in seconds, the gap to the previous one, and the bytes of
 * its input, shuffle and output; further columns are ignored.
 *
 * <p>The traces contain neither tasks nor durations. We assume one task per started 128 MiB of input (Hadoop's block). All
 * bytes of the job pass through its tasks in equal parts at 16 MiB per second, but no task is shorter than a second.
 */
final class SwimReader {
    private static final double BLOCK_BYTES = 128.0 * (1 << 20);
    private static final double TASK_BYTES_PER_SECOND = 16.0 * (1 << 20);
    private static final double TASK_SECONDS_MIN = 1;

    private static final int ARRIVAL = 1;
    private static final int INPUT = 3;
    private static final int SHUFFLE = 4;
    private static final int OUTPUT = 5;
    private static final int COLUMNS_MIN = 6;

    private final List<SimulatedJob> jobs = new ArrayList<>();

    Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
        int number = 1;
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            TraceLine fields = TraceLine.ofTabs(number++, line);
            if (!fields.isEmpty()) {
                readJob(fields);
            }
        }
        return new Trace.Arrivals(jobs);
    }

    private void readJob(TraceLine fields) throws UnreadableTraceException {
        if (fields.size() < COLUMNS_MIN) {
            throw fields.atEnd("a job has a name, an arrival, a gap, and bytes of input, shuffle and output, by tabs");
        }
        long arrivalNanos = fields.nanos(ARRIVAL, "the arrival");
        double input = fields.decimal(INPUT, "input bytes");
        double all = input + fields.decimal(SHUFFLE, "shuffle bytes") + fields.decimal(OUTPUT, "output bytes");
        int tasks = (int) Math.min(JobHeader.TASKS_MAX, Math.max(1, Math.ceil(input / BLOCK_BYTES)));
        double taskSeconds = Math.max(TASK_SECONDS_MIN, all / tasks / TASK_BYTES_PER_SECOND);
        long taskNanos = fields.nanos(INPUT, "the time of a task, which follows from its bytes,", taskSeconds);
        jobs.add(new SimulatedJob(Workload.BATCH, jobs.size(), arrivalNanos, tasks, taskNanos));
    }
}
