package dev.cella.cli.machine;

import com.google.protobuf.util.Durations;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.job.UsageLines;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.Machine;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella machine status}: the machine's row, its attributes, and the tasks and holds on it. */
@Command(
        name = "status",
        header = "Shows a machine, its attributes and its tasks.",
        footer = {"", "Example:", "  cella machine status $(hostname)"})
public final class MachineStatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the machine")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Machine machine = cellOption
                .open(terminal)
                .getMachine(GetMachineRequest.newBuilder().setName(name).build());
        output.print(terminal, machine, () -> print(machine));
        return ExitCode.DONE.number();
    }

    private void print(Machine machine) {
        MachineListing.print(List.of(machine), terminal);
        if (machine.hasUsage()) {
            terminal.print("usage: " + UsageLines.describe(machine.getUsage()));
        }
        printAttributes(machine);
        printHolds(machine);
        printQueue(machine);
        printSpare(machine);
        printTasks(machine);
    }

    private void printAttributes(Machine machine) {
        Table attributes = new Table("ATTRIBUTE", "VALUE");
        new TreeMap<>(machine.getAttributesMap()).forEach(attributes::row);
        if (!attributes.isEmpty()) {
            terminal.print("");
            attributes.print(terminal);
        }
    }

    private void printHolds(Machine machine) {
        Table holds = new Table("HELD FOR", ">CPU", ">CPU WANTED", ">MEMORY", ">MEMORY WANTED", ">EXPIRES IN");
        machine.getHoldsList()
                .forEach(hold -> holds.row(
                        hold.getJob(),
                        Words.cores(hold.getHeldOrDefault("cpuMilli", 0)),
                        Words.cores(hold.getWantedOrDefault("cpuMilli", 0)),
                        Words.memory(hold.getHeldOrDefault("memoryMib", 0)),
                        Words.memory(hold.getWantedOrDefault("memoryMib", 0)),
                        Words.duration(Duration.ofMillis(Durations.toMillis(hold.getExpiresIn())))));
        if (!holds.isEmpty()) {
            terminal.print("");
            holds.print(terminal);
        }
    }

    private void printQueue(Machine machine) {
        Table queue = new Table("IN ITS QUEUE");
        machine.getQueueList().forEach(queue::row);
        if (!queue.isEmpty()) {
            terminal.print("");
            queue.print(terminal);
            long more = machine.getQueued() - machine.getQueueCount();
            if (more > 0) {
                terminal.print("and " + more + " more");
            }
        }
    }

    private void printSpare(Machine machine) {
        if (machine.getSpareCount() > 0) {
            terminal.print("");
            terminal.print("spare work, which ends when other work needs the room: "
                    + Words.cores(machine.getSpareOrDefault("cpuMilli", 0)) + " cores, "
                    + Words.memory(machine.getSpareOrDefault("memoryMib", 0)));
        }
    }

    private void printTasks(Machine machine) {
        Table tasks = new Table("TASK");
        machine.getTasksList().forEach(tasks::row);
        if (!tasks.isEmpty()) {
            terminal.print("");
            tasks.print(terminal);
        }
    }
}
