package dev.cella.state.web.rows;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.Inputs;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.TaskLocality;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The share of the cell that a job holds, and how near its tasks are to their input. Only the page of a single job shows this,
 * because it takes a look at every task.
 */
public final class JobShares {
    private static final String RACK = "rack";

    private final CellView view;
    private final JobRow job;

    private JobShares(CellView view, JobRow job) {
        this.view = view;
        this.job = job;
    }

    public static JobStatus of(CellView view, JobRow job) {
        JobShares shares = new JobShares(view, job);
        JobStatus.Builder status = JobStatus.newBuilder();
        double share = shares.dominantShare();
        if (share > 0) {
            status.setDominantShare(share);
        }
        shares.locality(JobRows.specification(job.specification())).ifPresent(status::setLocality);
        return status.build();
    }

    private double dominantShare() {
        double dominant = 0;
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            long capacity = view.totalCapacity(dimension);
            if (capacity > 0) {
                dominant = Math.max(dominant, (double) use(dimension) / capacity);
            }
        }
        return dominant;
    }

    private long use(int dimension) {
        long use = 0;
        for (GroupRow group : job.groups()) {
            Amounts shape = group.header().shape();
            use += dimension < shape.size() ? group.onMachines() * shape.at(dimension) : 0;
        }
        return use;
    }

    private Optional<TaskLocality> locality(Job specification) {
        TaskLocality.Builder counts = TaskLocality.newBuilder();
        boolean says = false;
        for (Group group : specification.getGroupsList()) {
            int place = job.header().findGroup(group.getName());
            if (place >= 0 && group.getInputsCount() > 0) {
                says = true;
                count(job.group(place), group.getInputsList(), counts);
            }
        }
        return says ? Optional.of(counts.build()) : Optional.empty();
    }

    private void count(GroupRow group, List<Inputs> inputs, TaskLocality.Builder counts) {
        for (int index = 0; index < group.header().count(); index++) {
            int machine = view.machineOf(group, index);
            int place = inputs.size() == 1 ? 0 : index;
            if (machine >= 0 && place < inputs.size()) {
                count(inputs.get(place), machine, counts);
            }
        }
    }

    private void count(Inputs input, int machine, TaskLocality.Builder counts) {
        String rack = view.attributes(machine).get(RACK);
        boolean inRack = rack != null && racks(input).contains(rack);
        boolean atHome =
                input.getMachinesCount() == 0 ? inRack : input.getMachinesList().contains(view.machineName(machine));
        if (atHome) {
            counts.setNode(counts.getNode() + 1);
        } else if (inRack) {
            counts.setRack(counts.getRack() + 1);
        } else {
            counts.setAny(counts.getAny() + 1);
        }
    }

    private Set<String> racks(Inputs input) {
        Set<String> racks = new HashSet<>(input.getRacksList());
        for (String name : input.getMachinesList()) {
            view.findMachine(name).stream()
                    .mapToObj(machine -> view.attributes(machine).get(RACK))
                    .filter(rack -> rack != null)
                    .forEach(racks::add);
        }
        return racks;
    }
}
