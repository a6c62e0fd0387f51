package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.List;
import java.util.OptionalLong;

/**
 * What only the decentral architectures know: those with several schedulers that see each other's work late or not at all.
 *
 * @param saidHeartbeatNanos between the reports of a machine or local master; empty: as the architecture's paper has it
 * @param hopNanos how long a message takes
 */
public record DecentralSetUp(
        OptionalLong saidHeartbeatNanos, long hopNanos, MeghaSetUp megha, SparrowSetUp sparrow, ApolloSetUp apollo) {
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
            OptionalLong.empty(),
            VirtualTime.NANOS_PER_MILLI / 2,
            new MeghaSetUp(3, 3, Variant.PAPER, List.of(100.0), 0),
            new SparrowSetUp(2, Binding.LATE),
            new ApolloSetUp(0, 1));
    private static final long HEARTBEAT_NANOS_MIN = VirtualTime.NANOS_PER_MILLI;
    private static final int MASTERS_MAX = 1_000;
    private static final int PROBES_MAX = 100;

    /**
     * How Megha is set up.
     *
     * @param shares of the users, in percent; one user if there is one
     * @param workerNanos how long a master works on each worker of a state that it sends or gets
     */
    public record MeghaSetUp(
            int globalMasters, int localMasters, Variant variant, List<Double> shares, long workerNanos) {
        public MeghaSetUp {
            shares = List.copyOf(shares);
            if (globalMasters < 1 || globalMasters > MASTERS_MAX || localMasters < 1 || localMasters > MASTERS_MAX) {
                throw new ImpossibleParameterException(
                        "there are 1 to " + MASTERS_MAX + " global and local masters, not " + globalMasters + " and "
                                + localMasters,
                        "--global-masters 3 --local-masters 3");
            }
            if (workerNanos < 0) {
                throw negativeTime();
            }
            if (shares.isEmpty() || shares.stream().anyMatch(each -> !(each > 0))) {
                throw new ImpossibleParameterException(
                        "each user has a share above 0, not " + shares, "--shares 10,25,15,50");
            }
        }
    }

    /**
     * How Sparrow is set up.
     *
     * @param probes for each task
     */
    public record SparrowSetUp(double probes, Binding binding) {
        public SparrowSetUp {
            if (!(probes >= 1 && probes <= PROBES_MAX)) {
                throw new ImpossibleParameterException(
                        "a task has 1 to " + PROBES_MAX + " probes, not " + probes, "--probes 2");
            }
        }
    }

    /**
     * How Apollo is set up.
     *
     * @param tokens of a job: how many of its tasks are regular work at a time; 0: any number
     * @param sparePerToken how many tasks more for each token are spare work
     */
    public record ApolloSetUp(int tokens, double sparePerToken) {
        public ApolloSetUp {
            if (tokens < 0 || !(sparePerToken >= 0)) {
                throw new ImpossibleParameterException(
                        "tokens and the spare work for each are not negative", "--tokens 10 --spare-per-token 1");
            }
        }
    }

    public DecentralSetUp {
        if (hopNanos < 0) {
            throw negativeTime();
        }
        if (saidHeartbeatNanos.orElse(HEARTBEAT_NANOS_MIN) < HEARTBEAT_NANOS_MIN) {
            throw new ImpossibleParameterException(
                    "reports come at most once in 1ms, not once in " + saidHeartbeatNanos.getAsLong() + "ns",
                    "--heartbeat 10s");
        }
    }

    private static ImpossibleParameterException negativeTime() {
        return new ImpossibleParameterException("a time is not negative", "--hop 0.5ms");
    }

    /** The time between reports, or the paper's. */
    public long heartbeatNanos(double paperSeconds) {
        return saidHeartbeatNanos.orElseGet(() -> VirtualTime.nanos(paperSeconds));
    }

    public DecentralSetUp withMasters(int global, int local) {
        return with(new MeghaSetUp(global, local, megha.variant, megha.shares, megha.workerNanos));
    }

    public DecentralSetUp withVariant(Variant other) {
        return with(new MeghaSetUp(megha.globalMasters, megha.localMasters, other, megha.shares, megha.workerNanos));
    }

    public DecentralSetUp withShares(List<Double> percent) {
        return with(new MeghaSetUp(megha.globalMasters, megha.localMasters, megha.variant, percent, megha.workerNanos));
    }

    private DecentralSetUp with(MeghaSetUp other) {
        return new DecentralSetUp(saidHeartbeatNanos, hopNanos, other, sparrow, apollo);
    }

    public DecentralSetUp withTimes(long ofHopNanos, long ofWorkerNanos) {
        MeghaSetUp slower =
                new MeghaSetUp(megha.globalMasters, megha.localMasters, megha.variant, megha.shares, ofWorkerNanos);
        return new DecentralSetUp(saidHeartbeatNanos, ofHopNanos, slower, sparrow, apollo);
    }

    public DecentralSetUp withProbes(double perTask, Binding bound) {
        return new DecentralSetUp(saidHeartbeatNanos, hopNanos, megha, new SparrowSetUp(perTask, bound), apollo);
    }

    public DecentralSetUp withTokens(int ofAJob, double spareForEach) {
        return new DecentralSetUp(saidHeartbeatNanos, hopNanos, megha, sparrow, new ApolloSetUp(ofAJob, spareForEach));
    }
}
