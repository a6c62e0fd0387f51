package dev.cella.cli.conflict;

import com.google.protobuf.util.Timestamps;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.WhatIf;
import dev.cella.client.proto.WhatIfCounts;
import dev.cella.client.proto.WhatIfScheduler;
import java.time.Duration;
import java.util.Locale;

/** Prints a replayed window: for each scheduler what happened, the replay as it was, and the replay with the change. */
final class WhatIfTable {
    private final Terminal terminal;

    WhatIfTable(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(WhatIf whatIf) {
        Duration length =
                Duration.ofMillis(Timestamps.toMillis(whatIf.getToAt()) - Timestamps.toMillis(whatIf.getFromAt()));
        terminal.print("the last " + Words.duration(length) + " again: "
                + String.format(
                        Locale.ROOT,
                        "%,d jobs with %,d tasks on %,d machines",
                        whatIf.getJobs(),
                        whatIf.getTasks(),
                        whatIf.getMachines()));
        terminal.print("what if: " + (whatIf.getChange().isEmpty() ? "nothing changes" : whatIf.getChange()));
        terminal.print("");
        Table table = new Table(
                "SCHEDULER",
                "",
                ">CONFLICTED",
                ">FRACTION",
                ">CLAIMS PLACED",
                ">CLAIMS LOST",
                ">JOBS PLACED",
                ">WAIT MEAN");
        whatIf.getSchedulersList().forEach(each -> rows(table, each));
        if (whatIf.getSchedulersCount() > 1) {
            rows(table, whatIf.getTotal());
        }
        table.print(terminal);
        terminal.print("");
        whatIf.getNotesList().forEach(note -> terminal.print("note: " + note));
    }

    private static void rows(Table table, WhatIfScheduler scheduler) {
        row(table, scheduler.getName(), "happened", scheduler.getHappened());
        row(table, scheduler.getName(), "replayed as it was", scheduler.getReplayed());
        row(table, scheduler.getName(), "replayed with the change", scheduler.getChanged());
    }

    private static void row(Table table, String scheduler, String what, WhatIfCounts counts) {
        table.row(
                scheduler,
                what,
                number(counts.getConflicted()),
                counts.hasConflictFraction() ? Fractions.shown(true, counts.getConflictFraction()) : "-",
                number(counts.getClaimsAccepted()),
                number(counts.getClaimsConflicted()) + spread(counts),
                number(counts.getJobsPlaced()) + " of " + number(counts.getJobs()),
                counts.hasWaitMeanSeconds() ? String.format(Locale.ROOT, "%.2f s", counts.getWaitMeanSeconds()) : "-");
    }

    private static String number(double count) {
        return String.format(Locale.ROOT, "%,.0f", count);
    }

    /** The least and the most over the seeds. */
    private static String spread(WhatIfCounts counts) {
        return !counts.hasClaimsConflictedMin() || counts.getClaimsConflictedMin() == counts.getClaimsConflictedMax()
                ? ""
                : " (" + number(counts.getClaimsConflictedMin()) + "-" + number(counts.getClaimsConflictedMax()) + ")";
    }
}
