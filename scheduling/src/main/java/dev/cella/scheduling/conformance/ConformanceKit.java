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
            new AsksWhatItMay(),
            new KeepsToItsPart(),
            new PlacesGangsWhole());

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

    /** For a type with its default options. */
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

    /** For a scheduler that is rebuilt for each trial. */
    public static ConformanceKit of(Supplier<Scheduler<?>> schedulers) {
        return new ConformanceKit(schedulers, UnaryOperator.identity(), SEED, TRIALS);
    }

    /** Changes the kit's jobs as the scheduler requires, such as their type. */
    public ConformanceKit withJobs(UnaryOperator<JobHeader> other) {
        return new ConformanceKit(schedulers, other, seed, trials);
    }

    /** Runs only the trial with this seed, which a failure prints. */
    public ConformanceKit withSeed(long only) {
        return new ConformanceKit(schedulers, jobs, only, 1);
    }

    /** Runs every check several times. */
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
