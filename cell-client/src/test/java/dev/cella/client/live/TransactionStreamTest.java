package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD) // a wait for an outcome cannot be interrupted
class TransactionStreamTest {
    private final TestCell cell = new TestCell(7);
    private final FakeDoor door = new FakeDoor(cell);
    private final FakeServer server = new FakeServer(door);
    private final CellConnection connection = CellConnection.open(server.address());
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
    private final TransactionStream stream = new TransactionStream(
            connection, owner, new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1)));

    @AfterEach
    void stop() throws InterruptedException {
        stream.close();
        owner.shutdownNow();
        assertThat(owner.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        connection.close();
        server.close();
    }

    private List<CompletableFuture<Outcome>> submit(int count) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outcomes.add(stream.submit(cell.claim(i)));
        }
        return outcomes;
    }

    /** Each committed, in the order submitted, and each task placed once. */
    private void checkAllCommitted(List<CompletableFuture<Outcome>> outcomes) {
        List<Outcome> decided = outcomes.stream().map(CompletableFuture::join).toList();
        assertThat(decided).allMatch(outcome -> outcome.verdict() == Verdict.COMMITTED);
        assertThat(decided).map(Outcome::version).isSorted();
        assertThat(decided).map(outcome -> outcome.id().text()).containsExactlyElementsOf(ids(outcomes.size()));
        assertThat(cell.placed()).isEqualTo(outcomes.size());
    }

    private static List<String> ids(int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add("t-" + i);
        }
        return ids;
    }

    @Test
    void transactions_areDecidedInOrderOnOneStream() {
        checkAllCommitted(submit(100));

        assertThat(door.decided).containsExactlyElementsOf(ids(100));
        assertThat(door.streams).hasValue(1);
    }

    @Test
    void transactionsSubmittedTogether_goInOneFrame() {
        CompletableFuture<Void> allSubmitted = new CompletableFuture<>();
        owner.execute(allSubmitted::join);

        List<CompletableFuture<Outcome>> outcomes = submit(100);
        allSubmitted.complete(null);

        checkAllCommitted(outcomes);
        assertThat(door.frames).hasSize(1);
    }

    @Test
    void slowCell_getsTheBacklogInOneFrame() throws Exception {
        door.mayAnswer = new CompletableFuture<>();

        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int task = 0; task < 2 * TransactionStream.FRAMES_UNANSWERED_MAX; task++) {
            outcomes.add(stream.submit(cell.claim(task)));
            owner.submit(() -> {}).get();
        }
        door.mayAnswer.complete(null);

        checkAllCommitted(outcomes);
        assertThat(door.frames).hasSizeLessThanOrEqualTo(TransactionStream.FRAMES_UNANSWERED_MAX + 1);
    }

    @Test
    void backlogOfTheCell_comesWithEachAnswer() {
        List<Long> heard = new CopyOnWriteArrayList<>();
        try (TransactionStream listening = new TransactionStream(
                connection,
                owner,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1)),
                heard::add)) {
            for (int task = 0; task < 3; task++) {
                listening.submit(cell.claim(task)).join();
            }
        }

        assertThat(heard).containsExactly(1L, 2L, 3L);
    }

    @Test
    void lostAnswer_isAskedForAgainUnderTheSameId() {
        door.faults = (random, sofar) -> sofar == 2 ? FakeDoor.Fault.LOST_AFTER : FakeDoor.Fault.NONE;

        checkAllCommitted(submit(5));

        assertThat(door.decided).containsExactly("t-0", "t-1", "t-2", "t-2", "t-3", "t-4");
        assertThat(door.streams).hasValue(2);
    }

    @Test
    void garbledAnswer_endsTheStreamAndIsAskedForAgain() {
        door.faults = (random, sofar) -> sofar == 1 ? FakeDoor.Fault.GARBLED : FakeDoor.Fault.NONE;

        checkAllCommitted(submit(3));
    }

    @Test
    void anyMixOfLosses_decidesEachOnceAndInOrder() {
        door.faults = (random, sofar) -> switch (random.nextInt(10)) {
            case 0 -> FakeDoor.Fault.LOST_BEFORE;
            case 1 -> FakeDoor.Fault.LOST_AFTER;
            case 2 -> FakeDoor.Fault.GARBLED;
            default -> FakeDoor.Fault.NONE;
        };

        checkAllCommitted(submit(TestCell.TASKS));
    }

    @Test
    void refusalForGood_failsWhatIsUnanswered() {
        door.faults = (random, sofar) -> FakeDoor.Fault.REFUSED;

        CompletableFuture<Outcome> refused = stream.submit(cell.claim(0));

        assertThatThrownBy(refused::join).hasCauseInstanceOf(Problem.class).hasMessageContaining("test");
        door.faults = (random, sofar) -> FakeDoor.Fault.NONE;
        assertThat(stream.submit(cell.claim(1)).join().verdict()).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void close_failsWhatIsUnanswered() {
        door.faults = (random, sofar) -> FakeDoor.Fault.LOST_BEFORE;
        CompletableFuture<Outcome> waiting = stream.submit(cell.claim(0));

        stream.close();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(Problem.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> stream.submit(cell.claim(1)).join()).hasMessageContaining("closed");
    }
}
