package dev.cella.state.core;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What the leader itself asks of the cell. Who wants something says so as often as it looks; here it is asked once at a
 * time.
 *
 * <p>May be used from any thread; guarded by its own monitor.
 */
final class Proposals {
    private final Function<Command, CompletableFuture<CommandResult>> submit;
    private final Set<Command> underWay = new HashSet<>();

    Proposals(Function<Command, CompletableFuture<CommandResult>> submit) {
        this.submit = submit;
    }

    /** Asks, unless the same is being asked; when the cell has answered, {@code answered} is run. */
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
