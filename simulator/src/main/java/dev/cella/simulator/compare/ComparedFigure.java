package dev.cella.simulator.compare;

import dev.cella.simulator.engine.JobStats;
import dev.cella.simulator.engine.Quantiles;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerRow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A column of the comparison: a number that every architecture has, and means the same for all. */
public enum ComparedFigure {
    WAIT_P50(
            "waitP50",
            "WAIT P50",
            "Wait of a job until its last task runs, median",
            "s",
            jobs(JobStats::waits, Quantiles::p50)),
    WAIT_P99(
            "waitP99",
            "WAIT P99",
            "Wait of a job until its last task runs, 99th percentile",
            "s",
            jobs(JobStats::waits, Quantiles::p99)),
    DELAY_P50(
            "delayP50",
            "DELAY P50",
            "Job delay: time in the cell without the longest task, median",
            "s",
            jobs(JobStats::delay, Quantiles::p50)),
    DELAY_P99("delayP99", "DELAY P99", "Job delay, 99th percentile", "s", jobs(JobStats::delay, Quantiles::p99)),
    UTILISATION(
            "utilisation",
            "CPU USED",
            "Cores in use, of all",
            "%",
            run -> OptionalDouble.of(100 * run.cpuUtilisation())),
    CONFLICTS(
            "conflictsPerThousand",
            "CONFLICTS",
            "Conflicts, or what is like them, for 1,000 placed tasks",
            "",
            ComparedFigure::conflicts),
    FAIRNESS(
            "fairness",
            "FAIRNESS",
            "Jain's index of the jobs' slowdowns: 1 if all are slowed alike",
            "",
            run -> run.jobs().fairness()),
    NOT_PLACED(
            "jobsNotPlaced",
            "NOT PLACED",
            "Jobs of which a task was never placed within the run: no wait counts them",
            "",
            run -> OptionalDouble.of(run.jobsNotPlaced())),
    ENDED(
            "jobsEnded",
            "ENDED",
            "Jobs that ended within the run",
            "",
            run -> OptionalDouble.of((double) run.jobs().ended()));

    private static final double PER = 1_000;
    private static final List<String> LIKE_CONFLICTS = List.of("duplicates", "probesInVain");

    private final String field;
    private final String heading;
    private final String title;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<RunResult, OptionalDouble> of;

    ComparedFigure(String field, String heading, String title, String unit, Function<RunResult, OptionalDouble> of) {
        this.field = field;
        this.heading = heading;
        this.title = title;
        this.unit = unit;
        this.of = of;
    }

    private static Function<RunResult, OptionalDouble> jobs(
            Function<JobStats, Optional<Quantiles>> part, ToDoubleFunction<Quantiles> quantile) {
        return run -> part.apply(run.jobs()).stream().mapToDouble(quantile).findFirst();
    }

    private static OptionalDouble conflicts(RunResult run) {
        long lost = run.schedulers().stream()
                .mapToLong(SchedulerRow::claimsConflicted)
                .sum();
        for (String event : LIKE_CONFLICTS) {
            lost += run.events().getOrDefault(event, 0L);
        }
        return run.placements() == 0 ? OptionalDouble.empty() : OptionalDouble.of(PER * lost / run.placements());
    }

    /** The name in the JSON. */
    String field() {
        return field;
    }

    /** The heading of its column in the table. */
    public String heading() {
        return heading;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    OptionalDouble of(RunResult run) {
        return of.apply(run);
    }
}
