package dev.cella.cli.machine;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.DrainMove;
import dev.cella.client.proto.DrainPlan;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella machine drain}: no new task comes to the machine. */
@Command(
        name = "drain",
        header = "Keeps new tasks off a machine.",
        description = {
            "",
            "Tasks that are there go on until they end. With --deadline, tasks of services that are still there then"
                    + " are stopped and tried again elsewhere; tasks of batch jobs go on.",
            "With --preview, JSON and YAML are {machine, moves[{task, machine}]}, without a machine where none has room.",
            ""
        },
        footer = {"", "Examples:", "  cella machine drain m-042 --preview", "  cella machine drain m-042"})
public final class MachineDrainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the machine")
    private String name = "";

    @Option(
            names = "--deadline",
            paramLabel = "DURATION",
            description = "when tasks of services that are still there are stopped (default: never)")
    private @Nullable Duration deadline;

    @Option(
            names = "--preview",
            description = "only show the tasks that are there and which machine has room for each; nothing is changed")
    private boolean preview;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public MachineDrainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        HttpCell cell = cellOption.open(terminal);
        if (preview) {
            DrainPlan plan = preview(cell);
            output.print(terminal, plan, () -> print(plan));
        } else {
            Machine machine = cell.drainMachine(request());
            output.print(terminal, machine, () -> MachineListing.print(List.of(machine), terminal));
        }
        return ExitCode.DONE.number();
    }

    private DrainMachineRequest request() {
        DrainMachineRequest.Builder request = DrainMachineRequest.newBuilder().setName(name);
        if (deadline != null) {
            request.setDeadline(com.google.protobuf.Duration.newBuilder()
                    .setSeconds(deadline.getSeconds())
                    .setNanos(deadline.getNano()));
        }
        return request.build();
    }

    private DrainPlan preview(HttpCell cell) {
        Machine machine =
                cell.getMachine(GetMachineRequest.newBuilder().setName(name).build());
        DrainPlan.Builder plan = DrainPlan.newBuilder().setMachine(machine);
        return machine.getTasksCount() == 0
                ? plan.build()
                : plan.addAllMoves(moves(machine, cell)).build();
    }

    private List<DrainMove> moves(Machine machine, HttpCell cell) {
        List<Task> tasks =
                Pages.tasks(cell, ListTasksRequest.newBuilder().setMachine(name).build()).getTasksList().stream()
                        .filter(task -> machine.getTasksList().contains(task.getTask()))
                        .toList();
        return DrainPreview.of(
                name,
                tasks,
                Pages.machines(cell, ListMachinesRequest.getDefaultInstance()).getMachinesList());
    }

    private void print(DrainPlan plan) {
        if (plan.getMachine().getTasksCount() == 0) {
            terminal.say("no task is on " + name + ": it would be DRAINED at once");
            return;
        }
        Table table = new Table("TASK", "HAS ROOM ON");
        plan.getMovesList()
                .forEach(move -> table.row(move.getTask(), move.hasMachine() ? move.getMachine() : "no machine"));
        table.print(terminal);
        terminal.say((deadline == null
                        ? "these tasks would go on until they end"
                        : "tasks of services that are still there after " + Words.duration(deadline)
                                + " would be stopped, tasks of batch jobs would go on")
                + "; no other task would come; nothing was changed");
    }
}
