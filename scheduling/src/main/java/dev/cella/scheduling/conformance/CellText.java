package dev.cella.scheduling.conformance;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import java.util.ArrayList;
import java.util.List;

/** A small cell as text for people: a line for each machine, and one for each group with tasks to place. */
final class CellText {
    private CellText() {}

    static String of(CellView view) {
        List<String> lines = new ArrayList<>();
        lines.add("version " + view.version().number());
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                lines.add(machine(view, slot));
            }
        }
        for (JobRow job : view.jobs()) {
            job.groups().stream().filter(group -> group.pending() > 0).forEach(group -> lines.add(group(group)));
        }
        return String.join("\n", lines);
    }

    private static String machine(CellView view, int slot) {
        StringBuilder line = new StringBuilder(view.machineName(slot) + " " + view.status(slot));
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            line.append(", ")
                    .append(view.free(slot, dimension))
                    .append(" of ")
                    .append(view.capacity(slot, dimension))
                    .append(' ')
                    .append(view.dimensions().nameAt(dimension))
                    .append(" free");
        }
        return line.toString();
    }

    private static String group(GroupRow group) {
        return group.job().name() + "/" + group.header().name() + " of "
                + group.job().header().scheduler() + ": "
                + group.pending() + " of " + group.header().count() + " pending, each "
                + group.header().shape();
    }
}
