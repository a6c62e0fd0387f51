package dev.cella.cli.machine;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.Machine;
import java.util.List;

/** Machines, a row each: the same columns wherever machines are listed. */
public final class MachineTable {
    private MachineTable() {}

    public static void print(List<Machine> machines, Terminal terminal) {
        print(machines, terminal, "");
    }

    public static void print(List<Machine> machines, Terminal terminal, String indent) {
        Table table =
                new Table("NAME", "STATUS", ">CPU", ">CPU FREE", ">MEMORY", ">MEMORY FREE", ">TASKS", "ISOLATION");
        for (Machine machine : machines) {
            table.row(
                    machine.getName(),
                    Words.word(machine.getStatus()),
                    Words.cores(machine.getCapacityOrDefault("cpuMilli", 0)),
                    Words.cores(machine.getFreeOrDefault("cpuMilli", 0)),
                    Words.memory(machine.getCapacityOrDefault("memoryMib", 0)),
                    Words.memory(machine.getFreeOrDefault("memoryMib", 0)),
                    machine.getTasksCount(),
                    machine.getAttributesOrDefault("isolation", ""));
        }
        table.print(terminal, indent);
    }
}
