package dev.cella.cli.conflict;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.SchedulerStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella schedulers}: each instance that has a session, and how it spends its time. */
@Command(
        name = "schedulers",
        header = "Lists the schedulers at work, and how each spends its time.",
        footer = {"", "Examples:", "  cella schedulers", "  cella schedulers pause batch"})
public final class SchedulersCommand implements Callable<Integer> {
    private static final int SCHEDULERS_MAX = 1_000;

    private final Terminal terminal;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        SchedulerList schedulers = list(cellOption.open(terminal));
        output.print(terminal, schedulers, () -> print(schedulers));
        return ExitCode.DONE.number();
    }

    /** All instances that have a session. */
    public static SchedulerList list(HttpCell cell) {
        return cell.listSchedulers(
                ListSchedulersRequest.newBuilder().setLimit(SCHEDULERS_MAX).build());
    }

    private void print(SchedulerList schedulers) {
        if (schedulers.getSchedulersCount() == 0) {
            terminal.say("no scheduler is at work: start one with cella scheduler --type batch");
            return;
        }
        SchedulerTable.print(schedulers, terminal);
        schedulers.getSchedulersList().forEach(this::complain);
    }

    /** What an operator would act on, and no column has room for. */
    private void complain(SchedulerStatus each) {
        String who = each.getName() + "/" + each.getInstance();
        if (each.getPlansFailed() > 0) {
            terminal.say(who + ": " + each.getPlansFailed() + " of its plans failed, " + each.getPlansGivenUp()
                    + " of them because they took too long; the last: " + each.getLastPlannerFailure());
        }
        if (each.getPlansRepeated() > 0) {
            terminal.say(
                    who + ": proposals held back, because the same had been refused before and nothing had changed: "
                            + each.getPlansRepeated());
        }
    }
}
