package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.access.Caller;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.concurrent.CompletableFuture;

/** Submits commands, and turns refusals into problems. */
final class Commands {
    private final Replica replica;

    Commands(Replica replica) {
        this.replica = replica;
    }

    /** The result of the command; a refusal fails the future with a problem that gives the reason. */
    CompletableFuture<CommandResult.Done> done(Lane lane, Command command) {
        return result(lane, command).thenApply(Commands::done);
    }

    /** The same for a result that already exists. */
    static CommandResult.Done done(CommandResult result) {
        if (result instanceof CommandResult.Refused refused) {
            throw problemOf(refused);
        }
        return (CommandResult.Done) result;
    }

    CompletableFuture<CommandResult> result(Lane lane, Command command) {
        return Caller.carry(replica.submit(lane, Caller.current().principal(), command));
    }

    private static Problem problemOf(CommandResult.Refused refused) {
        String detail = refused.reason().name() + ": " + refused.message();
        return switch (refused.reason()) {
            case UNKNOWN_TASK, UNKNOWN_MACHINE, UNKNOWN_JOB, UNKNOWN_SESSION, UNKNOWN_POOL, UNKNOWN_OFFER ->
                Problem.notFound(detail);
            case BAD_COMMAND -> Problem.badRequest(detail);
            case JOB_DIFFERS ->
                Problem.conflict(detail)
                        .withHint("update it (cella job run --update, or PUT /v1/jobs/NAME), stop it first, or use"
                                + " another name");
            case JOB_CHANGED ->
                Problem.conflict(detail)
                        .withHint("look at it again (cella job status NAME, or GET /v1/jobs/NAME: updatedVersion) and"
                                + " decide again");
            case STILL_HELD -> Problem.conflict(detail).withHint("wait until its tasks have ended, or force it");
            default -> Problem.conflict(detail);
        };
    }
}
