package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Days of transactions in virtual time. Outcomes are kept for a day or up to a number, and no longer. After that, neither the
 * tables nor the cold rows grow. A client that repeats a transaction gets the first outcome while it is kept; when it is not,
 * the transaction is still never decided twice.
 */
class DaysOfOutcomesTest {
    private static final int HOURS_A_DAY = 24;
    private static final int MINUTES_AN_HOUR = 60;
    private static final int TRANSACTIONS_A_MINUTE = 10;
    private static final int TRANSACTIONS_A_DAY = HOURS_A_DAY * MINUTES_AN_HOUR * TRANSACTIONS_A_MINUTE;

    /** The pages of a checkpoint that the previous one did not have. */
    private static final int BETWEEN_CHECKPOINTS = 1_000;

    private final ManualTime time = new ManualTime();

    /** One transaction of each hour, as it was first sent, with its result. */
    private final List<Asked> hourly = new ArrayList<>();

    private record Asked(Command command, Outcome outcome) {}

    @Test
    void threeDays_keepOneDay() throws Exception {
        SimulatedReplica replica = replica(CellLimits.STANDARD);
        runDay(replica, 1);
        long bytesOfADay = replica.store().hotBytes();
        runDay(replica, 2);
        runDay(replica, 3);

        assertThat(replica.store().outcomes()).isBetween(TRANSACTIONS_A_DAY, TRANSACTIONS_A_DAY + BETWEEN_CHECKPOINTS);
        assertThat(replica.store().hotBytes()).isLessThan(bytesOfADay + bytesOfADay / 10);
        assertFirstOutcome(replica, hourly.get(hourly.size() - HOURS_A_DAY + 1));
        assertTooOld(replica, hourly.get(hourly.size() - HOURS_A_DAY - 2));
        replica.restart();
        replica.lead();
        assertFirstOutcome(replica, hourly.get(hourly.size() - HOURS_A_DAY + 1));
        assertTooOld(replica, hourly.get(0));
        assertThat(replica.departures()).isEmpty();
    }

    @Test
    void oneDay_ofMoreThanAreKept_keepsTheNewest() throws Exception {
        int kept = TRANSACTIONS_A_DAY / 8;
        SimulatedReplica replica =
                replica(new CellLimits(kept, Duration.ofDays(1).toMillis(), 10_000));
        runDay(replica, 1);

        assertThat(replica.store().outcomes()).isBetween(kept, kept + BETWEEN_CHECKPOINTS);
        assertFirstOutcome(replica, hourly.get(HOURS_A_DAY - 1));
        assertTooOld(replica, hourly.get(HOURS_A_DAY - 5));
    }

    /** It is recognised, but its outcome is dropped before the answer is made. */
    @Test
    void repeat_whoseOutcomeIsForgottenInTheSameEntry_isTooOld() throws Exception {
        SimulatedReplica replica = replica(new CellLimits(2, Duration.ofDays(1).toMillis(), 10_000));
        Command first = claim(replica, "first");
        decided(replica.ask(first));

        CompletableFuture<CommandResult> again = replica.replica().submit(Lane.TRANSACTIONS, Samples.TEST, first);
        submit(replica, "later-");

        assertThat(decided(again.join()).reason()).hasValue(Reason.BASIS_TOO_OLD);
    }

    private SimulatedReplica replica(CellLimits limits) throws Exception {
        SimulatedReplica replica = new SimulatedReplica(
                new SimulatedGroup(),
                ReplicaLimits.defaults()
                        .withEntryDistance(Duration.ZERO)
                        .withCell(limits)
                        .withCheckpointLogBytes(16 << 10),
                time);
        replica.lead();
        replica.ask(Samples.machine("m"));
        replica.ask(Samples.job("job", 1));
        return replica;
    }

    private void runDay(SimulatedReplica replica, int day) {
        for (int hour = 0; hour < HOURS_A_DAY; hour++) {
            for (int minute = 0; minute < MINUTES_AN_HOUR; minute++) {
                time.advance(Duration.ofMinutes(1));
                submit(replica, "t-%d-%d-%d-".formatted(day, hour, minute));
            }
            Command command = claim(replica, "t-%d-%d".formatted(day, hour));
            hourly.add(new Asked(command, decided(replica.ask(command))));
        }
    }

    private static void submit(SimulatedReplica replica, String prefix) {
        List<CompletableFuture<CommandResult>> answers = new ArrayList<>();
        for (int number = 0; number < TRANSACTIONS_A_MINUTE; number++) {
            answers.add(replica.replica().submit(Lane.TRANSACTIONS, Samples.TEST, claim(replica, prefix + number)));
        }
        replica.settle();
        answers.forEach(answer -> assertThat(answer).isCompleted());
    }

    /** Claims the one task, which only the first transaction gets. */
    private static Command claim(SimulatedReplica replica, String id) {
        return replica.replica()
                .read(view -> Samples.claimAll(view, id, view.job("job").orElseThrow(), 0));
    }

    private static Outcome decided(CommandResult result) {
        return ((CommandResult.Decided) result).outcome();
    }

    private static void assertFirstOutcome(SimulatedReplica replica, Asked asked) {
        assertThat(decided(replica.ask(asked.command()))).isEqualTo(asked.outcome());
    }

    private static void assertTooOld(SimulatedReplica replica, Asked asked) {
        Outcome again = decided(replica.ask(asked.command()));
        assertThat(again.verdict()).isEqualTo(Verdict.REJECTED);
        assertThat(again.reason()).isEqualTo(Optional.of(Reason.BASIS_TOO_OLD));
    }
}
