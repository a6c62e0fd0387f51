package dev.cella.cli.machine;

import dev.cella.cli.job.UsageLines;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.MachineCounts;
import dev.cella.client.proto.TaskCounts;
import java.net.URI;
import java.util.Locale;
import java.util.function.LongFunction;

/** The cell in five lines: {@code cella status} prints them once and {@code cella top} repeatedly. */
final class SummaryLines {
    private static final int BAR_CELLS = 20;

    /** The column at which the content of each line begins. */
    static final int HANG = 10;

    private SummaryLines() {}

    static void print(CellSummary summary, URI address, Terminal terminal) {
        terminal.print("cell      " + summary.getName() + " at " + address + ", version " + summary.getVersion());
        terminal.print("machines  " + describe(summary.getMachines()));
        terminal.print("tasks     " + describe(summary.getTasks()) + spare(summary));
        terminal.print("cpu       " + describe(summary, "cpuMilli", Words::cores));
        terminal.print("memory    " + describe(summary, "memoryMib", Words::memory));
        if (summary.hasUsage()) {
            terminal.print("usage     " + UsageLines.describe(summary.getUsage()));
        }
    }

    private static String describe(MachineCounts machines) {
        return machines.getReady() + " ready, " + machines.getDraining() + " draining, " + machines.getDrained()
                + " drained, " + machines.getDown() + " down";
    }

    private static String describe(TaskCounts tasks) {
        return tasks.getPending() + " pending, " + tasks.getPlaced() + " placed, " + tasks.getRunning() + " running, "
                + tasks.getStopping() + " stopping, " + tasks.getFinished() + " finished, " + tasks.getFailed()
                + " failed, " + tasks.getKilled() + " killed, " + tasks.getPreempted() + " preempted, "
                + tasks.getLost() + " lost";
    }

    private static String spare(CellSummary summary) {
        return summary.hasSpareTasks() ? "; " + summary.getSpareTasks() + " on machines as spare work" : "";
    }

    /** {@code [#####               ]  25 %  1.5 of 2 free}. */
    private static String describe(CellSummary summary, String dimension, LongFunction<String> amount) {
        long capacity = summary.getCapacityOrDefault(dimension, 0);
        long free = summary.getFreeOrDefault(dimension, 0);
        double used = capacity == 0 ? 0 : (capacity - free) / (double) capacity;
        String bar = "#".repeat((int) Math.ceil(used * BAR_CELLS));
        return String.format(
                Locale.ROOT,
                "[%-" + BAR_CELLS + "s] %3.0f %% used, %s of %s free",
                bar,
                used * 100,
                amount.apply(free),
                amount.apply(capacity));
    }
}
