package dev.cella.simulator.workload;

import dev.cella.transactions.model.JobHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the input of Google's cluster simulator. A line of type 11 is a job that stood in the cell, with its tasks and the
 * cores and bytes they hold together; a line of type 12 says when such a job ended. A job without such a line is everlasting.
 *
 * <p>Cores and bytes are divided evenly and rounded up to a cell's units: thousandths of a core, and MiB.
 */
final class GoogleReader {
    private static final String STOOD = "11";
    private static final String ENDED = "12";
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double MILLI_PER_CORE = 1000;

    private static final int TYPE = 0;
    private static final int TIME = 1;
    private static final int JOB = 2;
    private static final int PRODUCTION = 3;
    private static final int CLASS = 4;
    private static final int TASKS = 5;
    private static final int CORES = 6;
    private static final int BYTES = 7;
    private static final int COLUMNS_OF_STOOD = 8;
    private static final int COLUMNS_OF_ENDED = 6;

    private final Map<String, StandingJob> jobs = new LinkedHashMap<>();

    /** Returns whether a file with this first line has this format. */
    static boolean canBe(TraceLine line) {
        boolean stood = line.text(TYPE).equals(STOOD) && line.size() == COLUMNS_OF_STOOD;
        boolean ended = line.text(TYPE).equals(ENDED) && line.size() == COLUMNS_OF_ENDED;
        return (stood || ended) && isDigit(line.text(PRODUCTION)) && isDigit(line.text(CLASS));
    }

    private static boolean isDigit(String text) {
        return text.length() == 1 && Character.isDigit(text.charAt(0));
    }

    Trace read(BufferedReader text) throws IOException, UnreadableTraceException {
        int number = 1;
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            TraceLine fields = TraceLine.ofBlanks(number++, line);
            if (!fields.isEmpty()) {
                readLine(fields);
            }
        }
        return new Trace.Standing(new ArrayList<>(jobs.values()));
    }

    private void readLine(TraceLine fields) throws UnreadableTraceException {
        switch (fields.text(TYPE)) {
            case STOOD -> readStood(fields);
            case ENDED -> readEnded(fields);
            default -> throw fields.at(TYPE, "a line begins with 11 or 12, not \"" + fields.text(TYPE) + "\"");
        }
    }

    private void readStood(TraceLine fields) throws UnreadableTraceException {
        checkColumns(fields, COLUMNS_OF_STOOD);
        fields.decimal(TIME, "the time");
        int tasks = (int) fields.whole(TASKS, "the number of tasks", 1, JobHeader.TASKS_MAX);
        double cores = fields.decimal(CORES, "the job's cores");
        double bytes = fields.decimal(BYTES, "the job's bytes");
        long cpuMilli = (long) Math.ceil(cores * MILLI_PER_CORE / tasks);
        long memoryMib = (long) Math.ceil(bytes / BYTES_PER_MIB / tasks);
        if (jobs.put(fields.text(JOB), new StandingJob(tasks, cpuMilli, memoryMib, VirtualTime.NEVER)) != null) {
            throw fields.at(JOB, "job " + fields.text(JOB) + " stood there before");
        }
    }

    private void readEnded(TraceLine fields) throws UnreadableTraceException {
        checkColumns(fields, COLUMNS_OF_ENDED);
        long endNanos = VirtualTime.nanos(fields.decimal(TIME, "the time"));
        StandingJob job = jobs.get(fields.text(JOB));
        if (job == null) {
            throw fields.at(JOB, "job " + fields.text(JOB) + " ends, and no line before says that it stood there");
        }
        jobs.put(fields.text(JOB), new StandingJob(job.tasks(), job.cpuMilli(), job.memoryMib(), endNanos));
    }

    private static void checkColumns(TraceLine fields, int columns) throws UnreadableTraceException {
        if (fields.size() < columns) {
            throw fields.atEnd("the line has " + fields.size() + " columns of " + columns);
        }
        if (fields.size() > columns) {
            throw fields.at(columns, "the line has more than " + columns + " columns");
        }
    }
}
