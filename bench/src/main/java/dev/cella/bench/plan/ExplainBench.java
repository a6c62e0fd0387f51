package dev.cella.bench.plan;

import java.util.Arrays;

/** How long it takes to explain why a job is pending in a full cell, and what would help, in process and on this thread. */
public final class ExplainBench {
    private static final int WAITING = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int times;
    private long unused;

    public ExplainBench(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("a job is explained at least once");
        }
        this.times = times;
    }

    /** Explains a job that many times in a cell with that many tasks on each machine. */
    public ExplainFigures measure(int machines, int tasksAMachine) {
        FullCell cell = new FullCell(machines, tasksAMachine, WAITING);
        double[] seconds = new double[times];
        for (int at = 0; at < times; at++) {
            long began = System.nanoTime();
            unused += cell.explain().helps().size();
            seconds[at] = (System.nanoTime() - began) / NANOS_PER_SECOND;
        }
        Arrays.sort(seconds);
        return new ExplainFigures(machines, machines * tasksAMachine, seconds[times / 2], seconds[times - 1]);
    }
}
