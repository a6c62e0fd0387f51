package dev.cella.bench.peer;

import dev.cella.state.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three members of etcd. Requests go to the leader's gateway for HTTP and JSON, which costs it more than gRPC would.
 */
final class Etcd implements Peer {
    private final PeerProcesses processes = new PeerProcesses("etcd");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI leader;

    Etcd(String program) throws IOException, InterruptedException {
        try {
            List<Integer> ports = FreePorts.find(2 * PeerProcesses.MEMBERS, new SecureRandom());
            String cluster = IntStream.range(0, PeerProcesses.MEMBERS)
                    .mapToObj(member -> "e" + member + "=" + address(ports.get(PeerProcesses.MEMBERS + member)))
                    .collect(Collectors.joining(","));
            for (int member = 0; member < PeerProcesses.MEMBERS; member++) {
                URI clients = address(ports.get(member));
                URI peers = address(ports.get(PeerProcesses.MEMBERS + member));
                processes.start("e" + member, command(program, "e" + member, clients, peers, cluster));
            }
            List<URI> members = ports.subList(0, PeerProcesses.MEMBERS).stream()
                    .map(Etcd::address)
                    .toList();
            processes.await("a leader of etcd", () -> members.stream().anyMatch(this::leads));
            leader = members.stream().filter(this::leads).findFirst().orElseThrow();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            processes.close();
            throw failure;
        }
    }

    private static URI address(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    private List<String> command(String program, String name, URI clients, URI peers, String cluster) {
        List<String> command = new ArrayList<>(List.of(program, "--name", name, "--log-level", "error"));
        command.addAll(List.of("--data-dir", processes.folder().resolve(name).toString()));
        command.addAll(List.of("--listen-client-urls", clients.toString()));
        command.addAll(List.of("--advertise-client-urls", clients.toString()));
        command.addAll(List.of("--listen-peer-urls", peers.toString()));
        command.addAll(List.of("--initial-advertise-peer-urls", peers.toString()));
        command.addAll(List.of("--initial-cluster", cluster));
        return command;
    }

    /** A member says who it is and who leads. */
    private boolean leads(URI member) {
        String status = post(member, "/v3/maintenance/status", "{}")
                .exceptionally(silent -> "")
                .join();
        String self = field(status, "\"member_id\":\"");
        return !self.isEmpty() && self.equals(field(status, "\"leader\":\""));
    }

    private static String field(String json, String key) {
        int from = json.indexOf(key);
        return from < 0 ? "" : json.substring(from + key.length(), json.indexOf('"', from + key.length()));
    }

    private CompletableFuture<String> post(URI member, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(member.resolve(path))
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(answer -> answer.body());
    }

    @Override
    public CompletableFuture<Boolean> place(List<String> tasks) {
        return transaction(
                joined(tasks, "{\"key\":\"%1$s\",\"target\":\"CREATE\",\"create_revision\":\"0\"}"),
                joined(tasks, "{\"requestPut\":{\"key\":\"%1$s\",\"value\":\"%1$s\"}}"));
    }

    @Override
    public CompletableFuture<Boolean> release(List<String> tasks) {
        return transaction("", joined(tasks, "{\"requestDeleteRange\":{\"key\":\"%1$s\"}}"));
    }

    private static String joined(List<String> tasks, String form) {
        return tasks.stream()
                .map(task -> Base64.getEncoder().encodeToString(task.getBytes(StandardCharsets.US_ASCII)))
                .map(form::formatted)
                .collect(Collectors.joining(","));
    }

    private CompletableFuture<Boolean> transaction(String compare, String success) {
        return post(leader, "/v3/kv/txn", "{\"compare\":[" + compare + "],\"success\":[" + success + "]}")
                .thenApply(answer -> answer.contains("\"succeeded\":true"));
    }

    @Override
    public Duration cpu() {
        return processes.cpu();
    }

    @Override
    public void close() throws IOException {
        processes.close();
    }
}
