package dev.cella.wholecell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens and private keys of a closed cell, looked for in every file that it writes: its log and tables, a backup, the output of
 * its tasks. Also in its own output, in its answers, which are all that the console can export, and in what {@code ps} shows.
 * {@link ChaosAmongProcessesTest} looks into the reports of chaos.
 */
@Timeout(600)
class NothingSecretTest {
    /** The console's report for a post-mortem is made from the view and from the conflicts. */
    private static final List<String> ANSWERS = List.of(
            "/v1/tokens",
            "/v1/audit",
            "/v1/cell",
            "/v1/machines",
            "/v1/schedulers",
            "/v1/jobs/curious",
            "/v1/jobs/curious:explain",
            "/v1/tasks?job=curious",
            "/v1/conflicts?window=30m&groupBy=machine",
            "/v1/conflicts/ledger",
            "/metrics");

    /** A launcher: everybody may read a new file, unless the command says otherwise. */
    private static final List<String> USUAL_UMASK = List.of("sh", "-c", "umask 022; exec \"$@\"", "sh");

    @TempDir
    Path folder;

    @Test
    void tokens_areInNoFileButTheirOwn_andInNoOutput() throws IOException {
        Path data = folder.resolve("data");
        Path backup = folder.resolve("cell.backup");
        try (CellaProcess dev = cella("dev", "--data", data.toString(), "--port", "0")) {
            dev.awaitLine("^next:");
            String first = Files.readString(data.resolve("token")).strip();
            String address = dev.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
            OutsideClient client = new OutsideClient(address, first);
            String second = client.post("/v1/tokens", "{\"name\": \"second\", \"scopes\": [\"operate\"]}")
                    .path("secret")
                    .asText();
            OutsideClient asSecond = new OutsideClient(address, second);
            // A task may print everything that it was given.
            asSecond.post("/v1/jobs", Jobs.batch("curious", 1, "env"));
            await().atMost(CellaProcess.PATIENCE)
                    .until(() -> asSecond.get("/v1/jobs/curious")
                            .path("state")
                            .asText()
                            .equals("FINISHED"));
            assertThat(asSecond.text("/v1/tasks/curious/main/0:logs")).contains("CELLA_");
            try (CellaProcess command = CellaProcess.start(
                    USUAL_UMASK,
                    Map.of("XDG_DATA_HOME", home(), "CELLA_TOKEN", second),
                    "cell",
                    "backup",
                    "--address",
                    address,
                    backup.toString())) {
                assertThat(command.awaitExit()).as(command::output).isZero();
                assertNoneIn("the command's output", command.output(), first, second);
            }
            for (String path : ANSWERS) {
                assertNoneIn(path, client.text(path), first, second);
            }
            assertNoneIn("the arguments of its processes", arguments(dev), first, second);
            dev.terminate();
            assertNoneIn("its output", dev.output(), first, second);
            assertThat(backup).isNotEmptyFile();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
                    .isEqualTo("rw-------");
            assertNoneInFiles(Set.of(data.resolve("token")), first, second);
        }
    }

    @Test
    void privateKeys_areInNoFileButTheirOwn_andInNoOutput() throws IOException {
        Path tls = folder.resolve("tls");
        Path data = folder.resolve("data");
        run("tls", "init", tls.toString());
        Map<Path, String> keys = keys(tls);
        assertThat(keys).hasSize(4);
        String[] secrets = keys.values().toArray(String[]::new);
        try (CellaProcess server = cella("server", "--data", data.toString(), "--port", "0", "--tls", tls.toString())) {
            String address = server.awaitLine("(https://[^ ]+:\\d+)");
            await().atMost(CellaProcess.PATIENCE).until(() -> Files.exists(data.resolve("token")));
            String[] asOperator = {
                "--address", address, "--ca", tls.resolve("ca.pem").toString(), "--token", "@" + data.resolve("token")
            };
            List<List<String>> commands = List.of(
                    List.of("status"),
                    List.of("audit"),
                    List.of("token", "list"),
                    List.of("cell", "backup", folder.resolve("cell.backup").toString()));
            for (List<String> command : commands) {
                String output = run(
                        Stream.concat(command.stream(), Stream.of(asOperator)).toArray(String[]::new));
                assertNoneIn(command + "'s output", output, secrets);
            }
            assertNoneIn("the arguments of its processes", arguments(server), secrets);
            server.terminate();
            assertNoneIn("its output", server.output(), secrets);
            assertNoneInFiles(keys.keySet(), secrets);
        }
    }

    /** Each file with a private key, and the longest line of the key. */
    private static Map<Path, String> keys(Path tls) throws IOException {
        Map<Path, String> keys = new HashMap<>();
        try (Stream<Path> files = Files.list(tls)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".key")).toList()) {
                keys.put(file, Collections.max(Files.readAllLines(file), Comparator.comparingInt(String::length)));
            }
        }
        return keys;
    }

    private String run(String... arguments) {
        try (CellaProcess command = cella(arguments)) {
            assertThat(command.awaitExit()).as(command::output).isZero();
            return command.output();
        }
    }

    private static String arguments(CellaProcess process) throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")));
        for (ProcessHandle child : process.descendants()) {
            Path its = Path.of("/proc/" + child.pid() + "/cmdline");
            all.append(Files.exists(its) ? Files.readString(its) : "");
        }
        return all.toString();
    }

    private void assertNoneInFiles(Set<Path> but, String... secrets) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> all = files.filter(Files::isRegularFile)
                    .filter(file -> !but.contains(file))
                    .toList();
            assertThat(all).hasSizeGreaterThan(10);
            for (Path file : all) {
                assertNoneIn(file.toString(), new String(Files.readAllBytes(file), ISO_8859_1), secrets);
            }
        }
    }

    private static void assertNoneIn(String where, String text, String... secrets) {
        for (String secret : secrets) {
            assertThat(secret).hasSizeGreaterThan(40);
            assertThat(text.contains(secret)).as("%s has a secret", where).isFalse();
        }
    }

    private String home() {
        return folder.resolve("home").toString();
    }

    private CellaProcess cella(String... arguments) {
        return CellaProcess.start(Map.of("XDG_DATA_HOME", home()), arguments);
    }
}
