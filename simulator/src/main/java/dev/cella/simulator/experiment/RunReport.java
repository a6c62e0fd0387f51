package dev.cella.simulator.experiment;

import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.workload.JobMeans;
import dev.cella.simulator.workload.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A run as maps, lists, numbers and text, to be printed as JSON or YAML: what was asked for, and what came of it. What does
 * not exist, such as the mean of nothing, is left out.
 */
public final class RunReport {
    private static final double MILLI = 1000;
    private static final double MIB_PER_GIB = 1024;

    private RunReport() {}

    /** What it took to run it comes last; everything before it is the same whenever it is run. */
    public static Map<String, Object> of(
            RunParameters parameters, List<String> traces, RunResult result, double wallSeconds, double cpuSeconds) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("architecture", parameters.architecture());
        report.put("parameters", parameters(parameters, traces));
        report.put(
                "schedulers",
                result.schedulers().stream().map(RunReport::scheduler).toList());
        report.put("cpuUtilisation", result.cpuUtilisation());
        report.put("placements", result.placements());
        report.put("wallSeconds", wallSeconds);
        report.put("cpuSeconds", cpuSeconds);
        report.put("placementsPerCpuSecond", cpuSeconds > 0 ? result.placements() / cpuSeconds : 0);
        return report;
    }

    private static Map<String, Object> parameters(RunParameters parameters, List<String> traces) {
        Geometry geometry = parameters.geometry();
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("cell", parameters.cell().name());
        said.put("machines", geometry.machines());
        said.put("machineCores", geometry.machineCpuMilli() / MILLI);
        said.put("machineMemoryGib", geometry.machineMemoryMib() / MIB_PER_GIB);
        said.put("taskCores", geometry.taskCpuMilli() / MILLI);
        said.put("taskMemoryGib", geometry.taskMemoryMib() / MIB_PER_GIB);
        said.put("prefill", geometry.prefill());
        if (!traces.isEmpty()) {
            said.put("workload", traces);
        }
        for (Workload workload : Workload.values()) {
            putWorkload(said, workload, parameters);
        }
        said.put("atomicity", parameters.atomicity().name());
        said.put("conflictRule", parameters.conflictRule().name());
        said.put("retry", parameters.retryOrder().name());
        said.put("attemptsWithoutProgressMax", parameters.limits().withoutProgressMax());
        said.put("attemptsMax", parameters.limits().max());
        said.put("days", parameters.days());
        said.put("seed", parameters.seed());
        return said;
    }

    private static void putWorkload(Map<String, Object> said, Workload workload, RunParameters parameters) {
        String word = workload.word();
        JobMeans means = parameters.means(workload);
        SchedulerChoice schedulers = parameters.schedulers(workload);
        said.put(word + "JobsPerSecond", means.jobsPerSecond());
        said.put(word + "TasksPerJob", means.tasksPerJob());
        said.put(word + "TaskSeconds", means.taskSeconds());
        said.put(word + "DecisionTime", parameters.decisionTime(workload).toString());
        said.put(word + "Schedulers", schedulers.count());
        said.put(word + "SchedulerType", schedulers.type());
        if (!schedulers.options().isEmpty()) {
            said.put(word + "SchedulerOptions", schedulers.options());
        }
    }

    private static Map<String, Object> scheduler(SchedulerRow row) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("name", row.name());
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
