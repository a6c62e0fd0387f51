package dev.cella.state.web.service;

import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.UsageTotal;

/** What a number of measured attempts take together, and what they asked for. */
record UsageSum(
        long tasks,
        long cpuMilli,
        long cpuMilliMean,
        long memoryMib,
        long diskMib,
        long outputBytesPerSecond,
        long cpuMilliAsked,
        long memoryMibAsked) {
    static final UsageSum NONE = new UsageSum(0, 0, 0, 0, 0, 0, 0, 0);

    /** One attempt. */
    static UsageSum of(TaskUsage usage, long cpuMilliAsked, long memoryMibAsked) {
        return new UsageSum(
                1,
                usage.getCpuMilli(),
                usage.getCpuMilliMean(),
                usage.getMemoryMib(),
                usage.getDiskMib(),
                usage.getOutputBytesPerSecond(),
                cpuMilliAsked,
                memoryMibAsked);
    }

    UsageSum plus(UsageSum more) {
        return plus(more, 1);
    }

    UsageSum minus(UsageSum less) {
        return plus(less, -1);
    }

    private UsageSum plus(UsageSum other, int times) {
        return new UsageSum(
                tasks + times * other.tasks,
                cpuMilli + times * other.cpuMilli,
                cpuMilliMean + times * other.cpuMilliMean,
                memoryMib + times * other.memoryMib,
                diskMib + times * other.diskMib,
                outputBytesPerSecond + times * other.outputBytesPerSecond,
                cpuMilliAsked + times * other.cpuMilliAsked,
                memoryMibAsked + times * other.memoryMibAsked);
    }

    UsageTotal message() {
        return UsageTotal.newBuilder()
                .setTasks(tasks)
                .setUsed(TaskUsage.newBuilder()
                        .setCpuMilli(cpuMilli)
                        .setCpuMilliMean(cpuMilliMean)
                        .setMemoryMib(memoryMib)
                        .setDiskMib(diskMib)
                        .setOutputBytesPerSecond(outputBytesPerSecond))
                .setCpuMilliAsked(cpuMilliAsked)
                .setMemoryMibAsked(memoryMibAsked)
                .build();
    }
}
