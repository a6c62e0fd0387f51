package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.cella.state.core.SubmitException.Why;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.AskedCommand;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class BatcherTest {
    private static final Principal TEST = new Principal("test");
    private static final Principal GREEDY = new Principal("greedy");
    private static final Incarnation HERE = new Incarnation(7);
    private static final int IN_FLIGHT = 4;
    private static final Duration DISTANCE = Duration.ofMillis(3);

    /** An entry holds some hundred small commands, or one that is large enough to join others in flight. */
    private static final ReplicaLimits LIMITS =
            new ReplicaLimits(2_000, IN_FLIGHT, Duration.ZERO, 16L << 20, 1, 1, 1, Duration.ZERO, CellLimits.STANDARD);

    private final ReplicaStats stats = new ReplicaStats();
    private final ManualTime time = new ManualTime();
    private final TaskQueue queue = new TaskQueue();
    private final HeldLog log = new HeldLog();
    private final Batcher batcher = batcher(LIMITS);

    @Test
    void submit_whileEnoughIsInFlight_gathersInOneEntry() {
        fillTheFlight();
        for (int number = 100; number < 200; number++) {
            submit(Lane.TRANSACTIONS, number);
        }
        assertThat(log.entries()).hasSize(IN_FLIGHT);
        log.land(0);
        queue.runAll();
        assertThat(log.entries()).hasSize(IN_FLIGHT + 1);
        assertThat(log.machines(IN_FLIGHT)).hasSize(100).startsWith(100L).endsWith(199L);
    }

    @Test
    void submit_littleBesideAnEntryInFlight_waitsForItsEnd() {
        submit(Lane.TRANSACTIONS, 1);
        submit(Lane.TRANSACTIONS, 2);
        submit(Lane.TRANSACTIONS, 3);
        assertThat(log.entries()).hasSize(1);
        log.land(0);
        queue.runAll();
        assertThat(log.entries()).hasSize(2);
        assertThat(log.machines(1)).containsExactly(2L, 3L);
    }

    @Test
    void submit_muchBesideAnEntryInFlight_joinsIt() {
        submit(Lane.TRANSACTIONS, 1);
        for (int number = 2; log.entries().size() == 1; number++) {
            submit(Lane.TRANSACTIONS, number);
        }
        assertThat(log.entries().get(1).commands().stream()
                        .mapToInt(command -> command.length)
                        .sum())
                .isBetween(LIMITS.joiningBytes(), LIMITS.entryBytes());
    }

    @Test
    void submit_fewCommandsSoonAfterMore_waitForTheDistanceOfEntries() {
        Batcher paced = batcher(ReplicaLimits.defaults().withEntryDistance(DISTANCE));
        for (int number = 1; number <= 3; number++) {
            var unused = paced.submit(Lane.TRANSACTIONS, TEST, lose(number));
        }
        log.landAll(queue);
        time.advance(DISTANCE.dividedBy(2));
        submit(paced, Lane.TRANSACTIONS, 4);
        submit(paced, Lane.TRANSACTIONS, 5);
        assertThat(log.entries()).hasSize(1);
        time.advance(DISTANCE.dividedBy(2));
        queue.runAll();
        assertThat(log.machines(1)).containsExactly(4L, 5L);
    }

    @Test
    void submit_asManyCommandsAsBefore_doNotWait() {
        Batcher paced = batcher(ReplicaLimits.defaults().withEntryDistance(DISTANCE));
        for (int round = 0; round < 3; round++) {
            submit(paced, Lane.TRANSACTIONS, round + 1);
            assertThat(log.entries()).hasSize(round + 1);
            log.land(round);
            queue.runAll();
        }
    }

    @Test
    void submit_muchSoonAfterAnEntry_doesNotWait() {
        Batcher paced = batcher(LIMITS.withEntryDistance(DISTANCE));
        var unused = paced.submit(Lane.TRANSACTIONS, TEST, lose(1));
        unused = paced.submit(Lane.TRANSACTIONS, TEST, lose(2));
        log.landAll(queue);
        unused = paced.submit(Lane.TRANSACTIONS, TEST, large("m"));
        queue.runAll();
        assertThat(log.entries()).hasSize(2);
    }

    @Test
    void waiting_isWhatNoEntryHasTaken_laneByLane() {
        fillTheFlight();
        submit(Lane.TRANSACTIONS, 30);
        submit(Lane.TRANSACTIONS, 31);
        submit(Lane.REPORTS, 10);
        assertThat(batcher.waiting(Lane.TRANSACTIONS)).isEqualTo(2);
        assertThat(batcher.waiting(Lane.REPORTS)).isEqualTo(1);
        landTheFlight();
        assertThat(batcher.waiting(Lane.TRANSACTIONS)).isZero();
    }

    @Test
    void submit_lanes_areServedInOrder() {
        fillTheFlight();
        submit(Lane.TRANSACTIONS, 30);
        submit(Lane.OPERATORS, 20);
        submit(Lane.REPORTS, 10);
        submit(Lane.REPORTS, 11);
        landTheFlight();
        assertThat(log.machines(IN_FLIGHT)).containsExactly(10L, 11L, 20L, 30L);
    }

    @Test
    void submit_moreThanAnEntryHolds_isSplit() {
        Batcher small =
                batcher(new ReplicaLimits(20, 1, Duration.ZERO, 1000, 1, 1, 1, Duration.ZERO, CellLimits.STANDARD));
        for (int number = 1; number <= 9; number++) {
            submit(small, Lane.REPORTS, number);
        }
        log.landAll(queue);
        assertThat(log.entries())
                .hasSizeGreaterThan(2)
                .allSatisfy(entry -> assertThat(entry.commands().stream()
                                .mapToInt(command -> command.length)
                                .sum())
                        .isLessThanOrEqualTo(20));
        assertThat(log.allMachines()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void submit_raiseOfTheLevel_entryIsOfTheNewLevel() {
        int newest = EntryCodec.FEATURE_LEVEL_MAX;
        var raised = batcher.submit(Lane.OPERATORS, TEST, new Command.RaiseFeatureLevel(newest));
        var unknown = batcher.submit(Lane.OPERATORS, TEST, new Command.RaiseFeatureLevel(newest + 1));
        log.landAll(queue);
        assertThat(log.entries())
                .extracting(entry -> entry.header().featureLevel())
                .containsOnly(newest);
        assertThat(raised).isDone();
        assertThat(unknown).isDone();
    }

    @Test
    void submit_fullLane_isRefusedAndTheOthersAreNot() {
        Batcher small = batcher(ReplicaLimits.defaults().withLaneBytes(30));
        CompletableFuture<CommandResult> last = submitUntilRefused(small);
        SubmitException refused = failure(last);
        assertThat(refused.why()).isEqualTo(Why.LANE_FULL);
        assertThat(refused.retryAfter()).isPositive();
        assertThat(stats.fullLanes(Lane.TRANSACTIONS)).isEqualTo(1);
        assertThat(small.waitingBytes(Lane.TRANSACTIONS)).isPositive();
        assertThat(small.waitingBytes(Lane.OPERATORS)).isZero();
        assertThat(small.submit(Lane.REPORTS, TEST, lose(1))).isNotDone();
        assertThat(small.submit(Lane.OPERATORS, TEST, lose(2))).isNotDone();
    }

    /** Otherwise nobody could revoke the token of a caller that keeps sending large jobs. */
    @Test
    void submit_callerHasFilledItsPart_anotherIsTakenAndDecidedNext() {
        Batcher shared = batcher(ReplicaLimits.defaults().withLaneBytes(400_000));
        Command job = Samples.jobOfBytes("large", 40_000);
        CompletableFuture<CommandResult> last = shared.submit(Lane.OPERATORS, GREEDY, job);
        while (!last.isDone()) {
            last = shared.submit(Lane.OPERATORS, GREEDY, job);
        }
        assertThat(failure(last).why()).isEqualTo(Why.LANE_FULL);
        assertThat(shared.waitingBytes(Lane.OPERATORS)).isBetween(250_000L, 300_000L);

        CompletableFuture<CommandResult> other = shared.submit(Lane.OPERATORS, TEST, new Command.RevokeToken("greedy"));

        assertThat(other).isNotDone();
        assertThat(failure(shared.submit(Lane.OPERATORS, GREEDY, lose(1))).why())
                .isEqualTo(Why.LANE_FULL);
        queue.runAll();
        assertThat(log.entries().get(0).commands())
                .extracting(command -> CommandCodec.decode(command).principal())
                .startsWith(GREEDY, TEST);
    }

    /** Schedulers have the transactions of many jobs under way. */
    @Test
    void submit_session_mayFillTheLane() {
        Batcher shared = batcher(ReplicaLimits.defaults().withLaneBytes(40_000));
        CompletableFuture<CommandResult> last = shared.submit(Lane.TRANSACTIONS, TEST, ofASession(0));
        for (int number = 1; !last.isDone(); number++) {
            last = shared.submit(Lane.TRANSACTIONS, TEST, ofASession(number));
        }
        assertThat(shared.waitingBytes(Lane.TRANSACTIONS)).isGreaterThan(35_000);
    }

    private static Command ofASession(int number) {
        return new Command.CommitTransaction(Transaction.builder(new TransactionId("t-" + number), "batch")
                .session(new SessionId(7))
                .progress(new JobId(1), Progress.of(new byte[Progress.BYTES_MAX]))
                .build());
    }

    @Test
    void submit_answers_goToTheirCallers() {
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        for (int number = 1; number <= 10; number++) {
            answers.add(batcher.submit(Lane.OPERATORS, TEST, lose(number)));
        }
        log.landAll(queue);
        for (int number = 1; number <= 10; number++) {
            assertThat(answers.get(number - 1).join().version()).isEqualTo(new CellVersion(number));
        }
    }

    @Test
    void submit_entryThatFails_leavesTheOutcomeUnknown() {
        CompletableFuture<CommandResult> answer = batcher.submit(Lane.OPERATORS, TEST, lose(1));
        queue.runAll();
        log.fail(0);
        queue.runAll();
        assertThat(failure(answer).why()).isEqualTo(Why.OUTCOME_UNKNOWN);
    }

    @Test
    void follow_whatWaits_isToldToTryAgain() {
        fillTheFlight();
        CompletableFuture<CommandResult> waiting = submit(Lane.OPERATORS, 100);
        batcher.follow();
        queue.runAll();
        assertThat(failure(waiting).why()).isEqualTo(Why.NO_LEADER);
        assertThat(failure(submit(Lane.REPORTS, 101)).why()).isEqualTo(Why.NO_LEADER);
    }

    @Test
    void close_whatWaits_isToldSo() {
        CompletableFuture<CommandResult> waiting = batcher.submit(Lane.OPERATORS, TEST, lose(1));
        batcher.close();
        queue.runAll();
        assertThat(failure(waiting).why()).isEqualTo(Why.CLOSED);
        assertThat(failure(batcher.submit(Lane.OPERATORS, TEST, lose(2))).why()).isEqualTo(Why.CLOSED);
    }

    @Test
    void header_goesOnFromTheLastStampByTheMonotonicClock() {
        time.advance(Duration.ofMillis(300));
        submit(Lane.OPERATORS, 1);
        assertThat(log.entries().get(0).header().cellTime()).isEqualTo(new CellTime(5300));
        assertThat(log.entries().get(0).header().incarnation()).isEqualTo(HERE);
        assertThat(log.entries().get(0).header().wallTimeMillis()).isEqualTo(time.wallMillis());
    }

    private Batcher batcher(ReplicaLimits limits) {
        Batcher made = new Batcher(log, limits, queue.threads(), time, stats);
        made.lead(new LeaderClock(new CellTime(5000), time.monotonicNanos(), time), () -> 1, HERE);
        return made;
    }

    private void fillTheFlight() {
        for (int number = 1; number <= IN_FLIGHT; number++) {
            var unused = batcher.submit(Lane.REPORTS, TEST, large("m" + number));
            queue.runAll();
        }
        assertThat(log.entries()).hasSize(IN_FLIGHT);
    }

    private void landTheFlight() {
        for (int entry = 0; entry < IN_FLIGHT; entry++) {
            log.land(entry);
            queue.runAll();
        }
    }

    private static Command large(String machine) {
        String text = "x".repeat(LIMITS.joiningBytes());
        return new Command.PutMachine(
                machine, Amounts.NONE, new TreeMap<>(Map.of("text", text)), Optional.empty(), false);
    }

    @CanIgnoreReturnValue
    private CompletableFuture<CommandResult> submit(Lane lane, int number) {
        return submit(batcher, lane, number);
    }

    @CanIgnoreReturnValue
    private CompletableFuture<CommandResult> submit(Batcher to, Lane lane, int number) {
        CompletableFuture<CommandResult> answer = to.submit(lane, TEST, lose(number));
        queue.runAll();
        return answer;
    }

    private static CompletableFuture<CommandResult> submitUntilRefused(Batcher batcher) {
        CompletableFuture<CommandResult> last = batcher.submit(Lane.TRANSACTIONS, TEST, lose(1));
        for (int number = 2; !last.isDone(); number++) {
            last = batcher.submit(Lane.TRANSACTIONS, TEST, lose(number));
        }
        return last;
    }

    /** A small command that carries a number. */
    private static Command lose(int number) {
        return new Command.LoseMachine(new MachineId(number));
    }

    private static SubmitException failure(CompletableFuture<CommandResult> answer) {
        CompletionException failure = catchThrowableOfType(CompletionException.class, answer::join);
        return (SubmitException) failure.getCause();
    }

    /** Holds the proposed entries until the test decides their fate. */
    private static final class HeldLog implements ReplicatedLog {
        private final List<Entry> entries = new ArrayList<>();
        private final List<CompletableFuture<AppliedEntry>> answers = new ArrayList<>();
        private int version;

        @Override
        public void start(LogListener listener) {}

        @Override
        public CompletableFuture<Void> catchUp() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public LogSyncs syncs() {
            return LogSyncs.NONE;
        }

        @Override
        public CompletableFuture<AppliedEntry> append(byte[] entry) {
            entries.add(EntryCodec.decode(entry));
            answers.add(new CompletableFuture<>());
            return answers.get(answers.size() - 1);
        }

        List<Entry> entries() {
            return entries;
        }

        List<Long> machines(int entry) {
            return entries.get(entry).commands().stream()
                    .map(CommandCodec::decode)
                    .map(AskedCommand::command)
                    .map(command -> ((Command.LoseMachine) command).machine().version())
                    .toList();
        }

        List<Long> allMachines() {
            List<Long> all = new ArrayList<>();
            for (int entry = 0; entry < entries.size(); entry++) {
                all.addAll(machines(entry));
            }
            return all;
        }

        void land(int entry) {
            List<CommandResult> results = new ArrayList<>();
            for (int command = 0; command < entries.get(entry).commands().size(); command++) {
                version++;
                results.add(new CommandResult.Done(new CellVersion(version), CommandResult.Effect.CHANGED, version, 0));
            }
            answers.get(entry).complete(new AppliedEntry(new LogPosition(1, entry), new CellVersion(version), results));
        }

        void fail(int entry) {
            answers.get(entry).completeExceptionally(new IOException("stepped down"));
        }

        void landAll(TaskQueue queue) {
            queue.runAll();
            for (int entry = 0; entry < entries.size(); entry++) {
                land(entry);
                queue.runAll();
            }
        }

        @Override
        public Optional<String> leader() {
            return Optional.empty();
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public long entriesBehind() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
