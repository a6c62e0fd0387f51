package dev.cella.chaos.processes;

import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.proto.CellSummary;
import dev.cella.state.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The servers, schedulers and agents of one run, each a process with a folder, on hosts of its own where the machine allows
 * them. The thread of the run owns it; others may ask for addresses and the leader.
 */
final class ProcessCell implements AutoCloseable {
    /** One machine runs all agents' tasks, so more agents would only share its cores. */
    static final int AGENTS_MAX = 3;

    /** Short, so that a pause of some seconds is longer than a lease. */
    static final Duration LEASE = Duration.ofSeconds(3);

    private static final int SCHEDULERS_MAX = 3;
    private static final int CHECKPOINT_LOG_BYTES = 4_096;
    static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final HttpCellOptions SOON = new HttpCellOptions(Duration.ofSeconds(1), Duration.ofSeconds(2));

    private final Scenario scenario;
    private final Path folder;
    private final List<String> cella;
    private final List<String> plugins;
    private final Optional<HostNetwork> network;
    private final List<URI> addresses = new ArrayList<>();
    private final List<String> logs = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final ProcessGear gear;

    private ProcessCell(
            Scenario scenario,
            Path folder,
            List<String> cella,
            List<String> plugins,
            Optional<HostNetwork> network,
            ProcessGear gear) {
        this.scenario = scenario;
        this.folder = folder;
        this.cella = List.copyOf(cella);
        this.plugins = List.copyOf(plugins);
        this.network = network;
        this.gear = gear;
    }

    /** The number of hosts that a scenario takes. */
    static int hosts(Scenario scenario) {
        return scenario.replicas() + schedulers(scenario).size() + agents(scenario);
    }

    /** Those that faults name come first: each is a process, and the machine is small. */
    private static List<SchedulerSpec> schedulers(Scenario scenario) {
        Set<SchedulerSpec> chosen = new LinkedHashSet<>();
        scenario.schedulers().stream()
                .filter(each ->
                        scenario.faults().stream().anyMatch(fault -> fault.on().equals(each.name())))
                .forEach(chosen::add);
        chosen.addAll(scenario.schedulers());
        return chosen.stream().limit(SCHEDULERS_MAX).toList();
    }

    private static int agents(Scenario scenario) {
        return Math.min(AGENTS_MAX, scenario.machines());
    }

    /** Starts all parts and returns when every machine is ready. */
    static ProcessCell start(
            Scenario scenario,
            List<PlannedFault> faults,
            Path folder,
            List<String> cella,
            List<String> plugins,
            Optional<HostNetwork> network) {
        List<FaultKind> kinds = faults.stream().map(PlannedFault::kind).toList();
        ProcessGear gear = ProcessGear.forFaults(kinds, folder, network.isPresent());
        ProcessCell cell = new ProcessCell(scenario, folder, cella, plugins, network, gear);
        boolean isReady = false;
        try {
            cell.writeServerFile(kinds);
            for (int place = 1; place <= scenario.replicas(); place++) {
                cell.startServer(place);
            }
            cell.startSchedulers();
            cell.startAgents();
            cell.awaitReady();
            isReady = true;
            return cell;
        } finally {
            if (!isReady) {
                cell.close();
            }
        }
    }

    // ---- starting

    /** The checkers read whole logs, so none is purged. Only faults that need checkpoints get any. */
    private void writeServerFile(Collection<FaultKind> faults) {
        boolean checkpoints = faults.contains(FaultKind.BIT_FLIP) || faults.contains(FaultKind.DISK_FULL);
        List<Integer> ports = network.isPresent() ? List.of() : freePorts(2 * scenario.replicas());
        StringBuilder file = new StringBuilder("""
                cell: chaos
                electionTimeout: 1s
                insecure: true
                logEntriesKept: 1000000000
                """);
        file.append("checkpointLogBytes: ")
                .append(checkpoints ? CHECKPOINT_LOG_BYTES : Integer.MAX_VALUE)
                .append('\n');
        file.append(scenario.replicas() == 1 ? "" : "replicas:\n");
        for (int place = 1; place <= scenario.replicas(); place++) {
            String host = network.isPresent() ? network.get().address(place) : "127.0.0.1";
            int port = network.isPresent() ? 7070 : ports.get(2 * place - 2);
            int logPort = network.isPresent() ? 7071 : ports.get(2 * place - 1);
            addresses.add(URI.create("http://" + host + ":" + port));
            logs.add(host + ":" + logPort);
            file.append(
                    scenario.replicas() == 1
                            ? "host: " + host + "\nport: " + port + "\n"
                            : "  - {name: r%d, log: \"%s\", address: \"%s\"}\n"
                                    .formatted(place, logs.get(place - 1), addresses.get(place - 1)));
        }
        try {
            Files.writeString(folder.resolve("server.yaml"), file);
        } catch (IOException failure) {
            throw new UncheckedIOException("writing the servers' file", failure);
        }
    }

    private static List<Integer> freePorts(int count) {
        try {
            return FreePorts.find(count, new Random());
        } catch (IOException failure) {
            throw new UncheckedIOException("looking for free ports", failure);
        }
    }

    private void startServer(int place) {
        String name = "r" + place;
        List<String> arguments = new ArrayList<>(List.of(
                "server",
                "--config",
                folder.resolve("server.yaml").toString(),
                "--data",
                Part.data(folder, name).toString()));
        if (scenario.replicas() > 1) {
            arguments.addAll(List.of("--replica", name));
        }
        gear.addDisk(name);
        add(Part.Role.SERVER, name, arguments);
    }

