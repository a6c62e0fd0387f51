package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three servers, two schedulers, two agents and an operator, each on a host of its own, all reached by the hosts' addresses,
 * over TLS and with tokens. The operator uses the command {@code cella} only.
 */
final class CellAcrossHosts implements AutoCloseable {
    private static final int SERVERS = 3;
    private static final int SCHEDULERS = 2;
    private static final int AGENTS = 2;

    /** One host for each part, and one for the operator. */
    static final int HOSTS = SERVERS + SCHEDULERS + AGENTS + 1;

    private static final int PORT = 7070;
    private static final int LOG_PORT = 7071;

    private final SwitchedNetwork network;
    private final Path folder;
    private final List<CellaProcess> parts = new ArrayList<>();

    private CellAcrossHosts(SwitchedNetwork network, Path folder) {
        this.network = network;
        this.folder = folder;
    }

    /** Starts all parts and waits until every machine is ready. */
    static CellAcrossHosts start(SwitchedNetwork network, Path folder) {
        CellAcrossHosts cell = new CellAcrossHosts(network, folder);
        try {
            cell.startParts();
            cell.awaitMachines(list -> count(list, "READY") == AGENTS);
            return cell;
        } catch (RuntimeException | Error failure) {
            cell.close();
            throw failure;
        }
    }

    private void startParts() {
        write("server.yaml", serverFile());
        makeCertificates();
        IntStream.rangeClosed(1, SERVERS).forEach(this::startServer);
        awaitFirstToken();
        makeToken("batch", "schedule:batch");
        makeToken("service", "schedule:service");
        makeToken("machines", "machine:m*");
        startScheduler(SERVERS + 1, "batch");
        startScheduler(SERVERS + 2, "service");
        IntStream.rangeClosed(1, AGENTS).forEach(this::startAgent);
    }

    private void makeCertificates() {
        List<String> command =
                new ArrayList<>(List.of("tls", "init", folder.resolve("tls").toString()));
        IntStream.rangeClosed(1, SERVERS + SCHEDULERS + AGENTS)
                .forEach(host -> command.addAll(List.of("--host", SwitchedNetwork.address(host))));
        try (CellaProcess made = CellaProcess.start(environment(), command.toArray(String[]::new))) {
            assertThat(made.awaitExit()).as(made::output).isZero();
        }
    }

    /** One of the servers makes it, the one that leads first. */
    private void awaitFirstToken() {
        await().atMost(CellaProcess.PATIENCE).until(() -> firstToken().isPresent());
    }

    private Optional<Path> firstToken() {
        return IntStream.rangeClosed(1, SERVERS)
                .mapToObj(place -> folder.resolve("r" + place).resolve("token"))
                .filter(Files::exists)
                .findFirst();
    }

    private void makeToken(String name, String scope) {
        await().atMost(CellaProcess.PATIENCE)
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .untilAsserted(() -> {
                    JsonNode made = json("token", "create", name, "--scope", scope);
                    write(name + ".token", made.path("secret").asText());
                });
    }

    private String[] asPart(String token) {
        return new String[] {
            "--address",
            addresses(),
            "--tls",
            folder.resolve("tls").toString(),
            "--token",
            "@" + folder.resolve(token + ".token")
        };
    }

    private static String serverFile() {
        return IntStream.rangeClosed(1, SERVERS)
                .mapToObj(place -> "  - {name: r%d, log: \"%s:%d\", address: \"%s\"}\n"
                        .formatted(place, SwitchedNetwork.address(place), LOG_PORT, url(place)))
                .collect(Collectors.joining("", "cell: across\nelectionTimeout: 1s\nreplicas:\n", ""));
    }

    private void startServer(int place) {
        CellaProcess server = startPart(
                place,
                "server",
                "--config",
                folder.resolve("server.yaml").toString(),
                "--replica",
                "r" + place,
                "--data",
                folder.resolve("r" + place).toString(),
                "--tls",
                folder.resolve("tls").toString());
        parts.add(server);
    }

    private void startScheduler(int host, String type) {
        parts.add(startPart(host, with(asPart(type), "scheduler", "--type", type)));
    }

    private void startAgent(int number) {
        int host = agentHost("m" + number);
        parts.add(startPart(
                host,
                with(
                        asPart("machines"),
                        "agent",
                        "--name",
                        "m" + number,
                        "--lease",
                        "4s",
                        "--data",
                        folder.resolve("m" + number).toString())));
    }

