package dev.cella.state.core;

import dev.cella.transactions.cell.CellView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait until the cell shows something. After an applied entry, one answering thread evaluates all their questions
 * again. Entries that come in the meantime cause one more round together.
 *
 * <p>Any thread may use it.
 */
final class Waiters {
    private final CommonCell cell;
    private final Executor answers;
    private final Time time;
    private final AtomicBoolean roundIsDue = new AtomicBoolean();
    private final Set<Waiter<?>> waiting = new LinkedHashSet<>();

    /** Mostly nobody waits. Then no thread need wake up for each entry. */
    private volatile boolean somebodyWaits;

    Waiters(CommonCell cell, Executor answers, Time time) {
        this.cell = cell;
        this.answers = answers;
        this.time = time;
    }

    /** Evaluates the question until its answer is enough, or the wait is over, or the caller completes the future. */
    <T> CompletableFuture<T> await(
            Function<? super CellView, ? extends T> question, Predicate<? super T> enough, Duration wait) {
        T now = cell.read(question);
        if (enough.test(now)) {
            return CompletableFuture.completedFuture(now);
        }
        Waiter<T> waiter = new Waiter<>(question, enough);
        waiter.timeout = time.after(wait, () -> answers.execute(waiter::giveUp));
        add(waiter);
        var unused = waiter.answer.whenComplete((answer, failure) -> waiter.end());
        // An entry that came after the first evaluation woke nobody.
        waiter.ask();
        return waiter.answer;
    }

    private synchronized void add(Waiter<?> waiter) {
        waiting.add(waiter);
        somebodyWaits = true;
    }

    private synchronized void remove(Waiter<?> waiter) {
        waiting.remove(waiter);
        somebodyWaits = !waiting.isEmpty();
    }

    private synchronized List<Waiter<?>> waiting() {
        return new ArrayList<>(waiting);
    }

    /** Called by the apply thread. A caller that begins to wait at the same time evaluates once more. */
    void entryApplied() {
        if (somebodyWaits && roundIsDue.compareAndSet(false, true)) {
            answers.execute(this::askAll);
        }
    }

    private void askAll() {
        roundIsDue.set(false);
        waiting().forEach(Waiter::ask);
    }

    private final class Waiter<T> {
        private final Function<? super CellView, ? extends T> question;
        private final Predicate<? super T> enough;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private Time.@Nullable Cancellation timeout;

        Waiter(Function<? super CellView, ? extends T> question, Predicate<? super T> enough) {
            this.question = question;
            this.enough = enough;
        }

        void ask() {
            askFor(enough);
        }

        /** The wait is over, so any answer is enough. */
        void giveUp() {
            askFor(any -> true);
        }

        /** If the question throws, the caller gets its exception. */
        private void askFor(Predicate<? super T> wanted) {
            if (answer.isDone()) {
                return;
            }
            try {
                T now = cell.read(question);
                if (wanted.test(now)) {
                    answer.complete(now);
                }
            } catch (RuntimeException failure) {
                answer.completeExceptionally(failure);
            }
        }

        void end() {
            remove(this);
            if (timeout != null) {
                timeout.cancel();
            }
        }
    }
}
