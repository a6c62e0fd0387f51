package dev.cella.state.web.service;

import dev.cella.client.job.PortNames;
import dev.cella.client.proto.UnplacedReason;
import dev.cella.client.proto.UnplacedTasks;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.MemberSet;
import java.util.List;
import java.util.Optional;

/** Says what an operator or a user can do when no machine of the cell offers what a group's tasks need. */
final class MissingOnMachines {
    private MissingOnMachines() {}

    static List<String> helps(UnplacedTasks unplaced) {
        return unplaced.getNeverPlaceable()
                ? unplaced.getReasonsList().stream()
                        .flatMap(reason -> help(reason).stream())
                        .distinct()
                        .toList()
                : List.of();
    }

    /** How to get the ports that the group asks for by number, if no machine offers them. */
    static Optional<String> ports(CellView view, GroupRow group) {
        int place = view.dimensions().find(PortNames.DIMENSION);
        MemberSet missing =
                place < 0 ? MemberSet.NONE : group.header().shape().members().at(place);
        for (int slot = 0; !missing.isNone() && slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                missing = missing.minus(view.capacityMembers(slot).at(place));
            }
        }
        return missing.isNone()
                ? Optional.empty()
                : Optional.of("a machine that offers port " + missing
                        + ": agents offer 20000-31999 unless they are told otherwise (cella agent --member ports=...)");
    }

    private static Optional<String> help(UnplacedReason reason) {
        String what = reason.getDetail();
        if (what.startsWith("images ")) {
            return Optional.of(
                    "a machine that runs images: podman, crun or runc on it (runc if both versions of control groups"
                            + " have controllers), and its agent run as root");
        }
        if (what.startsWith("isolation ")) {
            return Optional.of(
                    "a machine with that isolation: isolation.why in cella machine status says what each one lacks");
        }
        return reason.getDimension().equals("ports")
                ? Optional.of(
                        "a port that machines offer: 20000-31999, unless their agents say otherwise (--member ports=...)")
                : Optional.empty();
    }
}
