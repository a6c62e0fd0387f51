package dev.cella.state.web.service;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.Inputs;
import dev.cella.client.proto.Job;
import dev.cella.transactions.cell.CellView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds inputs of a job that name no machine and no rack of the cell. Tasks with such inputs wait for nothing and may go
 * anywhere, which is most likely not what the user meant.
 */
final class AbsentInputs {
    private static final String RACK = "rack";

    private final CellView view;
    private Optional<Set<String>> racks = Optional.empty();

    private AbsentInputs(CellView view) {
        this.view = view;
    }

    /** One sentence for each group with such inputs. */
    static List<String> of(CellView view, Job job) {
        AbsentInputs absent = new AbsentInputs(view);
        List<String> sentences = new ArrayList<>();
        for (Group group : job.getGroupsList()) {
            absent.check(group).ifPresent(sentences::add);
        }
        return sentences;
    }

    private Optional<String> check(Group group) {
        int count = 0;
        int first = -1;
        for (int place = 0; place < group.getInputsCount(); place++) {
            if (isAbsent(group.getInputs(place))) {
                first = count == 0 ? place : first;
                count++;
            }
        }
        return count == 0
                ? Optional.empty()
                : Optional.of(("%d of %d inputs of group %s name no machine and no rack of this cell, the first is"
                                + " inputs[%d] with %s: these tasks do not wait for a machine, they may go anywhere")
                        .formatted(
                                count, group.getInputsCount(), group.getName(), first, named(group.getInputs(first))));
    }

    private boolean isAbsent(Inputs inputs) {
        boolean namesAny = inputs.getMachinesCount() + inputs.getRacksCount() > 0;
        return namesAny
                && inputs.getMachinesList().stream()
                        .noneMatch(name -> view.findMachine(name).isPresent())
                && inputs.getRacksList().stream().noneMatch(name -> racks().contains(name));
    }

    private static String named(Inputs inputs) {
        return inputs.getMachinesCount() > 0 ? "machine " + inputs.getMachines(0) : RACK + " " + inputs.getRacks(0);
    }

    private Set<String> racks() {
        Set<String> known = racks.orElseGet(this::read);
        racks = Optional.of(known);
        return known;
    }

    private Set<String> read() {
        Set<String> read = new HashSet<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                Optional.ofNullable(view.attributes(slot).get(RACK)).ifPresent(read::add);
            }
        }
        return read;
    }
}
