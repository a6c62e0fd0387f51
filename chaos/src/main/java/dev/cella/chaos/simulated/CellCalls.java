package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.SubmitException;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Principal;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client's calls to the replicas, over the network. A call without an answer fails after its time-out. A command is
 * repeated, at another replica if needed, until it has an answer; the history has each repetition.
 */
final class CellCalls {
    private static final long TIMEOUT_NANOS = 1_500 * DueEvents.MILLI;
    private static final long RETRY_NANOS = 60 * DueEvents.MILLI;

    private final SimulatedCell cell;
    private final SimulatedProcess client;
    private final Principal principal;
    private int preferred;

    CellCalls(SimulatedCell cell, SimulatedProcess client) {
        this.cell = cell;
        this.client = client;
        this.principal = new Principal(client.name());
    }

    /** The replica that answered last, or one after it that nobody has found failing. */
    SimulatedReplica preferred() {
        return cell.replicas().get(preferred % cell.replicas().size());
    }

    /** Several calls may fail at one replica at once; together they go on to the next one. */
    void avoid(SimulatedReplica failing) {
        if (preferred() == failing) {
            preferred++;
        }
    }

    /** Asks one replica once. Either the result or the failure is given. */
    <R> void ask(
            SimulatedReplica to,
            Function<Replica, CompletableFuture<R>> question,
            BiConsumer<@Nullable R, @Nullable Throwable> answer) {
        Once<R> once = new Once<>(answer);
        cell.network().send(client, to.process(), () -> {
            var unused = question.apply(to.replica())
                    .whenComplete((result, failure) -> cell.network().send(to.process(), client, () -> {
                        if (!cell.losesReplyTo(client)) {
                            once.answer(result, failure);
                        }
                    }));
        });
        client.after(TIMEOUT_NANOS, once::timeOut);
    }

    /** Repeats the command until it is answered. */
    void untilAnswered(Lane lane, Command command, Consumer<CommandResult> answer) {
        once(lane, command, (result, failure) -> {
            if (result != null) {
                answer.accept(result);
            } else {
                client.after(RETRY_NANOS, () -> untilAnswered(lane, command, answer));
            }
        });
    }

    /** Sends a command once. A failure says nothing about its result. */
    void once(Lane lane, Command command, BiConsumer<@Nullable CommandResult, @Nullable Throwable> answer) {
        SimulatedReplica to = preferred();
        History history = cell.history();
        long number = history.asked.size();
        history.asked.add(new History.Asked(number, client.name(), client.nowNanos(), command));
        ask(to, replica -> submit(to, replica, lane, command), (result, failure) -> {
            if (result != null) {
                history.answered.add(new History.Answered(number, client.nowNanos(), result));
            } else if (failure != null) {
                failed(to, lane, failure);
            }
            answer.accept(result, failure);
        });
    }

    private CompletableFuture<CommandResult> submit(SimulatedReplica to, Replica replica, Lane lane, Command command) {
        long before = replica.waitingBytes(lane);
        CompletableFuture<CommandResult> result = replica.submit(lane, principal, command);
        long after = replica.waitingBytes(lane);
        if (after > before && after > cell.laneBytes() / 2) {
            cell.history()
                    .lanesFilled
                    .add(new History.LaneFilled(
                            to.name(), lane.toString(), cell.heap().nowNanos(), before, after, cell.laneBytes()));
        }
        return result;
    }

    private void failed(SimulatedReplica to, Lane lane, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof SubmitException refused && refused.why() == SubmitException.Why.LANE_FULL) {
            cell.history()
                    .overloads
                    .add(new History.Overload(
                            client.name(),
                            client.nowNanos(),
                            refused.retryAfter().toNanos() > 0,
                            to.replica().waitingBytes(lane),
                            cell.laneBytes()));
        } else {
            avoid(to);
        }
    }

    /** Accepts only the first of answer and time-out. */
    private static final class Once<R> {
        private final BiConsumer<@Nullable R, @Nullable Throwable> answer;
        private boolean done;

        Once(BiConsumer<@Nullable R, @Nullable Throwable> answer) {
            this.answer = answer;
        }

        void answer(@Nullable R result, @Nullable Throwable failure) {
            if (!done) {
                done = true;
                answer.accept(result, failure);
            }
        }

        /** Nearly all calls are answered by then, and an exception costs its stack trace. */
        void timeOut() {
            if (!done) {
                answer(null, new IOException("no answer in time"));
            }
        }
    }
}
