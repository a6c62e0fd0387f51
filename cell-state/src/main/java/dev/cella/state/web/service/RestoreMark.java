package dev.cella.state.web.service;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.RestoredFrom;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.model.Command;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The mark of machines whose agents have not registered since the cell was restored ({@link RestoredFrom}). */
final class RestoreMark {
    private RestoreMark() {}

    /** The mark of a machine that takes claims again once its agent has registered; empty for any other machine. */
    static Optional<RestoredFrom> ofReady(CellView view, String machine) {
        return view.machine(machine).flatMap(RestoreMark::ofReady);
    }

    private static Optional<RestoredFrom> ofReady(MachineRow machine) {
        return RestoredFrom.of(machine.attributes()).filter(RestoredFrom::wasReady);
    }

    /**
     * The attributes with that mark. A machine that has as many as it may lacks one of its agent's until the agent has
     * registered: that says all of them again.
     */
    static SortedMap<String, String> put(RestoredFrom mark, Map<String, String> attributes) {
        SortedMap<String, String> marked = new TreeMap<>(attributes);
        marked.put(RestoredFrom.ATTRIBUTE, mark.text());
        if (marked.size() > Command.PutMachine.ATTRIBUTES_MAX) {
            marked.remove(HandAttributes.lastOfAgent(marked).orElse(RestoredFrom.ATTRIBUTE));
        }
        return marked;
    }

    /** The command after which the machine takes no claims when its agent registers; empty if it takes none anyway. */
    static Optional<Command> drained(CellView view, String machine) {
        return view.machine(machine).flatMap(row -> ofReady(row).map(mark -> drained(row, mark)));
    }

    private static Command drained(MachineRow machine, RestoredFrom mark) {
        return new Command.PutMachine(
                machine.name(),
                machine.capacityWanted(),
                put(mark.drained(), machine.attributes()),
                Optional.empty(),
                true);
    }
}
