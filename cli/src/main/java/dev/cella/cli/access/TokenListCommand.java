package dev.cella.cli.access;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Token;
import dev.cella.client.proto.TokenList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella token list}: the tokens and what they allow. */
@Command(
        name = "list",
        header = "Lists the tokens of the cell, without their secrets.",
        footer = {"", "Examples:", "  cella token list", "  cella token list --watch"})
public final class TokenListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public TokenListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    TokenList tokens = cell.listTokens();
                    output.print(page, tokens, () -> print(tokens, page));
                })
                .number();
    }

    private static void print(TokenList tokens, Terminal page) {
        if (tokens.getTokensCount() == 0) {
            page.say("no tokens yet: cella token create NAME --scope SCOPE makes one");
            return;
        }
        Table table = new Table("TOKEN", "SCOPES", "POOLS", "EXPIRES");
        for (Token token : tokens.getTokensList()) {
            table.row(
                    token.getName(),
                    String.join(",", token.getScopesList()),
                    String.join(",", token.getPoolsList()),
                    token.getExpired() ? "expired" : token.hasExpiresAt() ? Words.time(token.getExpiresAt()) : "");
        }
        table.print(page);
    }
}
