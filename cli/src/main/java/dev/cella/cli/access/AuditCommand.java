package dev.cella.cli.access;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.AuditList;
import dev.cella.client.proto.AuditRow;
import dev.cella.client.proto.ListAuditRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella audit}: who asked the cell for what. */
@Command(
        name = "audit",
        header = "Shows who asked the cell for which command, and the result.",
        description = {
            "Transactions and reports of tasks are left out: cella conflicts and cella job status --history",
            "show them. A replica keeps the newest 100,000 commands or so, since its last start."
        },
        footer = {
            "",
            "Examples:",
            "  cella audit",
            "  cella audit --principal alice -o json",
            "  cella audit --limit 20 --watch"
        })
public final class AuditCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    @Option(names = "--after", paramLabel = "VERSION", description = "only commands after this version")
    private long after;

    @Option(names = "--principal", paramLabel = "NAME", description = "only commands of this token")
    private @Nullable String principal;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "200",
            description = "how many at most, the oldest first; with --watch the newest (default: ${DEFAULT-VALUE})")
    private int limit;

    public AuditCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        ListAuditRequest request = request();
        HttpCell cell = cellOption.open(terminal);
        AuditTail tail = new AuditTail(cell, request);
        return watch.run(terminal, page -> {
                    AuditList audit = watch.isOn() ? tail.read() : cell.listAudit(request);
                    output.print(page, audit, () -> print(audit, page));
                })
                .number();
    }

    private ListAuditRequest request() {
        ListAuditRequest.Builder request =
                ListAuditRequest.newBuilder().setAfter(after).setLimit(limit);
        if (principal != null) {
            request.setPrincipal(principal);
        }
        return request.build();
    }

    private void print(AuditList audit, Terminal page) {
        Table table = new Table("VERSION", "AT", "PRINCIPAL", "COMMAND", "SUBJECT", "RESULT");
        for (AuditRow row : audit.getAuditList()) {
            table.row(
                    Long.toString(row.getVersion()),
                    Words.time(row.getAt()),
                    row.getPrincipal(),
                    row.getCommand(),
                    row.getSubject(),
                    row.getResult());
        }
        table.print(page);
        if (audit.getKeptAfter() > after) {
            page.say("this replica has no audit up to version " + audit.getKeptAfter());
        }
        if (audit.getAuditCount() == limit && !watch.isOn()) {
            page.say("more: cella audit --after " + audit.getAudit(limit - 1).getVersion());
        }
    }
}
