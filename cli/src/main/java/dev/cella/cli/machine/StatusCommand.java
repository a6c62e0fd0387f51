package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.CertificateNote;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CellSummary;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella status}: the cell on one screen, once. */
@Command(
        name = "status",
        header = "Shows the cell on one screen: machines, tasks, what is free.",
        footer = {"", "Example:", "  cella status"})
public final class StatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        HttpCell cell = cellOption.open(terminal);
        CellSummary summary = cell.getCell();
        output.print(terminal, summary, () -> SummaryLines.print(summary, cell.address(), terminal));
        cell.certificateExpiresAt()
                .flatMap(end ->
                        CertificateNote.of(end, terminal.environment().clock().instant()))
                .ifPresent(terminal::say);
        return ExitCode.DONE.number();
    }
}
