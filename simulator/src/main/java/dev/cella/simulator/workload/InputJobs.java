package dev.cella.simulator.workload;

import dev.cella.simulator.workload.SimulatedJob.Reads;
import dev.cella.transactions.model.JobHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The jobs of the experiments of "Delay Scheduling" (Zaharia et al., EuroSys 2010), each drawn from one seed. Tasks run for
 * exponential times, so that slots become free at a steady rate.
 */
public final class InputJobs {
    /** The pool of the jobs that are measured, and that of those which take the rest of the slots. */
    public static final String PROBES = "probes";

    public static final String FILL = "fill";

    /** Table 2: maps per job, and the number of such jobs in a hundred. */
    private static final int[] MAPS = {1, 2, 10, 50, 100, 200, 400, 800, 4800};

    private static final int[] JOBS_OF_HUNDRED = {39, 16, 14, 9, 6, 6, 4, 4, 3};
    private static final int HUNDRED = 100;
    private static final int FILL_TASKS = 10_000;

    private final JobMeans means;
    private final Random random;
    private final List<SimulatedJob> jobs = new ArrayList<>();

    private InputJobs(JobMeans means, long seed) {
        this.means = means;
        this.random = RandomStream.BATCH_JOBS.of(seed);
    }

    /** Jobs that arrive together and read one file. */
    public static JobStream scans(JobMeans means, int count, long seed) {
        InputJobs made = new InputJobs(means, seed);
        for (int number = 0; number < count; number++) {
            made.add(0, made.tasksOfEach(), SimulatedJob.POOL, Reads.COMMON);
        }
        return new ListedJobs(made.jobs);
    }

    /** Jobs with files of their own until the end, beside jobs that keep the slots full. */
    public static JobStream probes(JobMeans means, long slots, long endNanos, long seed) {
        InputJobs made = new InputJobs(means, seed);
        double tasksOfFill = slots * (1 + VirtualTime.seconds(endNanos) / means.taskSeconds());
        for (int number = 0; number <= tasksOfFill / FILL_TASKS; number++) {
            made.add(0, FILL_TASKS, FILL, Reads.NOTHING);
        }
        double seconds = made.gap();
        for (; VirtualTime.nanos(seconds) < endNanos; seconds += made.gap()) {
            made.add(VirtualTime.nanos(seconds), made.tasksOfEach(), PROBES, Reads.OWN);
        }
        return new ListedJobs(made.jobs);
    }

    /** Jobs with numbers of tasks drawn from Table 2. */
    public static JobStream facebook(JobMeans means, int count, long seed) {
        InputJobs made = new InputJobs(means, seed);
        double seconds = 0;
        for (int number = 0; number < count; number++) {
            seconds += made.gap();
            made.add(VirtualTime.nanos(seconds), made.tasksOfTable2(), SimulatedJob.POOL, Reads.OWN);
        }
        return new ListedJobs(made.jobs);
    }

    private void add(long submittedNanos, int tasks, String pool, Reads reads) {
        long[] nanos = new long[tasks];
        for (int task = 0; task < tasks; task++) {
            nanos[task] = VirtualTime.nanos(draw(means.taskSeconds()));
        }
        jobs.add(new SimulatedJob(
                Workload.BATCH, jobs.size(), submittedNanos, tasks, new SimulatedJob.Each(nanos), pool, reads));
    }

    private int tasksOfEach() {
        return (int) Math.min(JobHeader.TASKS_MAX, Math.max(1, Math.round(means.tasksPerJob())));
    }

    /** The table leaves one job of a hundred over; it is one of the smallest. */
    private int tasksOfTable2() {
        int drawn = random.nextInt(HUNDRED);
        int place = MAPS.length - 1;
        while (place > 0 && drawn >= JOBS_OF_HUNDRED[place]) {
            drawn -= JOBS_OF_HUNDRED[place--];
        }
        return MAPS[place];
    }

    private double gap() {
        return draw(1 / means.jobsPerSecond());
    }

    private double draw(double mean) {
        return -mean * StrictMath.log(1 - random.nextDouble());
    }
}
