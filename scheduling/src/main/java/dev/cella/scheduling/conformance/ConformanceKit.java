package dev.cella.scheduling.conformance;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.transactions.model.JobHeader;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What every scheduler must keep, whatever its policy, as a test of one line:
 *
 * <pre>{@code
 * @Test
 * void conforms() {
 *     ConformanceKit.of(new MySchedulerProvider()).check();
 * }
 * }</pre>
 *
 * <p>Each check drives the scheduler with the loop that drives it live, over small cells drawn from a seed. One that is
 * not kept throws an {@link AssertionError} with the seed, the view and the plan; {@link #withSeed} runs it again.
 */
public final class ConformanceKit {
    private static final long SEED = 1;
    private static final int TRIALS = 10;
    private static final List<Check> CHECKS = List.of(
            new NoOverClaim(),
            new SameSeedSamePlan(),
            new HonestReasons(),
            new SurvivesConflicts(),
            new StopsWhenAsked(),
            new KeepsUpWithTheFeed(),
            new AsksWhatItMay());

    private final Supplier<Scheduler<?>> schedulers;
    private final UnaryOperator<JobHeader> jobs;
    private final long seed;
    private final int trials;

    private ConformanceKit(Supplier<Scheduler<?>> schedulers, UnaryOperator<JobHeader> jobs, long seed, int trials) {
        this.schedulers = schedulers;
        this.jobs = jobs;
        this.seed = seed;
        this.trials = trials;
    }

    /** For a type as it is when nobody sets its options. */
    public static ConformanceKit of(SchedulerProvider provider) {
        return of(provider, Map.of());
    }

    /** For a type with these options set. */
    public static ConformanceKit of(SchedulerProvider provider, Map<String, String> set) {
        return of(() -> provider.create(SchedulerOptions.of(provider.options(), set)));
    }

    public static ConformanceKit of(JobPlanner planner) {
        return of(planner::scheduler);
    }

    /** For whatever is made here, anew for each trial. */
    public static ConformanceKit of(Supplier<Scheduler<?>> schedulers) {
        return new ConformanceKit(schedulers, UnaryOperator.identity(), SEED, TRIALS);
    }

    /** With jobs that are different from the kit's in what the scheduler asks of one, such as their type. */
    public ConformanceKit withJobs(UnaryOperator<JobHeader> other) {
        return new ConformanceKit(schedulers, other, seed, trials);
    }

    /** Only the one trial with this seed, as a failure prints it. */
    public ConformanceKit withSeed(long only) {
        return new ConformanceKit(schedulers, jobs, only, 1);
    }

    /** Every check, some times over. */
    public void check() {
        CHECKS.forEach(this::check);
    }

    private void check(Check check) {
        for (long trial = seed; trial < seed + trials; trial++) {
            try {
                check.on(new Trial(schedulers, jobs, trial));
            } catch (AssertionError broken) {
                throw new AssertionError(
                        "a scheduler " + check.promise() + " ("
                                + check.getClass().getSimpleName() + "): " + broken.getMessage(),
                        broken);
            }
        }
    }
}
