package dev.cella.agent;

import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.job.PortNames;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells running attempts where the other tasks of their group run: a line for each that is on a machine, with its index, its
 * host, its machine and its ports. A line changes when its task moves. Owned by the agent's loop.
 *
 * <pre>
 * 0 10.0.0.7 m-017 http=20004 peer=20005
 * </pre>
 */
final class Hosts {
    private static final class Informed {
        private final String machine;
        private final Launch launch;
        private final TaskRunner runner;
        private String told = "";

        Informed(String machine, Launch launch, TaskRunner runner) {
            this.machine = machine;
            this.launch = launch;
            this.runner = runner;
        }
    }

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d+){3}|\\[::1]");

    private final Map<JobId, Map<PlacementId, Informed>> byJob = new HashMap<>();
    private final Map<PlacementId, JobId> jobs = new HashMap<>();
    private final Set<String> ownMachines;

    /** @param ownMachines the names of the machines of this agent */
    Hosts(Set<String> ownMachines) {
        this.ownMachines = ownMachines;
    }

    /** From now on the attempt on that machine is told, at once and whenever a task of its job moves. */
    void add(String machine, Launch launch, TaskRunner runner, CellView view) {
        if (launch.run().settings().hosts()) {
            Informed added = new Informed(machine, launch, runner);
            JobId of = launch.assignment().task().job();
            jobs.put(launch.assignment().placement(), of);
            byJob.computeIfAbsent(of, job -> new LinkedHashMap<>())
                    .put(launch.assignment().placement(), added);
            tell(added, view);
        }
    }

    void remove(PlacementId placement) {
        JobId job = jobs.remove(placement);
        if (job != null) {
            byJob.computeIfPresent(job, (same, informed) -> {
                informed.remove(placement);
                return informed.isEmpty() ? null : informed;
            });
        }
    }

    /** A task of that job has moved, or all may have. */
    void moved(JobId job, CellView view) {
        byJob.getOrDefault(job, Map.of()).values().forEach(informed -> tell(informed, view));
    }

    void moved(CellView view) {
        byJob.keySet().forEach(job -> moved(job, view));
    }

    private void tell(Informed informed, CellView view) {
        String lines = lines(informed, view);
        if (!lines.equals(informed.told)) {
            informed.told = lines;
            informed.runner.hosts(informed.launch.assignment().placement(), lines);
        }
    }

    private String lines(Informed informed, CellView view) {
        TaskId of = informed.launch.assignment().task();
        Optional<JobRow> job =
                view.job(of.job()).filter(row -> of.group() < row.groups().size());
        if (job.isEmpty()) {
            return "";
        }
        StringBuilder lines = new StringBuilder();
        GroupRow group = job.get().group(of.group());
        for (int index = 0; index < group.header().count(); index++) {
            if (view.machineOf(group, index) >= 0) {
                addLine(view.task(group, index), informed, view, lines);
            }
        }
        return lines.toString();
    }

    private void addLine(TaskRow task, Informed informed, CellView view, StringBuilder lines) {
        String machine = task.machineName().orElse("");
        lines.append(task.id().index())
                .append(' ')
                .append(host(view, machine, informed.machine))
                .append(' ')
                .append(machine);
        ports(task, informed.launch, view.dimensions())
                .forEach((name, number) ->
                        lines.append(' ').append(name).append('=').append(number));
        lines.append('\n');
    }

    /**
     * The host of its agent. A machine without an agent has its attribute {@code hostname}, or its name. So has one whose agent is
     * at loopback, for a reader on another host: there it would be the reader's own host.
     */
    private String host(CellView view, String machine, String reader) {
        return view.machine(machine)
                .flatMap(row -> row.agent())
                .flatMap(agent -> host(agent.address()))
                .filter(host -> !LOOPBACK.matcher(host).matches() || areOnOneHost(view, machine, reader))
                .or(() -> hostname(view, machine))
                .orElse(machine);
    }

    private boolean areOnOneHost(CellView view, String machine, String reader) {
        Optional<String> hostname = hostname(view, machine);
        return ownMachines.contains(machine) || (hostname.isPresent() && hostname.equals(hostname(view, reader)));
    }

    private static Optional<String> hostname(CellView view, String machine) {
        return view.machine(machine).map(row -> row.attributes().get("hostname"));
    }

    /** The cell takes any text for the address of another agent. */
    private static Optional<String> host(String address) {
        try {
            return Optional.ofNullable(new URI(address).getHost());
        } catch (URISyntaxException noAddress) {
            return Optional.empty();
        }
    }

    private static Map<String, Long> ports(TaskRow task, Launch launch, Dimensions dimensions) {
        int place = dimensions.find(PortNames.DIMENSION);
        MemberSet held = place < 0 ? MemberSet.NONE : task.resources().members().at(place);
        return held.isNone()
                ? Map.of()
                : PortNames.assign(launch.run().settings().ports(), held);
    }
}
