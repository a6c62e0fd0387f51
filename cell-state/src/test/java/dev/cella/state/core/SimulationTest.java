package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three replicas under a simulated log, with all their faults, in an order that the seed decides. Entries wait, leaders change
 * with entries in flight, and answers are lost. Replicas lag, get another's checkpoint in place of the log, die and come back
 * from their checkpoints. At the end everything is repaired. Then every replica has the same state, and every answer that was
 * given matches the log.
 */
class SimulationTest {
    private static final int SEEDS = 1_000;
    private static final int STEPS = 1_000;
    private static final int MEMBERS = 3;
    private static final List<Lane> LANES = List.of(Lane.values());

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anythingHappens_answersHoldAndReplicasAgree(long seed) throws Exception {
        World world = new World(seed);
        for (int step = 0; step < STEPS; step++) {
            world.step();
        }
        world.heal();
        world.checkReplicasAgree();
        world.checkAnswersAreWhatTheLogSays();
    }

    /** Belongs to one test, and follows from its seed alone. */
    private static final class World {
        private final Random random;
        private final Samples samples;
        private final ManualTime time = new ManualTime();
        private final SimulatedGroup group = new SimulatedGroup();
        private final CellLimits cellLimits = new CellLimits(20, 60_000, 3);
        private final List<SimulatedReplica> replicas = new ArrayList<>();
        private final List<FollowedFeed> feeds = new ArrayList<>();
        private final List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        private SimulatedReplica leader;

        World(long seed) throws Exception {
            random = new Random(seed);
            samples = new Samples(seed);
            ReplicaLimits limits = new ReplicaLimits(
                    300, 3, Duration.ofMillis(3), 2_000, 3_000, 1_500, 1, Duration.ofSeconds(5), cellLimits);
            for (int member = 0; member < MEMBERS; member++) {
                replicas.add(new SimulatedReplica(group, limits, time));
            }
            leader = replicas.get(0);
            leader.lead();
            replicas.forEach(replica -> feeds.add(new FollowedFeed(replica)));
        }

        void step() throws Exception {
            SimulatedReplica any = replicas.get(random.nextInt(MEMBERS));
            int dice = random.nextInt(200);
            if (dice < 1) {
                elect(any);
            } else if (dice < 2) {
                restart(any);
            } else if (dice < 4) {
                any.member().loseNextAnswer();
            } else if (dice < 5) {
                any.jumpToCheckpointOf(replicas.get(random.nextInt(MEMBERS)));
            } else if (dice < 8) {
                time.advance(Duration.ofMillis(random.nextInt(2_000)));
            } else if (dice < 40) {
                group.commitNext();
            } else if (dice < 110) {
                any.member().deliverNext();
            } else if (dice < 150) {
                any.runThreads();
            } else if (dice < 160) {
                feeds.get(random.nextInt(MEMBERS)).read();
            } else {
                submit();
            }
        }

        private void submit() {
            Replica replica = leader.replica();
            Lane lane = LANES.get(random.nextInt(LANES.size()));
            answers.add(replica.submit(lane, Samples.TEST, replica.read(samples::next)));
        }

        private void elect(SimulatedReplica elected) {
            group.elect(elected.member(), random.nextInt(4));
            leader = elected;
        }

        private void restart(SimulatedReplica replica) throws Exception {
            replica.restart();
            feeds.get(replicas.indexOf(replica)).reconnect(replica);
            if (replica == leader) {
                elect(replicas.get(random.nextInt(MEMBERS)));
            }
        }

        /** Elects a leader, delivers everything, and lets every reader reach the end of the feed. */
        void heal() {
            elect(leader);
            leader.settle();
            replicas.forEach(SimulatedReplica::settle);
            feeds.forEach(FollowedFeed::readToTheEnd);
        }

        void checkReplicasAgree() {
            long digest = leader.digest();
            for (SimulatedReplica replica : replicas) {
                assertThat(replica.replica().version())
                        .isEqualTo(leader.replica().version());
                assertThat(replica.digest()).isEqualTo(digest);
                assertThat(replica.departures()).isEmpty();
            }
            for (FollowedFeed feed : feeds) {
                assertThat(feed.digest()).isEqualTo(digest);
            }
        }

        void checkAnswersAreWhatTheLogSays() {
            Map<CellVersion, CommandResult> results = replay();
            for (CompletableFuture<CommandResult> answer : answers) {
                if (answer.isDone() && !answer.isCompletedExceptionally()) {
                    CommandResult given = answer.join();
                    assertThat(results.remove(given.version())).isEqualTo(given);
                }
            }
        }

        /** Applies the log once more, to a cell without faults. */
        private Map<CellVersion, CommandResult> replay() {
            Cell cell = new Cell(cellLimits);
            Map<CellVersion, CommandResult> results = new HashMap<>();
            CellTime before = CellTime.ZERO;
            for (byte[] bytes : group.entries()) {
                Entry entry = EntryCodec.decode(bytes);
                assertThat(entry.header().cellTime()).isGreaterThanOrEqualTo(before);
                before = entry.header().cellTime();
                cell.apply(entry).forEach(result -> results.put(result.version(), result));
            }
            assertThat(cell.view().digest()).isEqualTo(leader.digest());
            return results;
        }
    }
}
