package dev.cella.state.history;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.RecordedWindow.Arrival;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WindowRecorderTest {
    private static final Incarnation INCARNATION = new Incarnation(1);
    private static final Amounts CAPACITY = Amounts.of(8_000, 8_192);
    private static final int STEPS_MAX = 1_000;
    private static final long BEGUN_MILLIS = 1_000;
    private static final long STEP_MILLIS = 10;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final CellHistory history = new CellHistory(this::read, 1 << 20);
    private long nowMillis = BEGUN_MILLIS;

    @BeforeEach
    void foundCell() {
        apply(new Command.FoundCell(new CellName("past"), INCARNATION));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m", CAPACITY, new TreeMap<>(), Optional.empty(), false));
    }

    private <T> T read(Function<? super CellView, ? extends T> question) {
        return question.apply(cell.view());
    }

    private long submit(String name, int tasks) {
        return ((CommandResult.Done) apply(Samples.emptyJob(name, tasks))).identity();
    }

    private void place(long job, int group, int index) {
        commit(begin().claim(job, group, index, 1, 0));
    }

    private Transaction.Builder begin() {
        return Transaction.builder(new TransactionId("t-" + nowMillis), "batch");
    }

    private void commit(Transaction.Builder transaction) {
        apply(new Command.CommitTransaction(transaction.build()));
    }

    private void finish(long job, int index) {
        report(job, index, TaskState.RUNNING);
        report(job, index, TaskState.FINISHED);
    }

    private void report(long job, int index, TaskState state) {
        apply(new Command.ReportTask(
                task(job, index),
                1,
                Optional.empty(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty()));
    }

    private static TaskId task(long job, int index) {
        return new TaskId(new JobId(job), 0, index);
    }

    private CommandResult apply(Command command) {
        nowMillis += STEP_MILLIS;
        int level = Math.max(1, cell.view().featureLevel());
        EntryHeader header = new EntryHeader(level, new CellTime(nowMillis), nowMillis, INCARNATION);
        CommandResult result = cell.apply(header, command);
        history.entryApplied(cell.takeChanges());
        return result;
    }

    private WindowRecorder recorder() {
        List<HistoryStep> steps = history.steps(Optional.empty(), Optional.empty(), Span.EVER, STEPS_MAX);
        return new WindowRecorder(cell.view(), BEGUN_MILLIS, nowMillis, steps);
    }

    /** The name is free as soon as its job has ended, but the job's row stays for a day. */
    @Test
    void twoJobsThatHadOneName_haveTheStepsOfTheirTimes() {
        long first = submit("again", 2);
        place(first, 0, 0);
        place(first, 0, 1);
        finish(first, 0);
        finish(first, 1);
        long second = submit("again", 2);
        place(second, 0, 0);

        WindowRecorder recorder = recorder();
        List<Arrival> arrivals = recorder.record().arrivals();

        assertThat(arrivals).hasSize(2);
        assertThat(arrivals.get(0).runMillis()).containsExactly(List.of(3 * STEP_MILLIS, 4 * STEP_MILLIS));
        assertThat(arrivals.get(0).placedMillis()).isPresent();
        assertThat(arrivals.get(1).runMillis()).containsExactly(List.of(RecordedWindow.STAYS, RecordedWindow.STAYS));
        assertThat(arrivals.get(1).placedMillis()).isEmpty();
        assertThat(recorder.tasksLeftOut()).isZero();
    }

    @Test
    void copies_areLeftOut_andTheirRoomIsFree() {
        long job = submit("job", 1);
        place(job, 0, 0);
        commit(begin().step(new Step(Step.Kind.COPY, task(job, 0), 1)));
        place(job, 1, 0);
        assertThat(cell.view().job("job").orElseThrow().groups()).hasSize(2);

        WindowRecorder recorder = recorder();
        RecordedWindow window = recorder.record();

        assertThat(window.arrivals().get(0).header().groups())
                .extracting(GroupHeader::name)
                .containsExactly("main");
        assertThat(window.machines().get(0).capacity()).isEqualTo(CAPACITY);
        assertThat(recorder.tasksLeftOut()).isZero();
    }
}
