package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.InputStats;
import dev.cella.simulator.engine.Quantiles;
import dev.cella.simulator.engine.RunParameter;
import dev.cella.simulator.engine.RunParameterTable;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A run as maps, lists, numbers and text, to be printed as JSON or YAML: its parameters and its results. Values that do not
 * exist, such as the mean of nothing, are left out.
 */
public final class SimulationReport {
    private SimulationReport() {}

    /** The cost of the run comes last; everything before it is the same in every run. */
    public static Map<String, Object> of(
            RunParameters parameters, List<String> traces, RunResult result, double wallSeconds, double cpuSeconds) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("architecture", parameters.architecture());
        report.put("parameters", parameters(parameters, traces));
        report.put(
                "schedulers",
                result.schedulers().stream().map(SimulationReport::scheduler).toList());
        report.put("cpuUtilisation", result.cpuUtilisation());
        report.put("placements", result.placements());
        putJobs(report, result);
        result.inputs().ifPresent(inputs -> putInputs(report, inputs));
        report.put("wallSeconds", wallSeconds);
        report.put("cpuSeconds", cpuSeconds);
        report.put("placementsPerCpuSecond", cpuSeconds > 0 ? result.placements() / cpuSeconds : 0);
        return report;
    }

    private static void putJobs(Map<String, Object> report, RunResult result) {
        report.put("jobsEnded", result.jobs().ended());
        result.jobs().waits().ifPresent(wait -> report.put("jobWait", quantiles(wait)));
        result.jobs().delay().ifPresent(delay -> report.put("jobDelay", quantiles(delay)));
        put(report, "fairness", result.jobs().fairness());
        result.queueWait().ifPresent(wait -> report.put("queueWait", quantiles(wait)));
        report.putAll(result.events());
    }

    private static Map<String, Object> quantiles(Quantiles seconds) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("mean", seconds.mean());
        said.put("p50", seconds.p50());
        said.put("p90", seconds.p90());
        said.put("p99", seconds.p99());
        said.put("max", seconds.max());
        return said;
    }

    private static void putInputs(Map<String, Object> report, InputStats inputs) {
        Map<String, Object> locality = new LinkedHashMap<>();
        locality.put("node", inputs.node());
        locality.put("rack", inputs.rack());
        locality.put("any", inputs.any());
        report.put("locality", locality);
        put(report, "meanResponseSeconds", inputs.meanResponseSeconds());
        put(report, "finishedSeconds", inputs.finishedSeconds());
    }

    private static Map<String, Object> parameters(RunParameters parameters, List<String> traces) {
        Map<String, Object> said = new LinkedHashMap<>();
        for (RunParameter each : RunParameterTable.all()) {
            Object shown = each.shown().apply(parameters);
            if (!Map.of().equals(shown)) {
                said.put(each.field(), shown);
            }
        }
        if (!traces.isEmpty()) {
            said.put("workload", traces);
        }
        return said;
    }

    private static Map<String, Object> scheduler(SchedulerRow row) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("name", row.name());
        said.put("type", row.type());
        said.put("workload", row.workload().name().toLowerCase(Locale.ROOT));
        said.put("jobsSubmitted", row.jobsSubmitted());
        said.put("jobsFullyScheduled", row.jobsFullyScheduled());
        said.put("jobsQueued", row.jobsQueued());
        said.put("jobsAbandoned", row.jobsAbandoned());
        put(said, "meanWaitFirstAttemptSeconds", row.meanWaitFirstAttemptSeconds());
        put(said, "p90WaitFirstAttemptSeconds", row.p90WaitFirstAttemptSeconds());
        put(said, "meanWaitFullyScheduledSeconds", row.meanWaitFullyScheduledSeconds());
        put(said, "p90WaitFullyScheduledSeconds", row.p90WaitFullyScheduledSeconds());
        said.put("busyFraction", row.busyFraction());
        said.put("wastedBusyFraction", row.wastedBusyFraction());
        said.put("transactionsSuccessful", row.transactionsSuccessful());
        said.put("transactionsConflicted", row.transactionsConflicted());
        put(said, "conflictFraction", row.conflictFraction());
        said.put("claimsAccepted", row.claimsAccepted());
        said.put("claimsConflicted", row.claimsConflicted());
        return said;
    }

    private static void put(Map<String, Object> said, String name, OptionalDouble value) {
        value.ifPresent(number -> said.put(name, number));
    }
}
