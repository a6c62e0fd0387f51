package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Token;

/** Applies operators' commands to tokens. */
public final class TokenCommands {
    /** The limit on tokens. Each token is a row of a map that every request reads. */
    private static final int TOKENS_MAX = 100_000;

    private final Tables tables;
    private final Answers answers;

    public TokenCommands(Tables tables) {
        this.tables = tables;
        this.answers = new Answers(tables);
    }

    public CommandResult put(Command.PutToken put) {
        if (tables.featureLevel() < EntryCodec.TOKENS_LEVEL) {
            return answers.refused(
                    Reason.NOT_ALLOWED, "tokens need feature level " + EntryCodec.TOKENS_LEVEL + " of the cell");
        }
        Token before = tables.tokens.find(put.token().name());
        if (put.token().equals(before)) {
            return answers.unchanged(0);
        }
        if (before == null && tables.tokens.count() >= TOKENS_MAX) {
            return answers.refused(Reason.NOT_ALLOWED, "the cell has " + TOKENS_MAX + " tokens, and keeps no more");
        }
        Token other = tables.tokens.byHash().get(put.token().hash());
        if (other != null && !other.name().equals(put.token().name())) {
            return answers.refused(Reason.BAD_COMMAND, "the secret is that of token " + other.name());
        }
        tables.tokenPut(put.token());
        return answers.changed(0);
    }

    public CommandResult revoke(Command.RevokeToken revoke) {
        if (tables.tokens.find(revoke.name()) == null) {
            return answers.unchanged(0);
        }
        tables.tokenRevoked(revoke.name());
        return answers.changed(0);
    }
}
