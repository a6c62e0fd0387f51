package dev.cella.wholecell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cell whose parts are separate processes, as in a real deployment: a store, a scheduler and an agent. */
final class RealCell implements AutoCloseable {
    /** No agent is restarted so slowly that its tasks are given up. */
    private static final String LEASE = "1m";

    private final Path folder;
    private final String lease;
    private final String address;
    private CellaProcess store;
    private CellaProcess scheduler;
    private CellaProcess agent;

    private RealCell(Path folder, String lease) {
        this.folder = folder;
        this.lease = lease;
        store = startStore(0);
        address = store.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
        scheduler = startScheduler();
        agent = startAgent();
    }

    /** Starts all parts and waits until the machine is there. */
    static RealCell start(Path folder) {
        return start(folder, LEASE);
    }

    /** With a lease of the machine's that is short enough for the test. */
    static RealCell start(Path folder, String lease) {
        RealCell cell = new RealCell(folder, lease);
        cell.client().awaitAnswer("/v1/machines", list -> list.path("machines").size() == 1);
        return cell;
    }

    String address() {
        return address;
    }

    OutsideClient client() {
        return new OutsideClient(address);
    }

    void killStore() {
        store.kill();
    }

    void restartStore() {
        store = startStore(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        store.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
    }

    void killScheduler() {
        scheduler.kill();
    }

    void restartScheduler() {
        scheduler = startScheduler();
    }

    void killAgent() {
        agent.kill();
    }

    void restartAgent() {
        agent = startAgent();
    }

    private CellaProcess startStore(int port) {
        return start("server", "--data", folder.resolve("store").toString(), "--port", Integer.toString(port));
    }

    private CellaProcess startScheduler() {
        return start("scheduler", "--address", address, "--name", "batch", "--type", "batch");
    }

    /** One more scheduler, of the type of its name, with options such as {@code tokens=1}. The caller ends it. */
    CellaProcess startScheduler(String type, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("scheduler", "--address", address, "--name", type, "--type", type, "--instance", "one"));
        for (String option : options) {
            arguments.addAll(List.of("--option", option));
        }
        return start(arguments.toArray(String[]::new));
    }

    private CellaProcess startAgent() {
        return startAgent("m-001", lease);
    }

    /** A machine with the attribute {@code name}. The caller ends its agent. */
    CellaProcess startAgent(String name, String leaseOfIt) {
        String data = folder.resolve(name).toString();
        return start(
                "agent",
                "--address",
                address,
                "--name",
                name,
                "--attribute",
                "name=" + name,
                "--data",
                data,
                "--lease",
                leaseOfIt);
    }

    private CellaProcess start(String... arguments) {
        return CellaProcess.start(Map.of("XDG_DATA_HOME", folder.resolve("home").toString()), arguments);
    }

    /** The output of every part, for a failed test. */
    @Override
    public String toString() {
        return "store:\n" + store.output() + "\nscheduler:\n" + scheduler.output() + "\nagent:\n" + agent.output();
    }

    @Override
    public void close() {
        agent.terminate();
        scheduler.close();
        store.close();
    }
}
