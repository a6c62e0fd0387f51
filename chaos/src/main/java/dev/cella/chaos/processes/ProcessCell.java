package dev.cella.chaos.processes;

import com.google.protobuf.util.Durations;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.chaos.scenario.Scenario;
import dev.cella.chaos.scenario.SchedulerSpec;
import dev.cella.chaos.scenario.World;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.access.CellAccess;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.HttpCellOptions;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.SchedulerStatus;
import dev.cella.scheduling.plugin.SchedulerTypes;
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
    /** Short, so that a pause of some seconds is longer than a lease. */
    static final Duration LEASE = Duration.ofSeconds(3);

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
    private final Map<String, List<Path>> jars = new HashMap<>();
    private final ProcessGear gear;
    /** Asks everybody for a token; only the faults of credentials need it. */
    private final boolean closed;

    private CellAccess access = CellAccess.NONE;

    private ProcessCell(
            Scenario scenario,
            Path folder,
            List<String> cella,
            List<String> plugins,
            Optional<HostNetwork> network,
            ProcessGear gear,
            boolean closed) {
        this.scenario = scenario;
        this.folder = folder;
        this.cella = List.copyOf(cella);
        this.plugins = List.copyOf(plugins);
        this.network = network;
        this.gear = gear;
        this.closed = closed;
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
        return chosen.stream().limit(World.PROCESSES.schedulers(scenario)).toList();
    }

    private static int agents(Scenario scenario) {
        return World.PROCESSES.machines(scenario);
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
        ProcessCell cell = new ProcessCell(
                scenario, folder, cella, plugins, network, gear, kinds.contains(FaultKind.BAD_CREDENTIALS));
        boolean isReady = false;
        try {
            cell.writeServerFile(kinds);
            for (int place = 1; place <= scenario.replicas(); place++) {
                cell.startServer(place);
            }
            cell.awaitToken();
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
        if (closed) {
            arguments.add("--closed");
        }
        gear.addDisk(name);
        add(Part.Role.SERVER, name, arguments);
    }

    /** The first leader writes the first token of a closed cell, which may do everything, into its directory. */
    private void awaitToken() {
        if (!closed) {
            return;
        }
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        while (access.token().isEmpty()) {
            checkAlive();
            if (System.nanoTime() > giveUpNanos) {
                throw new CouldNotRunException("no server wrote a token after " + READY_MAX.toSeconds() + " s");
            }
            pause(200);
            parts.stream()
                    .map(server -> server.data().resolve("token"))
                    .filter(Files::exists)
                    .findFirst()
                    .ifPresent(this::takeToken);
        }
    }

    private void takeToken(Path written) {
        try {
            String token = Files.readString(written).strip();
            if (!token.isEmpty()) {
                // A disk of the run may lose the original.
                Files.copy(written, tokenFile());
                access = CellAccess.ofToken(token);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("reading the first token", failure);
        }
    }

    private Path tokenFile() {
        return folder.resolve("token");
    }

    private List<String> tokenArguments() {
        return closed ? List.of("--token", "@" + tokenFile()) : List.of();
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
            arguments.addAll(tokenArguments());
            ownJars(spec).forEach(jar -> arguments.addAll(List.of("--plugin", jar.toString())));
            add(Part.Role.SCHEDULER, spec.name(), arguments);
        }
    }

    /** Copies of the jars for each scheduler, so that a fault can exchange those of one. */
    private List<Path> ownJars(SchedulerSpec spec) {
        List<Path> copies = new ArrayList<>();
        for (String jar : plugins) {
            Path copy = Part.data(folder, spec.name()).resolve(Path.of(jar).getFileName());
            copyJar(Path.of(jar), copy);
            copies.add(copy);
        }
        if (SchedulerTypes.installed().find(spec.type()).isEmpty()) {
            jars.put(spec.name(), copies);
        }
        return copies;
    }

    /** Writes over the file, as {@code cp} does. */
    private static void copyJar(Path from, Path to) {
        try {
            Files.createDirectories(to.getParent());
            Files.write(to, Files.readAllBytes(from));
        } catch (IOException failure) {
            throw new UncheckedIOException("copying " + from, failure);
        }
    }

    private void startAgents() {
        for (int number = 0; number < agents(scenario); number++) {
            String name = "m" + number;
            List<String> arguments = new ArrayList<>(List.of(
                    "agent",
                    "--address",
                    addresses().toString(),
                    "--name",
                    name,
                    "--lease",
                    LEASE.toSeconds() + "s",
                    "--data",
                    Part.data(folder, name).toString()));
            arguments.addAll(tokenArguments());
            add(Part.Role.AGENT, name, arguments);
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
            checkAlive();
            if (System.nanoTime() > giveUpNanos) {
                throw new CouldNotRunException(
                        "the processes of the cell were not ready after " + READY_MAX.toSeconds() + " s");
            }
            pause(200);
        }
    }

    private void checkAlive() {
        for (Part part : parts) {
            if (!part.isAlive()) {
                throw new CouldNotRunException(part.name() + " ended while the cell started: " + lastLine(part));
            }
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

    /**
     * Until each scheduler has reported since it was started or continued: it has a session then, and its loop works. One that
     * does not in time is left to the checkers.
     */
    void awaitSchedulers() {
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        while (!allSchedulersWork() && System.nanoTime() < giveUpNanos) {
            pause(100);
        }
    }

    /** A follower refuses this read while there is no leader, so that the next address is asked. */
    private boolean allSchedulersWork() {
        ListSchedulersRequest request =
                ListSchedulersRequest.newBuilder().setLinearizable(true).build();
        try {
            List<SchedulerStatus> rows =
                    new HttpCell(addresses(), SOON).listSchedulers(request).getSchedulersList();
            return parts(Part.Role.SCHEDULER).stream()
                    .allMatch(part -> rows.stream().anyMatch(row -> hasReported(part, row)));
        } catch (CellUnreachable | Problem cannot) {
            return false;
        }
    }

    private static boolean hasReported(Part scheduler, SchedulerStatus row) {
        return row.getName().equals(scheduler.name())
                && row.hasSaidAgo()
                && Durations.toNanos(row.getSaidAgo()) < scheduler.worksFor().toNanos();
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

    /** The schedulers whose type comes from a jar. */
    List<Part> pluginSchedulers() {
        return parts(Part.Role.SCHEDULER).stream()
                .filter(part -> jars.containsKey(part.name()))
                .toList();
    }

    /** Writes the user's jars over those that the scheduler runs from. */
    void exchangeJars(Part scheduler) {
        List<Path> own = jars.getOrDefault(scheduler.name(), List.of());
        for (int place = 0; place < own.size(); place++) {
            copyJar(Path.of(plugins.get(place)), own.get(place));
        }
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
        return new CellAddresses(addresses, access);
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

    private Optional<CellSummary> ask(URI address) {
        try {
            return Optional.of(new HttpCell(CellAddresses.of(address).with(access), SOON).getCell());
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
            part.resumeAnyway();
            if (part.role() == Part.Role.AGENT) {
                part.stop();
            } else {
                part.kill();
            }
        }
        gear.close();
    }
}
