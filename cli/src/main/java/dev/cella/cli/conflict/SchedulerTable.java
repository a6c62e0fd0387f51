package dev.cella.cli.conflict;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.SchedulerStatus;
import java.util.Locale;

/** The instances of schedulers, one row each: all data about them, or only what matters while they work. */
public final class SchedulerTable {
    private SchedulerTable() {}

    static void print(SchedulerList schedulers, Terminal terminal) {
        Table table = new Table(
                "NAME",
                "~TYPE",
                "INSTANCE",
                "STATE",
                ">BUSY",
                "~>WASTED",
                ">QUEUE",
                "~>SUCCESSFUL",
                "~>CONFLICTED",
                ">FRACTION",
                "~>CLAIMS PLACED",
                "~>CLAIMS LOST",
                "~>DECISION",
                "~>LAG");
        for (SchedulerStatus each : schedulers.getSchedulersList()) {
            table.row(
                    each.getName(),
                    each.getType(),
                    each.getInstance(),
                    Words.word(each.getState()),
                    busy(each),
                    Fractions.shown(each.hasWastedBusyFraction(), each.getWastedBusyFraction()),
                    queue(each),
                    each.getTransactions().getSuccessful(),
                    each.getTransactions().getConflicted(),
                    conflicts(each),
                    each.getClaims().getAccepted(),
                    each.getClaims().getConflicted(),
                    each.hasDecisionTimeMeanSeconds()
                            ? String.format(Locale.ROOT, "%.1f ms", each.getDecisionTimeMeanSeconds() * 1_000)
                            : "",
                    each.hasLagVersions() ? each.getLagVersions() : "");
        }
        table.print(terminal);
    }

    /** The working instances and the cost of their conflicts, for a screen shared with other tables. */
    public static void printBrief(SchedulerList schedulers, Terminal terminal) {
        if (schedulers.getSchedulersCount() == 0) {
            terminal.print("no scheduler is at work");
            return;
        }
        Table table = new Table(
                "SCHEDULER", "INSTANCE", "STATE", ">BUSY", ">FRACTION", ">QUEUE", ">CLAIMS PLACED", ">CLAIMS LOST");
        for (SchedulerStatus each : schedulers.getSchedulersList()) {
            table.row(
                    each.getName(),
                    each.getInstance(),
                    Words.word(each.getState()),
                    busy(each),
                    conflicts(each),
                    queue(each),
                    each.getClaims().getAccepted(),
                    each.getClaims().getConflicted());
        }
        table.print(terminal);
    }

    private static String busy(SchedulerStatus of) {
        return Fractions.shown(of.hasBusyFraction(), of.getBusyFraction());
    }

    private static String conflicts(SchedulerStatus of) {
        return Fractions.shown(of.hasConflictFraction(), of.getConflictFraction());
    }

    private static String queue(SchedulerStatus of) {
        return of.hasQueueLength() ? Long.toString(of.getQueueLength()) : "";
    }
}
