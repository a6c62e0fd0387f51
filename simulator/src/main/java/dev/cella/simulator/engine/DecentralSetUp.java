package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.List;

/**
 * What only the decentral architectures know: those with several schedulers that see each other's work late or not at all.
 *
 * @param globalMasters of Megha
 * @param localMasters of Megha
 * @param heartbeatMillis between the reports of a machine or local master; 0: as the architecture's paper has it
 * @param variant of Megha
 * @param shares of Megha's users, in percent; one user if there is one
 * @param workerNanos how long a master of Megha works on each worker of a state that it sends or gets
 * @param probes of Sparrow, for each task
 * @param binding of Sparrow
 * @param hopNanos how long a message takes
 * @param tokens of a job of Apollo: how many of its tasks are regular work at a time; 0: any number
 * @param sparePerToken of Apollo: how many tasks more for each token are spare work
 */
public record DecentralSetUp(
        int globalMasters,
        int localMasters,
        long heartbeatMillis,
        Variant variant,
        List<Double> shares,
        long workerNanos,
        double probes,
        Binding binding,
        long hopNanos,
        int tokens,
        double sparePerToken) {
    /** Megha as its paper describes it, or as its authors' public simulator does it. */
    public enum Variant {
        PAPER,
        /** A random free worker of a random partition: their "separation". */
        PUBLIC,
        /** The first free worker, from the first partition on: their "original". */
        ORIGINAL
    }

    /** When a task of Sparrow's is bound to a machine. */
    public enum Binding {
        /** When the machine has room: "late binding". */
        LATE,
        /** When the probed machines have said how long their queues are. */
        EARLY
    }

    public static final DecentralSetUp DEFAULT = new DecentralSetUp(
            3, 3, 0, Variant.PAPER, List.of(100.0), 0, 2, Binding.LATE, VirtualTime.NANOS_PER_MILLI / 2, 0, 1);
    private static final int MASTERS_MAX = 1_000;
    private static final int PROBES_MAX = 100;

    public DecentralSetUp {
        shares = List.copyOf(shares);
        if (globalMasters < 1 || globalMasters > MASTERS_MAX || localMasters < 1 || localMasters > MASTERS_MAX) {
            throw new ImpossibleParameterException(
                    "there are 1 to " + MASTERS_MAX + " global and local masters, not " + globalMasters + " and "
                            + localMasters,
                    "--global-masters 3 --local-masters 3");
        }
        if (heartbeatMillis < 0 || hopNanos < 0 || workerNanos < 0) {
            throw new ImpossibleParameterException("a time is not negative", "--heartbeat 10s --hop 0.5ms");
        }
        if (!(probes >= 1 && probes <= PROBES_MAX)) {
            throw new ImpossibleParameterException(
                    "a task has 1 to " + PROBES_MAX + " probes, not " + probes, "--probes 2");
        }
        if (tokens < 0 || !(sparePerToken >= 0)) {
            throw new ImpossibleParameterException(
                    "tokens and the spare work for each are not negative", "--tokens 10 --spare-per-token 1");
        }
        if (shares.isEmpty() || shares.stream().anyMatch(each -> !(each > 0))) {
            throw new ImpossibleParameterException(
                    "each user has a share above 0, not " + shares, "--shares 10,25,15,50");
        }
    }

    /** The time between reports, or the paper's. */
    public long heartbeatNanos(double paperSeconds) {
        return heartbeatMillis == 0 ? VirtualTime.nanos(paperSeconds) : heartbeatMillis * VirtualTime.NANOS_PER_MILLI;
    }

    public DecentralSetUp withMasters(int global, int local) {
        return new DecentralSetUp(
                global,
                local,
                heartbeatMillis,
                variant,
                shares,
                workerNanos,
                probes,
                binding,
                hopNanos,
                tokens,
                sparePerToken);
    }

    public DecentralSetUp withVariant(Variant other) {
        return new DecentralSetUp(
                globalMasters,
                localMasters,
                heartbeatMillis,
                other,
                shares,
                workerNanos,
                probes,
                binding,
                hopNanos,
                tokens,
                sparePerToken);
    }

    public DecentralSetUp withShares(List<Double> percent) {
        return new DecentralSetUp(
                globalMasters,
                localMasters,
                heartbeatMillis,
                variant,
                percent,
                workerNanos,
                probes,
                binding,
                hopNanos,
                tokens,
                sparePerToken);
    }

    public DecentralSetUp withTimes(long ofHopNanos, long ofWorkerNanos) {
        return new DecentralSetUp(
                globalMasters,
                localMasters,
                heartbeatMillis,
                variant,
                shares,
                ofWorkerNanos,
                probes,
                binding,
                ofHopNanos,
                tokens,
                sparePerToken);
    }

    public DecentralSetUp withProbes(double perTask, Binding bound) {
        return new DecentralSetUp(
                globalMasters,
                localMasters,
                heartbeatMillis,
                variant,
                shares,
                workerNanos,
                perTask,
                bound,
                hopNanos,
                tokens,
                sparePerToken);
    }

    public DecentralSetUp withTokens(int ofAJob, double spareForEach) {
        return new DecentralSetUp(
                globalMasters,
                localMasters,
                heartbeatMillis,
                variant,
                shares,
                workerNanos,
                probes,
                binding,
                hopNanos,
                ofAJob,
                spareForEach);
    }
}
