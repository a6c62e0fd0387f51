package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.state.conflicts.LedgerFilter;
import dev.cella.state.history.HistoryStep;
import dev.cella.state.history.Span;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.TaskCounts;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaTest {
    private static final Duration LEASE = Duration.ofMillis(Samples.LEASE_MILLIS);
    private static final Duration KILL_TIME = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final int ROWS_MAX = 4;
    private static final LogPeer OTHER = new LogPeer("other", "127.0.0.1:1", "");

    private final ManualTime time = new ManualTime();
    private final SimulatedGroup group = new SimulatedGroup();
    private SimulatedReplica simulated;
    private Replica replica;

    @BeforeEach
    void found() throws Exception {
        simulated = another();
        replica = simulated.replica();
        simulated.lead();
    }

    private SimulatedReplica another() throws Exception {
        return new SimulatedReplica(
                group,
                ReplicaLimits.defaults()
                        .withKillTime(KILL_TIME)
                        .withCheckpointLogBytes(2_000)
                        .withCell(new CellLimits(1000, 3_600_000, ROWS_MAX)),
                time);
    }

    // ---- when it cannot go on

    @Test
    void logThatStopsWithoutAWord_isNoticedAndLeft() {
        simulated.member().failSilently();
        time.advance(TICK);
        assertThat(simulated.departures()).contains("the log has stopped");
    }

    @Test
    void tickThatFails_isNotTheLast() {
        simulated.member().failNextAnswer();
        assertThatThrownBy(() -> time.advance(TICK)).hasMessage("the log does not answer");
        simulated.member().failSilently();
        time.advance(TICK);
        assertThat(simulated.departures()).contains("the log has stopped");
    }

    /** Each hand-over wakes a thread. The tick comes four times as often as a point of the series. */
    @Test
    void followerAtRest_handsOverWhenAPointIsDue_orSomethingIsToRead() throws Exception {
        SimulatedReplica follower = another();
        follower.settle();
        advanceInTicks(4, follower);
        int leading = simulated.tasksTaken();
        int following = follower.tasksTaken();
        advanceInTicks(40, follower);
        assertThat(follower.tasksTaken() - following).isEqualTo(10);
        assertThat(simulated.tasksTaken() - leading).isEqualTo(40);

        simulated.ask(Samples.machine("m2"));
        follower.settle();
        following = follower.tasksTaken();
        advanceInTicks(1, follower);
        assertThat(follower.tasksTaken() - following).isEqualTo(1);
    }

    private void advanceInTicks(int ticks, SimulatedReplica follower) {
        for (int tick = 0; tick < ticks; tick++) {
            time.advance(TICK.dividedBy(2));
            simulated.runThreads();
            follower.runThreads();
        }
    }

    @Test
    void close_logThatStops_isNoDeparture() throws Exception {
        replica.close();
        simulated.member().failSilently();
        time.advance(TICK);
        assertThat(simulated.departures()).isEmpty();
    }

    @Test
    void close_logThatDoesNot_closesTheStore() {
        simulated.member().closesBadly();
        assertThatThrownBy(replica::close).hasMessage("the log does not close");
        assertThat(simulated.store().isClosed()).isTrue();
    }

    @Test
    void isCurrent_withALeaderAndLittleToApply() {
        assertThat(replica.isCurrent()).isTrue();
        assertThat(replica.leader()).isPresent();
        simulated.member().close();
        assertThat(replica.isCurrent()).as("nobody leads").isFalse();
    }

    // ---- from a command to its answer

    @Test
    void lead_emptyLog_foundsTheCellFirst() {
        assertThat(replica.version()).isEqualTo(new CellVersion(1));
        assertThat(replica.<CellName>read(view -> view.name().orElseThrow())).isEqualTo(replica.cell());
        assertThat(replica.incarnation().number()).isNotZero();
    }

    @Test
    void lead_again_foundsNothing() throws Exception {
        long before = replica.incarnation().number();
        restart();
        assertThat(replica.incarnation().number()).isEqualTo(before);
        assertThat(replica.version()).isEqualTo(new CellVersion(1));
    }

    @Test
    void submit_beforeReady_isToldToTryAgain() throws Exception {
        simulated.restart();
        assertThat(simulated.replica().submit(Lane.REPORTS, Samples.TEST, Samples.machine("m-1")))
                .isCompletedExceptionally();
    }

    @Test
    void handOver_thatFailsWhileNobodyLeads_keepsCommandsUntilALeaderIsKnown() {
        CompletableFuture<Void> handed = replica.handOver(OTHER);
        CompletableFuture<CommandResult> command = replica.submit(Lane.OPERATORS, Samples.TEST, Samples.machine("m-1"));
        simulated.settle();
        group.stepDown();
        simulated.member().transferFails();
        simulated.settle();
        assertThat(command).as("nobody leads").isNotDone();

        simulated.lead();
        time.advance(TICK);
        simulated.settle();

        assertThat(command.join()).isInstanceOf(CommandResult.Done.class);
        assertThat(handed).isCompletedExceptionally();
    }

    @Test
    void handOver_afterWhichNobodyLeads_refusesTheCommandsInTheEnd() {
        var unused = replica.handOver(OTHER);
        CompletableFuture<CommandResult> command = replica.submit(Lane.OPERATORS, Samples.TEST, Samples.machine("m-1"));
        simulated.settle();
        group.stepDown();
        simulated.member().transferFails();

        time.advance(Replica.HAND_OVER_MAX);
        simulated.settle();

        assertThatThrownBy(command::join)
                .hasCauseInstanceOf(SubmitException.class)
                .hasMessageContaining("does not lead");
    }

    @Test
    void submit_refused_isAnAnswerAndTakesItsVersion() {
        CommandResult result = simulated.ask(new Command.LoseMachine(new MachineId(99)));
        assertThat(result).isInstanceOf(CommandResult.Refused.class);
        assertThat(result.version()).isEqualTo(replica.version());
    }

    @Test
    void committed_poisonCommand_isAnAnswerAndTheNextOneGoesOn() {
        byte[] poison = {127, 1, 2, 3};
        CompletableFuture<AppliedEntry> applied =
                simulated.member().append(EntryCodec.encode(header(), List.of(poison, new byte[0])));
        simulated.settle();
        assertThat(applied.join().results())
                .hasSize(2)
                .allSatisfy(result ->
                        assertThat(((CommandResult.Refused) result).reason()).isEqualTo(Reason.BAD_COMMAND));
        assertThat(simulated.ask(Samples.machine("m-1")).version()).isEqualTo(new CellVersion(4));
        assertThat(simulated.departures()).isEmpty();
    }

    @Test
    void committed_damagedEntry_leavesTheProcess() {
        byte[] entry = EntryCodec.encode(header(), List.of());
        entry[entry.length - 1] ^= 1;
        var unused = simulated.member().append(entry);
        assertThatDeparts("cannot apply the log");
    }

    @Test
    void committed_entryOfANewerProgram_leavesTheProcess() {
        EntryHeader newer = new EntryHeader(EntryCodec.FEATURE_LEVEL_MAX + 1, CellTime.ZERO, 0, replica.incarnation());
        var unused = simulated.member().append(EntryCodec.encode(newer, List.of()));
        assertThatDeparts("written by a newer program");
    }

    private void assertThatDeparts(String why) {
        try {
            simulated.settle();
        } catch (RuntimeException stopsTheLog) {
            assertThat(simulated.departures()).singleElement().asString().contains(why);
            return;
        }
        throw new AssertionError("the log goes on");
    }

    @Test
    void committed_stampThatGoesBack_doesNotTurnTimeBack() {
        time.advance(Duration.ofSeconds(3));
        simulated.ask(Samples.machine("m-1"));
        CellTime before = replica.read(CellView::time);
        EntryHeader earlier = new EntryHeader(1, CellTime.ZERO, 0, replica.incarnation());
        var unused = simulated.member().append(EntryCodec.encode(earlier, List.of(new byte[0])));
        simulated.settle();
        assertThat(replica.<CellTime>read(CellView::time)).isEqualTo(before);
    }

    /** A hold expires in its time also where the leader changes after an hour without a command. */
    @Test
    void lead_afterAQuietTime_countsIt() throws Exception {
        SimulatedReplica next = another();
        simulated.ask(Samples.machine("m-1"));
        next.settle();
        CellTime before = replica.read(CellView::time);
        time.advance(Duration.ofHours(1));

        next.lead();
        next.ask(Samples.machine("m-2"));

        assertThat(next.replica().<CellTime>read(CellView::time)).isEqualTo(before.plusMillis(3_600_000));
    }

    private EntryHeader header() {
        return new EntryHeader(1, CellTime.ZERO, 0, replica.incarnation());
    }

    // ---- waiting

    @Test
    void awaitVersion_isThereAsSoonAsItIs() {
        CompletableFuture<CellVersion> second = replica.awaitVersion(new CellVersion(2), Duration.ofSeconds(5));
        simulated.settle();
        assertThat(second).isNotDone();
        simulated.ask(Samples.machine("m-1"));
        assertThat(second).isCompletedWithValue(new CellVersion(2));
    }

    @Test
    void awaitVersion_tooLong_givesWhatThereIs() {
        CompletableFuture<CellVersion> second = replica.awaitVersion(new CellVersion(2), Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(5));
        simulated.settle();
        assertThat(second).isCompletedWithValue(new CellVersion(1));
    }

    @Test
    void await_question_isAskedAgainAfterEachEntry() {
        CompletableFuture<Integer> machines =
                replica.await(CellView::machineSlots, slots -> slots >= 2, Duration.ofMinutes(1));
        simulated.ask(Samples.machine("m-1"));
        assertThat(machines).isNotDone();
        simulated.ask(Samples.machine("m-2"));
        assertThat(machines).isCompletedWithValue(2);
    }

    // ---- specifications

    @Test
    void specification_isFoundInTheOverlayInTheStoreAndAfterARestart() throws Exception {
        JobId job = submitJob("hello", 3);
        assertThat(replica.specification(job, 1)).contains(Samples.specification("hello"));
        checkpoint();
        assertThat(replica.specification(job, 1)).contains(Samples.specification("hello"));
        restart();
        assertThat(replica.specification(job, 1)).contains(Samples.specification("hello"));
        assertThat(replica.specification(job, 2)).isEmpty();
    }

    @Test
    void specification_whileACheckpointArrives_isFoundInTheOverlayOrNotSaidToBeMissing() throws Exception {
        SimulatedReplica follower = another();
        JobId written = submitJob("written", 1);
        checkpoint();
        JobId newest = submitJob("newest", 1);
        follower.settle();
        checkpoint();
        List<String> found = new ArrayList<>();
        follower.store().whileRestoring(() -> {
            found.add(follower.replica().specification(newest, 1).orElseThrow().toString());
            assertThatThrownBy(() -> follower.replica().specification(written, 1))
                    .isInstanceOf(StoreUnavailableException.class);
        });
        follower.jumpToCheckpointOf(simulated);
        assertThat(found).hasSize(1);
        assertThat(follower.replica().specification(newest, 1)).contains(Samples.specification("newest"));
        assertThat(follower.replica().specification(written, 1)).contains(Samples.specification("written"));
    }

    /** The rows of its tables may be gone with the former store: a backup without them would look whole. */
    @Test
    void backup_duringWhichACheckpointArrives_fails() throws Exception {
        SimulatedReplica follower = another();
        submitJob("written", 1);
        follower.settle();
        checkpoint();
        OutputStream jumping = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                follower.jumpToCheckpointOf(simulated);
            }
        };
        assertThatThrownBy(() -> follower.replica().backup(jumping)).isInstanceOf(StoreUnavailableException.class);
        assertThatCode(() -> follower.replica().backup(OutputStream.nullOutputStream()))
                .doesNotThrowAnyException();
    }

    // ---- outcomes

    @Test
    void submit_repeatedTransaction_isAnsweredWithItsFirstOutcomeFromOverlayStoreAndAfterARestart() throws Exception {
        simulated.ask(Samples.machine("m-1"));
        JobId job = submitJob("hello", 3);
        Command claims = replica.read(
                view -> Samples.claimAll(view, "once", view.job(job).orElseThrow(), 0));
        CommandResult first = simulated.ask(claims);
        assertThat(((CommandResult.Decided) first).outcome().accepted()).isEqualTo(3);
        assertThat(simulated.ask(claims)).isEqualTo(first);
        checkpoint();
        assertThat(simulated.ask(claims)).isEqualTo(first);
        restart();
        assertThat(simulated.ask(claims)).isEqualTo(first);
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isEqualTo(3);
    }

    @Test
    void submit_repeatedTransaction_whoseOutcomeCannotBeRead_isToldToTryAgain() {
        simulated.ask(Samples.machine("m-1"));
        JobId job = submitJob("hello", 3);
        Command claims = replica.read(
                view -> Samples.claimAll(view, "once", view.job(job).orElseThrow(), 0));
        simulated.ask(claims);
        checkpoint();
        simulated.store().close();
        CompletableFuture<CommandResult> again = replica.submit(Lane.OPERATORS, Samples.TEST, claims);
        simulated.settle();
        assertThatThrownBy(again::join)
                .cause()
                .isInstanceOfSatisfying(
                        SubmitException.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(SubmitException.Why.OUTCOME_UNKNOWN));
    }

    @Test
    void submit_whileTheStoreIsBlocked_isAnsweredAndNothingIsLost() throws Exception {
        simulated.blockStore();
        JobId first = new JobId(((CommandResult.Done) simulated.ask(Samples.job("first", 3))).identity());
        for (int machine = 0; machine < 200; machine++) {
            simulated.ask(Samples.machine("m-" + machine));
        }
        assertThat(simulated.store().checkpoints()).isZero();
        assertThat(replica.specification(first, 1)).contains(Samples.specification("first"));
        long digest = simulated.digest();

        simulated.unblockStore();
        assertThat(simulated.store().checkpoints()).isEqualTo(1);
        assertThat(replica.specification(first, 1)).contains(Samples.specification("first"));
        simulated.ask(Samples.machine("m-0"));
        simulated.settle();
        assertThat(simulated.store().checkpoints()).isEqualTo(2);

        long last = simulated.digest();
        restart();
        assertThat(simulated.digest()).isEqualTo(last).isNotEqualTo(digest);
    }

    /** The older one waited for the disk. A replica that went back to it would ask for a log that it does not have. */
    @Test
    void checkpointOfAnotherReplica_isNotReplacedByAnOlderOneThatWasToBeWritten() throws Exception {
        SimulatedReplica follower = another();
        follower.blockStore();
        checkpoint();
        follower.settle();
        checkpoint();
        follower.jumpToCheckpointOf(simulated);
        LogPosition arrived = simulated.store().newestPosition();

        follower.unblockStore();
        assertThat(follower.store().newestPosition()).isEqualTo(arrived);
        follower.settle();
        assertThat(follower.digest()).isEqualTo(simulated.digest());
        assertThat(follower.departures()).isEmpty();
    }

    /** The log begins after that checkpoint, so the replica could never apply the next entry. */
    @Test
    void checkpointOfAnotherReplica_thatIsDamaged_isLeftWithAdvice() throws Exception {
        SimulatedReplica follower = another();
        checkpoint();
        follower.settle();
        assertThat(follower.store().checkpoints()).isPositive();
        checkpoint();
        assertThatThrownBy(() -> follower.jumpToDamagedCheckpointOf(simulated)).isInstanceOf(IOException.class);
        assertThat(follower.departures()).singleElement().asString().contains("is damaged", "cella cell replace");
    }

    /** It stays where it is, for the program that wrote it. */
    @Test
    void checkpointOfAnotherReplica_ofANewerProgram_isLeftWithoutAdviceToReplaceIt() throws Exception {
        SimulatedReplica follower = another();
        checkpoint();
        follower.settle();
        checkpoint();
        assertThatThrownBy(() -> follower.jumpToNewerCheckpointOf(simulated)).isInstanceOf(UnknownLevelException.class);
        assertThat(follower.departures())
                .singleElement()
                .asString()
                .contains("was written by a newer program")
                .doesNotContain("cella cell replace");
        assertThat(follower.store().refused()).isZero();
    }

    /** The rows from before would look complete, with a gap that nobody sees. */
    @Test
    void checkpointOfAnotherReplica_beginsThePastAgain() throws Exception {
        SimulatedReplica follower = another();
        submitJob("before", 1);
        follower.settle();
        assertThat(follower.replica().audit().after(0, Optional.empty(), 10)).isNotEmpty();
        assertThat(stepsOf(follower)).isNotEmpty();
        checkpoint();
        time.advance(TICK);
        follower.jumpToCheckpointOf(simulated);
        long arrived = follower.replica().version().number();

        assertThat(follower.replica().audit().keptAfter()).isEqualTo(arrived);
        assertThat(follower.replica().audit().after(0, Optional.empty(), 10)).isEmpty();
        assertThat(follower.replica().history().stepsKeptFromVersion()).isEqualTo(arrived + 1);
        assertThat(stepsOf(follower)).isEmpty();
        assertThat(follower.replica()
                        .conflicts()
                        .summary(LedgerFilter.ALL, Optional.empty())
                        .keptFromMillis())
                .isEqualTo(time.wallMillis());
    }

    private static List<HistoryStep> stepsOf(SimulatedReplica replica) {
        return replica.replica().history().steps(Optional.empty(), Optional.empty(), Span.EVER, 10);
    }

    private void checkpoint() {
        int before = simulated.store().checkpoints();
        for (int number = 0; simulated.store().checkpoints() == before; number++) {
            simulated.ask(Samples.machine("filler-" + number));
        }
    }

    // ---- leases

    @Test
    void lease_renewed_staysUp() {
        MachineId machine = register("m-1");
        for (int renewal = 0; renewal < 10; renewal++) {
            pass(LEASE.dividedBy(2));
            assertThat(replica.leases().renewMachine(machine)).contains(LEASE);
        }
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
    }

    @Test
    void lease_notRenewed_isLostAfterLeaseAndKillTime() {
        MachineId machine = register("m-1");
        pass(Duration.ofSeconds(3));
        replica.leases().renewMachine(machine);
        pass(LEASE.plus(KILL_TIME));
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
        pass(TICK);
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
        assertThat(replica.leases().renewMachine(machine)).isEmpty();
    }

    @Test
    void lease_onceGivenUp_isNotRenewedWhileTheCellStillShowsIt() {
        MachineId machine = register("m-1");
        time.advance(LEASE.plus(KILL_TIME).plus(TICK));
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
        assertThat(replica.leases().renewMachine(machine)).isEmpty();
        simulated.settle();
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
    }

    @Test
    void lease_ofAnAgentThatComesBack_beginsAgain() {
        MachineId machine = register("m-1");
        time.advance(LEASE.plus(KILL_TIME).plus(TICK));
        simulated.settle();
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
        simulated.ask(Samples.machineWithAgent("m-1"));
        pass(LEASE);
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
        assertThat(replica.leases().renewMachine(machine)).contains(LEASE);
    }

    @Test
    void lease_afterARestart_countsFromReady() throws Exception {
        register("m-1");
        pass(LEASE.plus(KILL_TIME).minus(TICK));
        restart();
        pass(LEASE.plus(KILL_TIME));
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
        pass(TICK);
        pass(TICK);
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
    }

    /** Its agent and its session renewed all the time, and nobody listened. */
    @Test
    void lease_afterTheProcessStoodStill_countsFromThen() {
        MachineId machine = register("m-1");
        SessionId session = open("batch", "a");
        pass(Duration.ofSeconds(3));
        time.standStill(LEASE.plus(KILL_TIME).multipliedBy(2));
        pass(TICK);
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
        assertThat(replica.leases().renewMachine(machine)).contains(LEASE);
        assertThat(replica.leases().renewSession(session)).contains(LEASE);

        pass(LEASE.plus(KILL_TIME).plus(TICK).plus(TICK));
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
        assertThat(replica.leases().renewSession(session)).isEmpty();
    }

    @Test
    void lease_givenUpBeforeTheProcessStoodStill_isNotRenewed() {
        MachineId machine = register("m-1");
        time.advance(LEASE.plus(KILL_TIME).plus(TICK));
        time.standStill(LEASE);
        time.advance(TICK);
        assertThat(replica.leases().renewMachine(machine)).isEmpty();
        simulated.settle();
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
    }

    /** The leader looks for such machines a part at a time: each one is found within a round. */
    @Test
    void lease_thatNobodyEverRenewed_isLostOnEveryMachine() {
        for (int number = 0; number < 50; number++) {
            simulated.ask(Samples.machineWithAgent("m-" + number));
        }
        pass(Duration.ofSeconds(5).plus(LEASE).plus(KILL_TIME).plus(TICK).plus(TICK));
        for (int number = 0; number < 50; number++) {
            assertThat(status("m-" + number)).isEqualTo(MachineStatus.DOWN);
        }
    }

    /** A lease of more than 292 years: older servers let an agent ask for it. */
    @Test
    void lease_besideOneWithoutAnEnd_isLostInItsTime() throws Exception {
        simulated.ask(Samples.machineWithAgent("m-ever", Long.MAX_VALUE));
        simulated.ask(Samples.machineWithAgent("m-1"));
        restart();
        pass(LEASE.plus(KILL_TIME).plus(TICK).plus(TICK));
        assertThat(status("m-1")).isEqualTo(MachineStatus.DOWN);
        assertThat(status("m-ever")).isEqualTo(MachineStatus.READY);
    }

    @Test
    void lease_machineWithoutAgent_hasNone() {
        simulated.ask(Samples.machine("m-1"));
        pass(LEASE.multipliedBy(100));
        assertThat(status("m-1")).isEqualTo(MachineStatus.READY);
    }

    @Test
    void lease_sessionNotRenewed_isClosed() {
        SessionId session = open("batch", "a");
        pass(LEASE.dividedBy(2));
        assertThat(replica.leases().renewSession(session)).contains(LEASE);
        pass(LEASE.plus(TICK).plus(TICK));
        assertThat(replica.<Boolean>read(view -> view.session(session).isEmpty()))
                .isTrue();
        assertThat(replica.leases().renewSession(session)).isEmpty();
    }

    @Test
    void sessionsWentVersion_isThatOfTheNewestSessionThatWent() throws Exception {
        CommandResult.Done opened = (CommandResult.Done) simulated.ask(Samples.session("batch", "a"));
        simulated.ask(Samples.session("batch", "b"));
        assertThat(replica.sessionsWentVersion()).isLessThan(opened.version().number());

        CommandResult closed = simulated.ask(new Command.CloseSession(new SessionId(opened.identity())));
        assertThat(replica.sessionsWentVersion()).isEqualTo(closed.version().number());
        simulated.ask(Samples.machine("m-1"));
        assertThat(replica.sessionsWentVersion()).isEqualTo(closed.version().number());

        pass(LEASE.plus(TICK).plus(TICK));
        long over = replica.sessionsWentVersion();
        assertThat(over).isGreaterThan(closed.version().number());

        checkpoint();
        restart();
        assertThat(replica.sessionsWentVersion()).isGreaterThanOrEqualTo(over);
    }

    /** Registers, and lets the timer see it. */
    private MachineId register(String name) {
        CommandResult.Done done = (CommandResult.Done) simulated.ask(Samples.machineWithAgent(name));
        replica.leases().renewMachine(new MachineId(done.identity()));
        return new MachineId(done.identity());
    }

    private SessionId open(String scheduler, String instance) {
        CommandResult.Done opened = (CommandResult.Done) simulated.ask(Samples.session(scheduler, instance));
        return new SessionId(opened.identity());
    }

    private MachineStatus status(String machine) {
        return replica.read(view -> view.machine(machine).orElseThrow().status());
    }

    private void pass(Duration duration) {
        for (Duration left = duration; !left.isZero(); left = left.minus(TICK)) {
            time.advance(TICK);
            simulated.settle();
        }
    }

    // ---- the rest of large commands

    @Test
    void loss_ofAMachineWithManyTasks_isFinishedByFollowUps() {
        placeTwelveTasksOn("m-1", "big");
        long machine =
                replica.read(view -> view.machine("m-1").orElseThrow().id().version());
        simulated.ask(new Command.LoseMachine(new MachineId(machine)));
        TaskCounts counts = replica.read(CellView::taskCounts);
        assertThat(counts.of(TaskState.LOST)).isEqualTo(2 * ROWS_MAX);
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isZero();
    }

    @Test
    void loss_unfinishedWhenTheLeaderDies_isFinishedByTheNext() throws Exception {
        placeTwelveTasksOn("m-1", "big");
        long machine =
                replica.read(view -> view.machine("m-1").orElseThrow().id().version());
        var unused = replica.submit(Lane.OPERATORS, Samples.TEST, new Command.LoseMachine(new MachineId(machine)));
        simulated.runThreads();
        group.commitNext();
        simulated.member().deliverNext();
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isPositive();
        restart();
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isZero();
    }

    @Test
    void drain_deadlineOver_movesWhatIsThereThoughNothingElseHappens() {
        placeTwelveTasksOn("m-1", "big");
        MachineId machine =
                replica.read(view -> view.machine("m-1").orElseThrow().id());
        simulated.ask(new Command.DrainMachine(machine, 60_000, Drain.BatchTasks.MOVE));
        pass(Duration.ofSeconds(59));
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isEqualTo(2 * ROWS_MAX);
        pass(Duration.ofSeconds(2));
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isZero();
        assertThat(status("m-1")).isEqualTo(MachineStatus.DRAINED);
    }

    @Test
    void jobThatEnded_isForgottenADayLaterThoughNothingElseHappens() {
        placeTwelveTasksOn("m-1", "big");
        JobId job = replica.read(view -> view.job("big").orElseThrow().id());
        simulated.ask(new Command.StopJob(job));
        time.advance(Duration.ofHours(23));
        pass(TICK);
        assertThat(replica.<Boolean>read(view -> view.job("big").isPresent())).isTrue();
        time.advance(Duration.ofHours(1));
        pass(TICK.multipliedBy(2));
        assertThat(replica.<Boolean>read(view -> view.job(job).isPresent())).isFalse();
    }

    @Test
    void hold_timeOver_givesBackWhatItGotThoughNothingElseHappens() {
        simulated.ask(Samples.machine("m-1"));
        submitJob("big", 1);
        Amounts all = replica.read(view -> view.machine("m-1").orElseThrow().free());
        Amounts wanted = Amounts.of(1000);
        JobId job = replica.read(view -> view.job("big").orElseThrow().id());
        simulated.ask(new Command.CommitTransaction(Transaction.builder(new TransactionId("t-hold"), "batch")
                .hold(new HoldRequest(job, 0, wanted, 60_000))
                .build()));
        pass(Duration.ofSeconds(59));
        assertThat(replica.<Amounts>read(
                        view -> view.machine("m-1").orElseThrow().free()))
                .isEqualTo(all.minus(wanted));
        pass(Duration.ofSeconds(2));
        assertThat(replica.<Amounts>read(
                        view -> view.machine("m-1").orElseThrow().free()))
                .isEqualTo(all);
    }

    private void placeTwelveTasksOn(String machine, String job) {
        simulated.ask(Samples.machine(machine));
        submitJob(job, 2 * ROWS_MAX);
        simulated.ask(
                replica.read(view -> Samples.claimAll(view, "t-1", view.job(job).orElseThrow(), 0)));
        assertThat(replica.<Integer>read(view -> view.tasksOn(0))).isEqualTo(2 * ROWS_MAX);
    }

    // ---- restarts

    @Test
    void restart_fromCheckpointAndTail_hasTheSameDigest() throws Exception {
        fill();
        long before = simulated.digest();
        restart();
        assertThat(simulated.digest()).isEqualTo(before);
    }

    @Test
    void restart_newestCheckpointTorn_takesTheOlder() throws Exception {
        fill();
        long before = simulated.digest();
        simulated.store().tearNewest();
        restart();
        assertThat(simulated.digest()).isEqualTo(before);
        assertThat(simulated.store().refused()).isEqualTo(1);
    }

    private void fill() {
        Samples samples = new Samples(1);
        for (int number = 0; number < 200; number++) {
            simulated.ask(replica.read(samples::next));
        }
        assertThat(simulated.store().checkpoints()).isEqualTo(2);
    }

    private JobId submitJob(String name, int tasks) {
        return new JobId(((CommandResult.Done) simulated.ask(Samples.job(name, tasks))).identity());
    }

    private void restart() throws Exception {
        simulated.restart();
        replica = simulated.replica();
        simulated.lead();
    }
}
