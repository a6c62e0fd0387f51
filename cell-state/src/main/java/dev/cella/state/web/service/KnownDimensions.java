package dev.cella.state.web.service;

import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.transactions.model.Command;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Makes a machine's new dimensions known to the cell before the machine is put. */
final class KnownDimensions {
    private final Replica replica;
    private final Commands commands;
    private final FeatureLevels levels;

    KnownDimensions(Replica replica, Commands commands, FeatureLevels levels) {
        this.replica = replica;
        this.commands = commands;
        this.levels = levels;
    }

    /** Completes when the cell knows all of them. */
    CompletableFuture<?> known(Map<String, Long> capacity, Map<String, String> members, Lane lane) {
        CompletableFuture<?> known = CompletableFuture.completedFuture(null);
        for (Command command : replica.read(view -> NewDimensions.of(view, capacity, members))) {
            known = known.thenCompose(before -> done(command, lane));
        }
        return known;
    }

    private CompletableFuture<?> done(Command command, Lane lane) {
        return command instanceof Command.RaiseFeatureLevel raise
                ? levels.raise(raise.level(), commands)
                : commands.done(lane, command);
    }
}
