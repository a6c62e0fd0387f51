package dev.cella.cli.conflict;

import com.google.protobuf.util.Durations;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ConflictLedger;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.GetConflictsRequest;
import dev.cella.client.proto.ListConflictsRequest;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.ReplayConflictsRequest;
import dev.cella.client.proto.WhatIf;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cella conflicts}: lost claims, counted over a window or one by one. */
@Command(
        name = "conflicts",
        header = "Shows lost claims: losers, winners, reasons, machines.",
        footer = {
            "",
            "Examples:",
            "  cella conflicts --window 1m",
            "  cella conflicts --ledger --scheduler batch",
            "  cella conflicts --what-if conflict-rule=resource",
            "  cella conflicts --window 10m --scheduler service --what-if draws=8 --what-if instances=2"
        })
public final class ConflictsCommand implements Callable<Integer> {
    private static final int LEDGER_MAX = 100;
    private static final int LEDGER_BESIDE_COUNTS = 5;
    private static final int LEDGER_FOR_HINTS = 1_000;

    private final Terminal terminal;

    @Option(
            names = "--window",
            paramLabel = "DURATION",
            defaultValue = "5m",
            description = "how far to look back, up to 30m (default: 5m)")
    private Duration window = Duration.ZERO;

    @Option(names = "--scheduler", paramLabel = "NAME", description = "only what this one lost")
    private @Nullable String scheduler;

    @Option(names = "--ledger", description = "the newest lost claims, one a line")
    private boolean ledger;

    @Option(
            names = "--what-if",
            paramLabel = "NAME=VALUE",
            description =
                    "replays the window with this change and shows it beside what happened: conflict-rule, atomicity,"
                            + " instances, type, decision-time, or an option of the scheduler's type such as draws;"
                            + " for --scheduler, or for all; may be given again")
    private Map<String, String> whatIf = Map.of();

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public ConflictsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> show(cell, page)).number();
    }

    private void show(HttpCell cell, Terminal page) {
        if (!whatIf.isEmpty()) {
            WhatIf replayed = whatIf(cell);
            output.print(page, replayed, () -> new WhatIfTable(page).print(replayed));
        } else if (ledger) {
            ConflictLedger lost = ledger(cell, LEDGER_MAX);
            output.print(page, lost, () -> print(lost, page));
        } else {
            ConflictStatistics statistics = statistics(cell);
            output.print(page, statistics, () -> print(statistics, cell, page));
        }
    }

    private ConflictStatistics statistics(HttpCell cell) {
        GetConflictsRequest.Builder request =
                GetConflictsRequest.newBuilder().setWindow(Durations.fromMillis(window.toMillis()));
        if (scheduler != null) {
            request.setScheduler(scheduler);
        }
        return cell.getConflicts(request.build());
    }

    private WhatIf whatIf(HttpCell cell) {
        ReplayConflictsRequest.Builder request =
                ReplayConflictsRequest.newBuilder().setWindow(Durations.fromMillis(window.toMillis()));
        if (scheduler != null) {
            request.setScheduler(scheduler);
        }
        WhatIfChanges.add(whatIf, request);
        return cell.replayConflicts(request.build());
    }

    private ConflictLedger ledger(HttpCell cell, int limit) {
        ListConflictsRequest.Builder request = ListConflictsRequest.newBuilder().setLimit(limit);
        if (scheduler != null) {
            request.setScheduler(scheduler);
        }
        return cell.listConflicts(request.build());
    }

    private void print(ConflictStatistics statistics, HttpCell cell, Terminal page) {
        if (statistics.getSchedulersCount() == 0) {
            page.say("no transaction in the last " + Words.duration(window) + "; a longer --window looks back further");
            return;
        }
        ConflictTables tables = new ConflictTables(page);
        tables.print(statistics);
        ConflictLedger newest = ledger(cell, LEDGER_FOR_HINTS);
        if (newest.getConflictsCount() > 0) {
            page.print("");
            tables.print(newest.getConflictsList().stream()
                    .limit(LEDGER_BESIDE_COUNTS)
                    .toList());
        }
        for (String hint : ConflictHints.of(statistics.getSchedulersList(), within(window, newest))) {
            page.print("");
            page.print("hint: " + hint);
        }
    }

    /** Claims older than the counted window prove nothing about it. The newest lost claim tells the cell's time. */
    private static List<LostClaim> within(Duration window, ConflictLedger newestFirst) {
        if (newestFirst.getConflictsCount() == 0) {
            return List.of();
        }
        Instant since = Words.instant(newestFirst.getConflicts(0).getAt()).minus(window);
        return newestFirst.getConflictsList().stream()
                .filter(claim -> !Words.instant(claim.getAt()).isBefore(since))
                .toList();
    }

    private static void print(ConflictLedger lost, Terminal page) {
        if (lost.getConflictsCount() == 0) {
            page.say("no claim was lost to another scheduler yet; what was counted: cella conflicts");
        } else {
            new ConflictTables(page).print(lost.getConflictsList());
        }
    }
}