    private static String[] with(String[] last, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
    }

    private CellaProcess startPart(int host, String... arguments) {
        return CellaProcess.start(network.on(host), environment(), arguments);
    }

    private Map<String, String> environment() {
        return Map.of("XDG_DATA_HOME", folder.resolve("home").toString());
    }

    private static String url(int host) {
        return "https://" + SwitchedNetwork.address(host) + ":" + PORT;
    }

    private static String addresses() {
        return IntStream.rangeClosed(1, SERVERS).mapToObj(CellAcrossHosts::url).collect(Collectors.joining(","));
    }

    static int serverHost(String replica) {
        return Integer.parseInt(replica.substring(1));
    }

    static int agentHost(String machine) {
        return SERVERS + SCHEDULERS + Integer.parseInt(machine.substring(1));
    }

    private void write(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a job as {@code cella job run --wait} does, which must succeed once the cell has a leader that takes it. */
    void run(String name, String job) {
        write(name + ".json", job);
        String file = folder.resolve(name + ".json").toString();
        await().atMost(CellaProcess.PATIENCE)
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .untilAsserted(() -> operate("job", "run", file, "--wait", "--timeout", "2m"));
    }

    /** Types a command on the operator's host and gives what it prints. */
    String operate(String... arguments) {
        try (CellaProcess command = type(arguments)) {
            assertThat(command.awaitExit()).as(() -> command.output() + this).isZero();
            return command.output();
        }
    }

    private CellaProcess type(String... arguments) {
        Path token = firstToken().orElseThrow(() -> new AssertionError("no server has made a first token"));
        String[] access = {
            "--address", addresses(), "--ca", folder.resolve("tls/ca.pem").toString(), "--token", "@" + token
        };
        return CellaProcess.start(network.on(HOSTS), environment(), with(access, arguments));
    }

    String leader() {
        return json("status").path("leader").asText();
    }

    /**
     * The machine of each task of the job that holds something, in order, once the server that answers shows that many. One
     * that was cut off lacks the newest changes for a moment.
     */
    List<String> machinesOf(String job, int tasks) {
        return await().atMost(CellaProcess.PATIENCE)
                .until(() -> machinesOf(job, json("machine", "list")), machines -> machines.size() == tasks);
    }

    static List<String> machinesOf(String job, JsonNode list) {
        List<String> machines = new ArrayList<>();
        for (JsonNode machine : list.path("machines")) {
            for (JsonNode task : machine.path("tasks")) {
                if (task.asText().startsWith(job + "/")) {
                    machines.add(machine.path("name").asText());
                }
            }
        }
        return machines;
    }

    /** Looks on with one command, because each costs a JVM. It is typed again if it ended without an answer. */
    void awaitMachines(Predicate<JsonNode> wanted) {
        await().atMost(CellaProcess.PATIENCE).until(() -> {
            try (CellaProcess watching = type("machine", "list", "--watch", "-o", "json")) {
                await().atMost(CellaProcess.PATIENCE)
                        .until(() -> !watching.isAlive() || lists(watching).anyMatch(wanted));
                return lists(watching).anyMatch(wanted);
            }
        });
    }

    /** The lists that it has shown so far. In a pipe an empty line follows each list. */
    private static Stream<JsonNode> lists(CellaProcess watching) {
        return Stream.of(watching.output().split("\n\n", -1))
                .filter(list -> list.endsWith("\n}"))
                .map(CellAcrossHosts::parse);
    }

    static long count(JsonNode machines, String status) {
        return machines.findValuesAsText("status").stream()
                .filter(status::equals)
                .count();
    }

    JsonNode json(String... arguments) {
        return parse(operate(
                Stream.concat(Stream.of(arguments), Stream.of("-o", "json")).toArray(String[]::new)));
    }

    private static JsonNode parse(String said) {
        return OutsideClient.parse(said.substring(Math.max(0, said.indexOf('{'))));
    }

    /** What every part has said, for a test that failed. */
    @Override
    public String toString() {
        return parts.stream().map(CellaProcess::output).collect(Collectors.joining("\n----\n", "\n", ""));
    }

    @Override
    public void close() {
        for (int last = parts.size() - 1; last >= 0; last--) {
            parts.get(last).terminateOrKill();
        }
    }
}
