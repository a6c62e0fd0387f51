package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client that claims two tasks a transaction, one transaction after another. A transaction without a clear answer is sent
 * again with the same id until it has one.
 */
final class ClaimingLoad implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CLAIMS = 2;
    private static final String JOB = """
        {"name": "load", "type": "batch", "groups": [
         {"count": 100000, "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["true"]}}]}\
        """;

    private final OperatedCell cell;
    private final List<Integer> acknowledged = new CopyOnWriteArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "load");
    private volatile int next;

    ClaimingLoad(OperatedCell cell) {
        this.cell = cell;
    }

    void start() {
        cell.decided("PUT", "/v1/machines/m", "{\"capacity\": {\"cpuMilli\": 1000000, \"memoryMib\": 1000000}}");
        await().atMost(OperatedCell.SOON)
                .until(() -> cell.send("POST", "/v1/jobs", JOB)
                        .filter(answer -> answer.statusCode() == 201 || answer.statusCode() == 409)
                        .isPresent());
        thread.start();
    }

    private void run() {
        while (!stopped.get()) {
            int number = next;
            String answer = "";
            while (!answer.contains("COMMITTED")) {
                answer = commit(number)
                        .filter(it -> it.statusCode() == 200)
                        .map(HttpResponse::body)
                        .orElse("");
            }
            acknowledged.add(number);
            next = number + 1;
        }
    }

    private Optional<HttpResponse<String>> commit(int number) {
        StringBuilder claims = new StringBuilder();
        for (int claim = 0; claim < CLAIMS; claim++) {
            claims.append(claim == 0 ? "" : ", ")
                    .append("{\"task\": \"load/main/%d\", \"machine\": \"m\"}".formatted(CLAIMS * number + claim));
        }
        return cell.send(
                "POST",
                "/v1/transactions",
                "{\"id\": \"t-%d\", \"scheduler\": \"batch\", \"claims\": [%s]}".formatted(number, claims));
    }

    void awaitMore(int transactions) {
        int before = acknowledged.size();
        await().atMost(OperatedCell.SOON).until(() -> acknowledged.size() >= before + transactions);
    }

    List<Integer> acknowledged() {
        return new ArrayList<>(acknowledged);
    }

    /** Begins nothing more. The last transaction has an answer afterwards. */
    void stop() {
        stopped.set(true);
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every acknowledged transaction is in that cell, and nothing else of the load is: nothing is lost or done twice. */
    void assertExactly(OperatedCell shown, List<Integer> transactions) throws IOException {
        List<String> placed = new ArrayList<>();
        String page = "";
        do {
            JsonNode tasks =
                    JSON.readTree(shown.decided("GET", "/v1/tasks?job=load&state=PLACED&limit=1000" + page, ""));
            tasks.get("tasks")
                    .forEach(task -> placed.add(task.get("task").asText() + " "
                            + task.get("transaction").asText() + " "
                            + task.get("attempt").asInt()));
            page = tasks.hasNonNull("nextPageToken")
                    ? "&pageToken=" + tasks.get("nextPageToken").asText()
                    : "";
        } while (!page.isEmpty());
        List<String> wanted = new ArrayList<>();
        for (int number : transactions) {
            for (int claim = 0; claim < CLAIMS; claim++) {
                wanted.add("load/main/%d t-%d 1".formatted(CLAIMS * number + claim, number));
            }
        }
        assertThat(placed).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** A repeated transaction is not decided again: it gets its first outcome, or a restore has forgotten that one. */
    void assertDecidedOnce(int number) throws IOException {
        String first = decision(number);
        assertThat(decision(number)).isEqualTo(first);
    }

    private String decision(int number) throws IOException {
        JsonNode outcome = JSON.readTree(commit(number).map(HttpResponse::body).orElse(""));
        String reason = outcome.path("reason").asText();
        return reason.equals("OTHER_INCARNATION") ? reason : "version " + outcome.path("version");
    }

    @Override
    public void close() {
        stop();
    }
}
