package dev.cella.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ExponentialStreamTest {
    private static final JobMeans MEANS = new JobMeans(0.212, 37.19, 274);

    /** The order of the draws is a contract: others compare with it job by job. */
    @Test
    void jobs_areDrawnInTheOrderThatIsPromised() {
        long seed = 7;
        Random random = new Random(seed * 31 + 2);
        ExponentialStream stream = new ExponentialStream(Workload.SERVICE, MEANS, seed);
        double arrival = draw(random, 1 / MEANS.jobsPerSecond());
        for (int number = 0; number < 1000; number++) {
            double duration = draw(random, MEANS.taskSeconds());
            int tasks = (int) Math.ceil(draw(random, MEANS.tasksPerJob()));
            assertThat(stream.next())
                    .isEqualTo(new SimulatedJob(
                            Workload.SERVICE, number, VirtualTime.nanos(arrival), tasks, VirtualTime.nanos(duration)));
            arrival += draw(random, 1 / MEANS.jobsPerSecond());
        }
    }

    private static double draw(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    @Test
    void jobs_haveTheMeansAskedFor() {
        int jobs = 200_000;
        ExponentialStream stream = new ExponentialStream(Workload.BATCH, MEANS, 1);
        double tasks = 0;
        double seconds = 0;
        long last = 0;
        for (int i = 0; i < jobs; i++) {
            SimulatedJob job = Objects.requireNonNull(stream.next());
            tasks += job.tasks();
            seconds += VirtualTime.seconds(job.times().nanos(0));
            last = job.submittedNanos();
        }
        double roundedUp = 1 / -Math.expm1(-1 / MEANS.tasksPerJob());
        assertThat(tasks / jobs).isCloseTo(roundedUp, within(0.3));
        assertThat(seconds / jobs).isCloseTo(MEANS.taskSeconds(), within(2.0));
        assertThat(jobs / VirtualTime.seconds(last)).isCloseTo(MEANS.jobsPerSecond(), within(0.002));
    }

    @Test
    void jobs_ofRateZero_neverCome() {
        assertThat(new ExponentialStream(Workload.BATCH, MEANS.withJobsPerSecond(0), 1).next())
                .isNull();
    }

    /** Their ends would be past the end of virtual time. */
    @Test
    void tasksThatRunForAges_areRefused() {
        assertThatThrownBy(() -> new JobMeans(1, 1, 1e10)).hasMessageContaining("at most 1e8 s on average");
    }

    /** As many as a live cell takes. */
    @Test
    void tasksOfAJob_areAtMostWhatAJobMayHave() {
        JobStream stream = new ExponentialStream(Workload.BATCH, new JobMeans(1, 80_000, 10), 1);
        List<Integer> tasks = IntStream.range(0, 50)
                .mapToObj(number -> Objects.requireNonNull(stream.next()).tasks())
                .toList();
        assertThat(tasks).contains(JobHeader.TASKS_MAX).allMatch(each -> each <= JobHeader.TASKS_MAX);
    }
}
