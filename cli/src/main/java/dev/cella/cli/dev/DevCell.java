package dev.cella.cli.dev;

import dev.cella.agent.CellAgent;
import dev.cella.agent.CellAgentOptions;
import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.part.Parts;
import dev.cella.cli.plugin.Replays;
import dev.cella.cli.plugin.SchedulerSetting;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.job.PortNames;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.Access;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.core.Departure;
import dev.cella.state.web.Security;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A cell in this process: a server, schedulers, and an agent for this machine and the hollow ones. With several servers, each
 * is a separate process. Each part knows only the servers' addresses, so what works here works in a cell of many machines.
 */
final class DevCell {
    private static final String HOST = "127.0.0.1";
    private static final byte[] HOST_BYTES = {127, 0, 0, 1};
    private static final MachineCapacity HOLLOW = new MachineCapacity(4_000, 16_384, 102_400);
    private static final int RACKS = 4;
    private static final int PORT_FIRST = 20_000;
    private static final int PORTS = 12_000;

    /** On a machine with one slow and busy core, half a minute was not enough. */
    private static final long REGISTERED_SECONDS_MAX = 120;

    private final CellAddresses addresses;
    private final String machine;
    private final List<String> schedulers;
    private final NodeAgent agent;
    private final List<DevCell> members;

    private DevCell(
            CellAddresses addresses, String machine, List<String> schedulers, NodeAgent agent, List<DevCell> members) {
        this.addresses = addresses;
        this.machine = machine;
        this.schedulers = List.copyOf(schedulers);
        this.agent = agent;
        this.members = List.copyOf(members);
    }

    /** Starts one part after another, and returns when the cell knows its machines. */
    static DevCell start(DevOptions options, Departure departure, RandomGenerator random, Parts parts)
            throws Exception {
        DevReplicas.checkFits(options);
        List<DevCell> members = new ArrayList<>();
        for (int number = 2; options.isHome() && number <= options.cells(); number++) {
            members.add(start(options.member(number), departure, random, parts));
        }
        DevToken token = DevToken.of(options);
        CellAddresses servers = options.replicas() == 1
                ? startServer(options, departure, parts)
                : parts.start(() -> DevReplicas.start(options, token)).addresses();
        CellAddresses address = servers.with(token.access());
        String incarnation = new HttpCell(address).getCell().getIncarnation();
        List<String> schedulers = new ArrayList<>();
        for (SchedulerSetting scheduler : options.schedulers()) {
            parts.start(() -> startScheduler(scheduler, address, members, random.nextLong(), parts));
            schedulers.add(scheduler.name());
        }
        String machine = options.machine();
        NodeAgent agent = parts.start(() -> NodeAgent.start(agent(machine, address, random.nextLong(), options)));
        await(agent.registered());
        HttpCell cell = new HttpCell(address);
        removeFormer(cell, incarnation, options.hollowMachines());
        for (int place = 0; place < members.size(); place++) {
            offer(members.get(place), options.notesOn(place + 2), address, random.nextLong(), parts);
        }
        return new DevCell(address, machine, schedulers, agent, members);
    }

    private static CellAddresses startServer(DevOptions options, Departure departure, Parts parts) throws Exception {
        CellServerOptions server = CellServerOptions.defaults(options.data())
                .withCell(options.name())
                .withBeside(DevOptions.BESIDE)
                .withAccess(Access.ofOwner(Security.TOKENS, options.token()))
                .withAddress(InetAddress.getByAddress(HOST, HOST_BYTES), options.port())
                .withReplay(Replays.of(options.schedulers().stream()
                        .map(SchedulerSetting::provider)
                        .toList()));
        return CellAddresses.of(URI.create(
                parts.start(() -> CellServer.start(server, departure)).address()));
    }

    private static LiveScheduler<?> startScheduler(
            SchedulerSetting set, CellAddresses address, List<DevCell> members, long seed, Parts parts) {
        String type = set.provider().type();
        List<CellAddresses> more = type.equals(DevOptions.FEDERATED)
                ? members.stream().map(DevCell::addresses).toList()
                : List.of();
        LiveSchedulerOptions options =
                LiveSchedulerOptions.of(address, set.name(), type, "dev", seed).withMoreCells(more);
        LiveScheduler<?> scheduler = LiveScheduler.start(options, set.create());
        parts.endWith(scheduler.ended(), "the data stays: cella dev again");
        return scheduler;
    }

