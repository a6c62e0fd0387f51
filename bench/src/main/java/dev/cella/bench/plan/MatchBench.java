package dev.cella.bench.plan;

import dev.cella.scheduler.batch.apollo.ApolloSchedulerProvider;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.transactions.model.Transaction;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.BitSet;

/**
 * How long type {@code apollo} takes for one turn of a job in a full cell: to estimate the waits, match the tasks to machines and
 * make the transaction. It is CPU time of this thread.
 */
public final class MatchBench {
    private static final int TASKS_A_MACHINE = 4;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int times;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    public MatchBench(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("a job is matched at least once");
        }
        this.times = times;
    }

    /** Matches a job of that many tasks again and again, in a cell with four running tasks on each machine. */
    public MatchFigures measure(int machines, int tasks) {
        SchedulerProvider provider = new ApolloSchedulerProvider();
        return measure(
                provider.create(SchedulerOptions.defaults(provider.options())),
                new FullCell(machines, TASKS_A_MACHINE, tasks),
                machines,
                tasks);
    }

    private <M> MatchFigures measure(Scheduler<M> apollo, FullCell cell, int machines, int tasks) {
        double[] seconds = new double[times];
        BitSet matched = new BitSet();
        for (int at = 0; at < times; at++) {
            long began = threads.getCurrentThreadCpuTime();
            Plan<M> plan = cell.plan(apollo);
            seconds[at] = (threads.getCurrentThreadCpuTime() - began) / NANOS_PER_SECOND;
            matched.clear();
            plan.proposals().stream().map(Proposal::transaction).forEach(each -> addMachines(each, matched));
        }
        Arrays.sort(seconds);
        return new MatchFigures(machines, tasks, matched.cardinality(), seconds[times / 2], seconds[times - 1]);
    }

    private static void addMachines(Transaction transaction, BitSet machines) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            machines.set(transaction.machine(claim));
        }
    }
}
