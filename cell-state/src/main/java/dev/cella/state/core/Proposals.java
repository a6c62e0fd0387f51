package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The commands that the leader itself proposes. Its parts propose whenever they look; this class proposes a command only once
 * at a time.
 *
 * <p>Any thread may use it; guarded by its own monitor.
 */
final class Proposals {
    private final Function<Command, CompletableFuture<CommandResult>> submit;
    private final Set<Command> underWay = new HashSet<>();

    Proposals(Function<Command, CompletableFuture<CommandResult>> submit) {
        this.submit = submit;
    }

    /**
     * Proposes the command, unless the same command is on its way. Runs {@code answered} when the cell has answered.
     */
    void propose(Command command, Runnable answered) {
        if (begin(command)) {
            var unused = submit.apply(command).whenComplete((result, failure) -> {
                end(command);
                if (failure == null) {
                    answered.run();
                }
            });
        }
    }

    private synchronized boolean begin(Command command) {
        return underWay.add(command);
    }

    private synchronized void end(Command command) {
        underWay.remove(command);
    }
}
