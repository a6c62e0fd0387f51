package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Proposes what large commands leave to be done: no command changes more than a bounded number of rows, so a machine is
 * lost, and a job stopped, by further commands. What is left is in the cell state, so that any leader can go on.
 *
 * <p>Guarded by its own monitor.
 */
final class FollowUps {
    private final CommonCell cell;
    private final Executor answers;
    private final Function<Command, CompletableFuture<CommandResult>> proposals;
    private final Set<Command> underWay = new HashSet<>();
    private boolean leads;

    FollowUps(CommonCell cell, Executor answers, Function<Command, CompletableFuture<CommandResult>> proposals) {
        this.cell = cell;
        this.answers = answers;
        this.proposals = proposals;
    }

    void lead() {
        synchronized (this) {
            leads = true;
        }
        look();
    }

    synchronized void follow() {
        leads = false;
    }

    /** After each entry, by the apply thread, and now and then by the timer: mostly there is nothing. */
    void look() {
        if (cell.hasUnfinished()) {
            answers.execute(this::propose);
        }
    }

    private void propose() {
        for (Command command : begin(cell.unfinished())) {
            var unused = proposals.apply(command).whenComplete((result, failure) -> end(command));
        }
    }

    private synchronized List<Command> begin(List<Command> unfinished) {
        return leads ? unfinished.stream().filter(underWay::add).toList() : List.of();
    }

    private void end(Command command) {
        synchronized (this) {
            underWay.remove(command);
        }
        look();
    }
}
