package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.cell.tables.CellLimits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final Waiters waiters = new Waiters(new CommonCell(CellLimits.STANDARD), WaitersTest::runAlone, time);
    private final AtomicBoolean fails = new AtomicBoolean();
    private final AtomicInteger questions = new AtomicInteger();

    /** As an executor's thread does: what a task throws reaches nobody. */
    private static void runAlone(Runnable task) {
        var unused = CompletableFuture.runAsync(task, Runnable::run);
    }

    private CompletableFuture<String> await() {
        return waiters.await(
                cell -> {
                    questions.incrementAndGet();
                    if (fails.get()) {
                        throw new IllegalStateException("the question fails");
                    }
                    return "not enough";
                },
                answer -> false,
                WAIT);
    }

    @Test
    void waitThatIsOver_isAnsweredWithWhatTheCellShows() {
        CompletableFuture<String> answer = await();
        assertThat(answer).isNotDone();
        time.advance(WAIT);
        assertThat(answer).isCompletedWithValue("not enough");
    }

    @Test
    void questionThatThrowsWhenItsWaitIsOver_isAnsweredWithTheException() {
        CompletableFuture<String> answer = await();
        fails.set(true);
        time.advance(WAIT);
        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("the question fails");
    }

    @Test
    void questionWhoseCallerHasGivenUp_isAskedNoMore() {
        CompletableFuture<String> answer = await();
        int before = questions.get();
        answer.cancel(false);
        waiters.entryApplied();
        time.advance(WAIT);
        assertThat(questions).hasValue(before);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void questionThatThrowsAfterAnEntry_isAnsweredWithTheException() {
        CompletableFuture<String> answer = await();
        fails.set(true);
        waiters.entryApplied();
        assertThat(answer).isCompletedExceptionally();
    }
}
