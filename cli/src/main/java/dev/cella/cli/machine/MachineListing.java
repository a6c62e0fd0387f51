package dev.cella.cli.machine;

import dev.cella.cli.terminal.Table;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.Words;
import dev.cella.client.proto.Machine;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Machines, a row each: the same columns wherever machines are listed. */
public final class MachineListing {
    private MachineListing() {}

    public static void print(List<Machine> machines, Terminal terminal) {
        print(machines, terminal, "");
    }

    public static void print(List<Machine> machines, Terminal terminal, String indent) {
        print(machines, false, terminal, indent);
    }

    static void print(List<Machine> machines, boolean wide, Terminal terminal, String indent) {
        Table table = new Table(
                wide,
                "NAME",
                "STATUS",
                ">CPU",
                ">CPU FREE",
                "~>MEMORY",
                "~>MEMORY FREE",
                ">TASKS",
                "~ISOLATION",
                "+>DISK",
                "+>DISK FREE",
                "+>HOLDS",
                "+ATTRIBUTES");
        for (Machine machine : machines) {
            table.row(
                    machine.getName(),
                    Words.word(machine.getStatus()),
                    Words.cores(machine.getCapacityOrDefault("cpuMilli", 0)),
                    Words.cores(machine.getFreeOrDefault("cpuMilli", 0)),
                    Words.memory(machine.getCapacityOrDefault("memoryMib", 0)),
                    Words.memory(machine.getFreeOrDefault("memoryMib", 0)),
                    machine.getTasksCount(),
                    machine.getAttributesOrDefault("isolation", ""),
                    Words.memory(machine.getCapacityOrDefault("diskMib", 0)),
                    Words.memory(machine.getFreeOrDefault("diskMib", 0)),
                    machine.getHoldsCount(),
                    attributes(machine));
        }
        table.print(terminal, indent);
    }

    private static String attributes(Machine machine) {
        return new TreeMap<>(machine.getAttributesMap())
                .entrySet().stream()
                        .map(attribute -> attribute.getKey() + "=" + attribute.getValue())
                        .collect(Collectors.joining(","));
    }
}