    /** The home has the other cell as a machine. */
    private static void offer(DevCell member, Path notes, CellAddresses home, long seed, Parts parts) throws Exception {
        CellAgent agent =
                parts.start(() -> CellAgent.start(CellAgentOptions.of(home, member.addresses(), notes, seed)));
        parts.endWith(agent.ended(), "the data stays: cella dev again");
        await(agent.registered());
    }

    private static NodeAgentOptions agent(String machine, CellAddresses address, long seed, DevOptions options)
            throws IOException {
        return NodeAgentOptions.of(
                        address,
                        part(MachineOptions.thisMachine(machine, options.agentData()), options),
                        options.agentData(),
                        seed)
                .withMachines(hollowMachines(options.hollowMachines()))
                .withHollowRuntime(options.hollowRunTime().orElse(NodeAgentOptions.HOLLOW_RUNTIME_DEFAULT))
                .withTaskUser(options.taskUser());
    }

    /** Several cells have equal parts of this machine. Its devices are the home's. */
    private static MachineOptions part(MachineOptions whole, DevOptions options) {
        if (options.cells() == 1) {
            return whole;
        }
        Map<String, Long> capacity = new HashMap<>();
        whole.capacity().forEach((dimension, amount) -> capacity.put(dimension, amount / options.cells()));
        Map<String, String> members = options.isHome() ? new HashMap<>(whole.members()) : new HashMap<>();
        int ports = PORTS / options.cells();
        int first = PORT_FIRST + (options.number() - 1) * ports;
        members.put(PortNames.DIMENSION, first + "-" + (first + ports - 1));
        return new MachineOptions(whole.name(), whole.kind(), capacity, whole.attributes(), members, whole.devices());
    }

    private static List<MachineOptions> hollowMachines(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(DevCell::hollowMachine).toList();
    }

    /** Hollow machines have racks, so that jobs can spread over them. */
    private static MachineOptions hollowMachine(int number) {
        MachineOptions plain = MachineOptions.hollow(String.format(Locale.ROOT, "hollow-%03d", number), HOLLOW);
        Map<String, String> attributes = new HashMap<>(plain.attributes());
        attributes.put("rack", "r" + ((number - 1) % RACKS + 1));
        return new MachineOptions(plain.name(), plain.kind(), plain.capacity(), attributes);
    }

    private static void await(Future<?> registered) throws InterruptedException {
        try {
            registered.get(REGISTERED_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw CommandFailure.failed(
                    "the cell does not know its machines after " + REGISTERED_SECONDS_MAX + " s", "dev.log says more");
        }
    }

    /**
     * Removes hollow machines of an earlier run: nobody runs them now, and they would get tasks until their leases expire.
     * They are removed by force, so the cell must be the one that was started here.
     */
    static void removeFormer(HttpCell cell, String incarnation, int hollowMachines) {
        if (!cell.getCell().getIncarnation().equals(incarnation)) {
            throw CommandFailure.failed(
                    "another cell answers at " + cell.address(), "stop that one, or choose another port with --port");
        }
        List<String> names = hollowMachines(hollowMachines).stream()
                .map(MachineOptions::name)
                .toList();
        for (Machine row :
                Pages.machines(cell, ListMachinesRequest.getDefaultInstance()).getMachinesList()) {
            if (row.getAttributesMap().containsKey("hollow") && !names.contains(row.getName())) {
                remove(cell, row.getName());
            }
        }
    }

    /** A machine that its own agent removes at this moment is gone anyway. */
    private static void remove(HttpCell cell, String machine) {
        try {
            cell.removeMachine(RemoveMachineRequest.newBuilder()
                    .setName(machine)
                    .setForce(true)
                    .build());
        } catch (Problem problem) {
            if (problem.type() != ProblemType.NOT_FOUND) {
                throw problem;
            }
        }
    }

    /** The addresses of all its servers. */
    CellAddresses addresses() {
        return addresses;
    }

    /** The address to print for the user. */
    URI address() {
        return addresses.first();
    }

    /** The other cells, which are machines of this one. */
    List<DevCell> members() {
        return members;
    }

    /** The name of this machine. */
    String machine() {
        return machine;
    }

    List<String> schedulers() {
        return schedulers;
    }

    /** The isolation of tasks on this machine, and why not more. */
    String isolation() {
        return agent.isolation().orElse("none");
    }
}
