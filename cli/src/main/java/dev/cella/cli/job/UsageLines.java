package dev.cella.cli.job;

import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.UsageTotal;

/** What tasks use of what they asked for, in a line. */
public final class UsageLines {
    private UsageLines() {}

    public static String describe(UsageTotal usage) {
        TaskUsage used = usage.getUsed();
        return Words.plural(usage.getTasks(), "task") + " asked " + Words.cores(usage.getCpuMilliAsked())
                + " cores and "
                + Words.memory(usage.getMemoryMibAsked()) + ", use " + Words.cores(used.getCpuMilli()) + " cores ("
                + Words.cores(used.getCpuMilliMean()) + " since their start) and "
                + Words.memory(used.getMemoryMib()) + ", " + Words.memory(used.getDiskMib()) + " of disk; print "
                + Words.memory(used.getOutputBytesPerSecond() >> 20) + " a second";
    }
}
