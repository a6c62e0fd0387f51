package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.InputStats;
import dev.cella.simulator.engine.Quantiles;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.workload.Workload;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A number of a run that a figure draws; it may not exist. */
enum FigureMetric {
    BATCH_WAIT("batch", run -> row(run, Workload.BATCH).meanWaitFirstAttemptSeconds()),
    SERVICE_WAIT("service", run -> row(run, Workload.SERVICE).meanWaitFirstAttemptSeconds()),
    BATCH_BUSY("batch", run -> OptionalDouble.of(row(run, Workload.BATCH).busyFraction())),
    SERVICE_BUSY("service", run -> OptionalDouble.of(row(run, Workload.SERVICE).busyFraction())),
    BATCH_CONFLICTS("batch", run -> row(run, Workload.BATCH).conflictFraction()),
    SERVICE_CONFLICTS("service", run -> row(run, Workload.SERVICE).conflictFraction()),
    /** The part of all jobs. */
    BATCH_ABANDONED("batch", run -> abandoned(row(run, Workload.BATCH))),
    BATCH_WHOLE("batch", run -> row(run, Workload.BATCH).meanWaitFullyScheduledSeconds()),
    SERVICE_WHOLE("service", run -> row(run, Workload.SERVICE).meanWaitFullyScheduledSeconds()),
    UTILISATION("cell", run -> OptionalDouble.of(run.cpuUtilisation())),
    NODE_LOCALITY("on the machine", run -> input(run, InputStats::node)),
    /** On the machine or in its rack. */
    RACK_LOCALITY("in the rack", run -> input(run, inputs -> inputs.node() + inputs.rack())),
    RESPONSE("jobs", run -> run.inputs().map(InputStats::meanResponseSeconds).orElse(OptionalDouble.empty())),
    FINISHED("all jobs", run -> run.inputs().map(InputStats::finishedSeconds).orElse(OptionalDouble.empty())),
    /** Until the last task of a job runs. */
    JOB_WAIT("mean", run -> wait(run, Quantiles::mean)),
    JOB_WAIT_MAX("longest", run -> wait(run, Quantiles::max)),
    REPARTITIONS("repartitions", run -> count(run, "repartitions")),
    PREEMPTIONS("preemptions", run -> count(run, "preemptions")),
    /** For one scheduler that serves both workloads. */
    BUSY("scheduler", run -> OptionalDouble.of(run.busyFraction()));

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<RunResult, OptionalDouble> of;

    FigureMetric(String label, Function<RunResult, OptionalDouble> of) {
        this.label = label;
        this.of = of;
    }

    private static OptionalDouble abandoned(SchedulerRow row) {
        return row.jobsSubmitted() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) row.jobsAbandoned() / row.jobsSubmitted());
    }

    private static OptionalDouble input(RunResult run, ToDoubleFunction<InputStats> part) {
        return run.inputs().stream().mapToDouble(part).findFirst();
    }

    private static OptionalDouble wait(RunResult run, ToDoubleFunction<Quantiles> part) {
        return run.jobs().waits().stream().mapToDouble(part).findFirst();
    }

    private static OptionalDouble count(RunResult run, String event) {
        return OptionalDouble.of(run.events().getOrDefault(event, 0L));
    }

    private static SchedulerRow row(RunResult run, Workload workload) {
        return run.row(workload);
    }

    /** The label of its line. */
    String label() {
        return label;
    }

    OptionalDouble of(RunResult run) {
        return of.apply(run);
    }

    /** The heading of its column in a table. */
    String column() {
        StringBuilder column = new StringBuilder();
        boolean capital = false;
        for (int at = 0; at < name().length(); at++) {
            char c = name().charAt(at);
            if (c != '_') {
                column.append(capital ? c : Character.toLowerCase(c));
            }
            capital = c == '_';
        }
        return column.toString();
    }
}
