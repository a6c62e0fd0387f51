package dev.cella.simulator.engine;

import dev.cella.simulator.workload.JobKind;
import java.util.OptionalInt;

/**
 * What batch jobs read and where that is: delay scheduling's set-up.
 *
 * @param jobs how the batch jobs come
 * @param count how many there are, of the kinds that have a number
 * @param racks how many racks the machines are in; with 1 or less the machines have no racks
 * @param saidReplicas on how many machines each block is; 0: tasks read nothing; empty: as the architecture has it
 * @param waitMachineMillis delay scheduling's W1
 * @param waitRackMillis delay scheduling's W2
 * @param remoteFactor how much longer a task runs that is not on a machine with its block
 */
public record InputSetUp(
        JobKind jobs,
        int count,
        int racks,
        OptionalInt saidReplicas,
        long waitMachineMillis,
        long waitRackMillis,
        double remoteFactor) {
    public static final InputSetUp DEFAULT =
            new InputSetUp(JobKind.EXPONENTIAL, 100, 1, OptionalInt.empty(), 5_000, 10_000, 1);
    private static final int COUNT_MAX = 100_000;
    private static final int REPLICAS_MAX = 100;

    public InputSetUp {
        if (count < 1 || count > COUNT_MAX) {
            throw new ImpossibleParameterException(
                    "there are 1 to " + COUNT_MAX + " jobs of a kind, not " + count, "--jobs 100");
        }
        int replicas = saidReplicas.orElse(0);
        if (racks < 1 || replicas < 0 || replicas > REPLICAS_MAX) {
            throw new ImpossibleParameterException(
                    "machines are in 1 rack or more and a block is on 0 to " + REPLICAS_MAX + " machines, not in "
                            + racks + " racks and on " + replicas,
                    "--racks 4 --replicas 3");
        }
        if (waitMachineMillis < 0 || waitRackMillis < 0) {
            throw new ImpossibleParameterException("a wait is not negative", "--wait-machine 5s");
        }
        if (!(remoteFactor >= 1) || Double.isInfinite(remoteFactor)) {
            throw new ImpossibleParameterException(
                    "a task runs at least as long away from its block, not " + remoteFactor + " times as long",
                    "--remote-factor 2");
        }
    }

    public InputSetUp(
            JobKind jobs,
            int count,
            int racks,
            int replicas,
            long waitMachineMillis,
            long waitRackMillis,
            double remoteFactor) {
        this(jobs, count, racks, OptionalInt.of(replicas), waitMachineMillis, waitRackMillis, remoteFactor);
    }

    /** On how many machines each block is; 0 if tasks read nothing. */
    public int replicas() {
        return saidReplicas.orElse(0);
    }

    public InputSetUp withWaits(long machineMillis, long rackMillis) {
        return new InputSetUp(jobs, count, racks, saidReplicas, machineMillis, rackMillis, remoteFactor);
    }

    public InputSetUp withReplicas(int machines) {
        return new InputSetUp(jobs, count, racks, machines, waitMachineMillis, waitRackMillis, remoteFactor);
    }
}