    private void startSchedulers() {
        for (SchedulerSpec spec : schedulers(scenario)) {
            List<String> arguments = new ArrayList<>(List.of(
                    "scheduler",
                    "--address",
                    addresses().toString(),
                    "--name",
                    spec.name(),
                    "--type",
                    spec.type(),
                    "--lease",
                    LEASE.toSeconds() + "s",
                    "--decision-time",
                    spec.decisionMillis() + "ms"));
            spec.options().forEach((name, value) -> arguments.addAll(List.of("--option", name + "=" + value)));
            plugins.forEach(jar -> arguments.addAll(List.of("--plugin", jar)));
            add(Part.Role.SCHEDULER, spec.name(), arguments);
        }
    }

    private void startAgents() {
        for (int number = 0; number < agents(scenario); number++) {
            String name = "m" + number;
            add(
                    Part.Role.AGENT,
                    name,
                    List.of(
                            "agent",
                            "--address",
                            addresses().toString(),
                            "--name",
                            name,
                            "--lease",
                            LEASE.toSeconds() + "s",
                            "--data",
                            Part.data(folder, name).toString()));
        }
    }

    private void add(Part.Role role, String name, List<String> arguments) {
        int host = parts.size() + 1;
        List<String> command =
                new ArrayList<>(network.map(hosts -> hosts.on(host)).orElse(tied(role)));
        if (role == Part.Role.AGENT) {
            command.addAll(gear.withoutDisks());
        }
        command.addAll(cella);
        command.addAll(arguments);
        Map<String, String> environment =
                new HashMap<>(Map.of("XDG_DATA_HOME", folder.resolve("home").toString()));
        if (role == Part.Role.SERVER) {
            environment.putAll(gear.environment(name));
        }
        parts.add(new Part(role, name, host, command, environment, folder));
    }

    /** Outside an enclosure each part ends with this process; an agent takes its tasks with it. */
    private static List<String> tied(Part.Role role) {
        return Tool.works("setpriv", "--version")
                ? List.of("setpriv", "--pdeathsig", role == Part.Role.AGENT ? "TERM" : "KILL")
                : List.of();
    }

    private void awaitReady() {
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        while (!hasAllMachines()) {
            for (Part part : parts) {
                if (!part.isAlive()) {
                    throw new CellNotStartedException(part.name() + " ended while the cell started: " + lastLine(part));
                }
            }
            if (System.nanoTime() > giveUpNanos) {
                throw new CellNotStartedException(
                        "the processes of the cell were not ready after " + READY_MAX.toSeconds() + " s");
            }
            pause(200);
        }
    }

    /** Until every server answers, with or without a leader; a server that does not start in time is left to the checkers. */
    void awaitServers() {
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        for (URI address : addresses) {
            while (ask(address).isEmpty() && System.nanoTime() < giveUpNanos) {
                pause(100);
            }
        }
    }

    private boolean hasAllMachines() {
        return summary()
                .filter(cell -> cell.getMachines().getReady() == agents(scenario))
                .isPresent();
    }

    private static String lastLine(Part part) {
        try {
            return Files.readAllLines(part.log()).stream().reduce("", (before, line) -> line);
        } catch (IOException unreadable) {
            return "its output cannot be read";
        }
    }

    // ---- the running cell

    List<Part> parts(Part.Role role) {
        return parts.stream().filter(part -> part.role() == role).toList();
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Where its log listens for the other replicas, host:port. */
    String logOf(Part server) {
        return logs.get(parts(Part.Role.SERVER).indexOf(server));
    }

    String addressOf(Part server) {
        return addresses.get(parts(Part.Role.SERVER).indexOf(server)).toString();
    }

    Optional<HostNetwork> network() {
        return network;
    }

    ProcessGear gear() {
        return gear;
    }

    CellAddresses addresses() {
        return new CellAddresses(addresses);
    }

    /** What the first server that answers soon says of the cell; a server without a leader is asked last. */
    Optional<CellSummary> summary() {
        Optional<CellSummary> leaderless = Optional.empty();
        for (URI address : addresses) {
            Optional<CellSummary> said = ask(address);
            if (said.filter(CellSummary::hasLeader).isPresent()) {
                return said;
            }
            leaderless = said.isPresent() ? said : leaderless;
        }
        return leaderless;
    }

    private static Optional<CellSummary> ask(URI address) {
        try {
            return Optional.of(new HttpCell(address, SOON).getCell());
        } catch (CellUnreachable | Problem cannot) {
            // Another one may answer.
            return Optional.empty();
        }
    }

    Optional<Part> leader() {
        return summary()
                .flatMap(cell -> parts(Part.Role.SERVER).stream()
                        .filter(part -> scenario.replicas() == 1 || part.name().equals(cell.getLeader()))
                        .findFirst());
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Agents take their tasks with them; the others are killed. Nothing of the disks remains. */
    @Override
    public void close() {
        for (int last = parts.size() - 1; last >= 0; last--) {
            Part part = parts.get(last);
            part.resume();
            if (part.role() == Part.Role.AGENT) {
                part.stop();
            } else {
                part.kill();
            }
        }
        gear.close();
    }
}
