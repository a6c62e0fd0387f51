package dev.cella.cli.conflict;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.PauseSchedulerRequest;
import dev.cella.client.proto.ResumeSchedulerRequest;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.SchedulerPause;
import dev.cella.client.proto.SchedulerStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella schedulers}: each instance that has a session, and how it spends its time; {@code pause} and {@code resume}. */
@Command(
        name = "schedulers",
        header = "Lists the schedulers at work, and how each spends its time.",
        footer = {"", "Examples:", "  cella schedulers", "  cella schedulers pause batch"})
public final class SchedulersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public SchedulersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    SchedulerList schedulers = Pages.schedulers(cell);
                    output.print(page, schedulers, () -> print(schedulers, page));
                })
                .number();
    }

    /** Pauses a scheduler: it plans nothing for now. */
    @Command(
            name = "pause",
            header = "Lets a scheduler plan nothing until it is resumed.",
            description = {
                "",
                "Nothing new of its jobs is placed, by any of its instances, also after a restart of the cell."
                        + " Running tasks go on.",
                ""
            },
            footer = {"", "Example:", "  cella schedulers pause batch"})
    int pause(
            @Parameters(paramLabel = "NAME", description = "the scheduler") String name,
            @Mixin CellOption cell,
            @Mixin OutputOption format) {
        SchedulerPause paused = cell.open(terminal)
                .pauseScheduler(PauseSchedulerRequest.newBuilder().setName(name).build());
        format.print(
                terminal,
                paused,
                () -> terminal.print("scheduler " + name
                        + " is paused: its jobs stay as they are; to go on: cella schedulers resume " + name));
        return ExitCode.DONE.number();
    }

    /** Resumes a paused scheduler. */
    @Command(
            name = "resume",
            header = "Lets a paused scheduler plan again.",
            footer = {"", "Example:", "  cella schedulers resume batch"})
    int resume(
            @Parameters(paramLabel = "NAME", description = "the scheduler") String name,
            @Mixin CellOption cell,
            @Mixin OutputOption format) {
        SchedulerPause resumed = cell.open(terminal)
                .resumeScheduler(
                        ResumeSchedulerRequest.newBuilder().setName(name).build());
        format.print(terminal, resumed, () -> terminal.print("scheduler " + name + " plans again"));
        return ExitCode.DONE.number();
    }

    private static void print(SchedulerList schedulers, Terminal terminal) {
        if (schedulers.getSchedulersCount() == 0) {
            terminal.say("no scheduler is at work: start one with cella scheduler --type batch");
            return;
        }
        SchedulerTable.print(schedulers, terminal);
        schedulers.getSchedulersList().forEach(each -> complain(each, terminal));
    }

    /** Prints problems that an operator would act on and that have no column. */
    private static void complain(SchedulerStatus each, Terminal terminal) {
        String who = each.getName() + "/" + each.getInstance();
        if (each.getPlansFailed() > 0) {
            terminal.say(who + ": " + each.getPlansFailed() + " plans failed, " + each.getPlansGivenUp()
                    + " because they took too long; the last: " + each.getLastPlannerFailure());
        }
        if (each.getPlansRepeated() > 0) {
            terminal.say(
                    who + ": proposals held back, because the same had been refused before and nothing had changed: "
                            + each.getPlansRepeated());
        }
    }
}
