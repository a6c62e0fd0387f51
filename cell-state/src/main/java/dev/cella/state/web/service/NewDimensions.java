package dev.cella.state.web.service;

import dev.cella.client.json.NearestName;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a machine's new dimensions, and the commands that make them known to the cell. A dimension is a set if the machine
 * names its members; otherwise it is counted. The first set also raises the cell's feature level. A dimension is never
 * removed, so a name that is nearly that of an existing one is taken for a typing error and refused.
 */
final class NewDimensions {
    private NewDimensions() {}

    static List<Command> of(CellView view, Map<String, Long> capacity, Map<String, String> members) {
        List<Command> commands = new ArrayList<>();
        Set<String> sets = members.keySet();
        for (String name : sets) {
            if (isNew(view, "members", name)) {
                if (view.featureLevel() < EntryCodec.SETS_LEVEL && commands.isEmpty()) {
                    commands.add(new Command.RaiseFeatureLevel(EntryCodec.SETS_LEVEL));
                }
                commands.add(added("members", name, Dimension.Kind.SET));
            }
        }
        for (String name : capacity.keySet()) {
            if (!sets.contains(name) && isNew(view, "capacity", name)) {
                commands.add(added("capacity", name, Dimension.Kind.COUNT));
            }
        }
        return commands;
    }

    private static Command added(String path, String name, Dimension.Kind kind) {
        return new Command.AddDimension(Requests.checked(path + "." + name, () -> new Dimension(name, kind)));
    }

    private static boolean isNew(CellView view, String path, String name) {
        if (view.dimensions().find(name) >= 0) {
            return false;
        }
        List<String> names =
                view.dimensions().list().stream().map(Dimension::name).toList();
        Optional<String> near = NearestName.to(name, names);
        near.ifPresent(nearest -> {
            throw Requests.bad(path + "." + name, "no such dimension, did you mean " + nearest + "?");
        });
        return true;
    }
}
