package dev.cella.state.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cella.state.core.Samples;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of tasks that were placed together, and of machines that have one slot after each other. */
final class CellHistoryTest {
    private static final Incarnation INCARNATION = new Incarnation(1);
    private static final int TASKS = 100;
    private static final long ROOM = 1 << 20;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final CellHistory history = new CellHistory(this::read, 1 << 20);
    private long transactions;

    @BeforeEach
    void foundCell() {
        apply(new Command.FoundCell(new CellName("past"), INCARNATION));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
    }

    @Test
    void tasksPlacedTogether_eachHaveTheirOwnStep() {
        putMachine("m-0", ROOM);
        putMachine("m-1", ROOM);
        JobId job = submit("job");

        place(job, List.of(7, 3, 42), List.of(0, 1, 0));
        place(job, List.of(8), List.of(1));

        assertThat(history.steps(Optional.of("job"), Optional.empty(), Span.EVER, TASKS))
                .filteredOn(step -> step.kind() == HistoryStep.Kind.PLACED)
                .extracting(
                        HistoryStep::task,
                        step -> step.machine().orElseThrow(),
                        HistoryStep::ordinal,
                        step -> step.transaction().orElseThrow())
                .containsExactly(
                        tuple("job/main/7", "m-0", 0, "past-0"),
                        tuple("job/main/3", "m-1", 1, "past-0"),
                        tuple("job/main/42", "m-0", 2, "past-0"),
                        tuple("job/main/8", "m-1", 0, "past-1"));
        assertThat(stepsOn("m-1")).containsExactly("job/main/3", "job/main/8");
        assertThat(history.steps(Optional.of("job"), Optional.empty(), Span.EVER, 2))
                .extracting(HistoryStep::task)
                .containsExactly("job/main/42", "job/main/8");
    }

    /** No task refers to the slot of the first machine, so the second one gets it. */
    @Test
    void anotherMachineInTheSlot_hasStepsOfItsOwn() {
        MachineId first = putMachine("m-first", 0);
        JobId job = submit("job");
        place(job, List.of(3), List.of(0));
        assertThat(stepsOn("m-first")).containsExactly("job/main/3");

        apply(new Command.ChangeMachine(first, Command.MachineChange.REMOVE, false));
        putMachine("m-second", ROOM);
        place(job, List.of(4), List.of(0));

        assertThat(cell.view().machineSlots()).isOne();
        assertThat(stepsOn("m-first")).containsExactly("job/main/3");
        assertThat(stepsOn("m-second")).containsExactly("job/main/4");
    }

    /** Logs have claims of clients that check nothing. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "-3, 0, 0", "77, 5000, 1", "77, 0, 200000", "77, 0, -5"})
    void claimOnATaskThatCannotBe_hasNoStep(long job, int group, int index) {
        putMachine("m-0", ROOM);
        long before = cell.view().version().number();
        Transaction.Builder claims = Transaction.builder(new TransactionId("none"), "batch");
        apply(new Command.CommitTransaction(
                claims.claim(job, group, index, 1, 0).build()));
        history.catchUp();
        assertThat(cell.view().version().number()).isEqualTo(before + 1);
        assertThat(history.steps(Optional.empty(), Optional.of("m-0"), Span.EVER, TASKS))
                .noneMatch(step -> step.kind() == HistoryStep.Kind.REFUSED);
    }

    private List<String> stepsOn(String machine) {
        return history.steps(Optional.empty(), Optional.of(machine), Span.EVER, TASKS).stream()
                .map(HistoryStep::task)
                .toList();
    }

    @Test
    void series_ofAClockThatWasSetBack_goOn() {
        long noon = 1_000_000_000_000L;
        long hour = 3_600_000;
        for (int second = 0; second < 5; second++) {
            history.sample(noon + second * 1_000L);
        }
        long back = noon - 2 * hour;
        assertThat(history.isSampleDue(back)).isTrue();
        for (int second = 0; second < 5; second++) {
            history.sample(back + second * 1_000L);
        }

        assertThat(history.series(back, back + 10_000, back + 10_000).points())
                .extracting(Series.Point::atMillis)
                .containsExactly(back + 1_000, back + 2_000, back + 3_000);
    }

    @Test
    void claimedAmounts_ofAClockThatWasSetBack_haveTheNewTime() {
        long noon = 1_000_000_000_000L;
        long back = noon - 7_200_000;
        MachineId machine = putMachine("m-0", ROOM);
        history.sample(noon);
        place(submit("job"), List.of(0), List.of(0));
        history.sample(back);

        assertThat(history.claimed(0, machine.version(), Span.EVER))
                .extracting(ClaimedAmounts.Point::atMillis)
                .containsExactly(noon, back);
    }

    private <T> T read(Function<? super CellView, ? extends T> question) {
        return question.apply(cell.view());
    }

    private MachineId putMachine(String name, long room) {
        CommandResult put =
                apply(new Command.PutMachine(name, Amounts.of(room, room), new TreeMap<>(), Optional.empty(), false));
        return new MachineId(identity(put));
    }

    private JobId submit(String name) {
        return new JobId(identity(apply(Samples.emptyJob(name, TASKS))));
    }

    private static long identity(CommandResult result) {
        assertThat(result).isInstanceOf(CommandResult.Done.class);
        return ((CommandResult.Done) result).identity();
    }

    private void place(JobId job, List<Integer> indexes, List<Integer> slots) {
        Transaction.Builder claims = Transaction.builder(new TransactionId("past-" + transactions++), "batch");
        for (int place = 0; place < indexes.size(); place++) {
            claims.claim(job.version(), 0, indexes.get(place), 1, slots.get(place));
        }
        apply(new Command.CommitTransaction(claims.build()));
    }

    private CommandResult apply(Command command) {
        CellTime now = new CellTime(transactions);
        int level = Math.max(1, cell.view().featureLevel());
        CommandResult result = cell.apply(new EntryHeader(level, now, now.millis(), INCARNATION), command);
        history.entryApplied(cell.takeChanges());
        return result;
    }
}
