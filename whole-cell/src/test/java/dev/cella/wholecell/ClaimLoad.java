package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Callers that claim task after task, several per transaction, at any replica. A caller without an answer, or without a
 * leader, repeats the same request until it is answered. The load keeps all acknowledged claims, to search for them later.
 */
final class ClaimLoad implements AutoCloseable {
    private static final int CALLERS = 3;
    private static final int TASKS = 40_000;
    private static final int CLAIMS = 5;

    /** Callers that take no rest leave no processor to a replica that starts. */
    private static final long REST_MILLIS = 50;

    private static final int MACHINES = 4;
    private static final int CPU_MILLI = 10;
    private static final int CAPACITY = 1_000_000;

    private final ReplicatedCell cell;
    private final Map<Integer, JsonNode> acknowledged = new ConcurrentSkipListMap<>();
    private final List<String> surprises = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Caller> callers = new ArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CALLERS);

    /** Makes machines and a job whose scheduler is this load. */
    ClaimLoad(ReplicatedCell cell) {
        this.cell = cell;
        OutsideClient client = cell.client("r1");
        for (int machine = 0; machine < MACHINES; machine++) {
            client.put(
                    "/v1/machines/m-" + machine,
                    "{\"capacity\": {\"cpuMilli\": %d, \"memoryMib\": %d}}".formatted(CAPACITY, CAPACITY));
        }
        client.post("/v1/jobs", """
                {"name": "load", "type": "batch", "scheduler": "load",
                 "groups": [{"count": %d, "resources": {"cpuMilli": %d, "memoryMib": 1}, "run": {"command": ["true"]}}]}
                """.formatted(TASKS, CPU_MILLI));
    }

    /** Begins, or goes on after {@link #stop}. */
    void start() {
        stopped.set(false);
        while (callers.size() < CALLERS) {
            Caller caller = new Caller();
            callers.add(caller);
            var unused = threads.scheduleWithFixedDelay(caller, 0, REST_MILLIS, TimeUnit.MILLISECONDS);
        }
        callers.forEach(Caller::begin);
    }

    /** Asks for one claim until it is answered, then for the next one. One turn is one request. */
    private final class Caller implements Runnable {
        private int number = -1;
        private int attempt;
        private volatile boolean isDone;

        void begin() {
            isDone = false;
        }

        @Override
        public void run() {
            if (number < 0 || acknowledged.containsKey(number)) {
                if (stopped.get()) {
                    isDone = true;
                    return;
                }
                number = next.getAndIncrement();
                attempt = 0;
            }
            String replica = ReplicatedCell.NAMES.get((number + attempt++) % ReplicatedCell.NAMES.size());
            ask(replica, number).ifPresent(answer -> keep(number, answer));
        }
    }

    private Optional<HttpResponse<String>> ask(String replica, int number) {
        return cell.client(replica).tryToSend("POST", "/v1/transactions", transaction(number));
    }

    private static String transaction(int number) {
        String claims = IntStream.range(number * CLAIMS, (number + 1) * CLAIMS)
                .mapToObj(task ->
                        "{\"task\": \"load/main/%d\", \"machine\": \"m-%d\"}".formatted(task, number % MACHINES))
                .collect(Collectors.joining(", "));
        return "{\"id\": \"claim-%d\", \"scheduler\": \"load\", \"claims\": [%s]}".formatted(number, claims);
    }

    private void keep(int number, HttpResponse<String> answer) {
        if (answer.statusCode() == 200) {
            acknowledged.put(number, OutsideClient.parse(answer.body()));
        } else if (answer.statusCode() != 503) {
            surprise(answer.statusCode() + ": " + answer.body());
        }
    }

    private synchronized void surprise(String what) {
        surprises.add(what);
    }

    /** Waits until {@code count} further claims are acknowledged. */
    void awaitMore(int count) {
        int before = acknowledged.size();
        await().atMost(CellaProcess.PATIENCE).until(() -> acknowledged.size() >= before + count);
    }

    /** Waits for something that the load brings about. */
    void awaitUntil(Callable<Boolean> happened) {
        await().atMost(CellaProcess.PATIENCE).until(happened);
    }

    /** Every caller gets its answer first. */
    void stop() {
        stopped.set(true);
        callers.forEach(caller -> await().atMost(CellaProcess.PATIENCE).until(() -> caller.isDone));
    }

    /** No acknowledged claim is lost or doubled: the machines hold exactly what was acknowledged. */
    void assertKept() {
        assertNoSurprise();
        acknowledged.forEach(
                (number, outcome) -> assertThat(outcome.path("outcome").asText())
                        .as("claim %d: %s", number, outcome)
                        .isEqualTo("COMMITTED"));
        for (String replica : cell.running()) {
            JsonNode shown = shownAtTheNewest(replica);
            assertThat(shown.path("tasks").path("placed").asInt()).as(replica).isEqualTo(acknowledged.size() * CLAIMS);
            assertThat(shown.path("free").path("cpuMilli").asLong())
                    .as(replica)
                    .isEqualTo((long) MACHINES * CAPACITY - (long) acknowledged.size() * CLAIMS * CPU_MILLI);
        }
    }

    private JsonNode shownAtTheNewest(String replica) {
        HttpResponse<String> shown = cell.client(replica)
                .tryToSend("GET", "/v1/cell?wait=30s&minVersion=" + newest(), "")
                .orElseThrow();
        assertThat(shown.statusCode())
                .as(() -> replica + ": " + shown.body() + "\n" + cell)
                .isEqualTo(200);
        return OutsideClient.parse(shown.body());
    }

    /** Every caller got an outcome, or the answer that no replica leads at the moment. */
    synchronized void assertNoSurprise() {
        assertThat(surprises).isEmpty();
    }

    private long newest() {
        return acknowledged.values().stream()
                .mapToLong(outcome -> outcome.path("version").asLong())
                .max()
                .orElse(0);
    }

    /** A repeated request gets the first outcome, at any replica. */
    void assertARetryIsGivenTheFirstOutcome() {
        Map.Entry<Integer, JsonNode> first = acknowledged.entrySet().stream()
                .skip(acknowledged.size() / 2)
                .findFirst()
                .orElseThrow();
        for (String replica : cell.running()) {
            JsonNode again = OutsideClient.parse(cell.client(replica)
                    .awaitDecision("POST", "/v1/transactions", transaction(first.getKey()))
                    .body());
            assertThat(again.path("version"))
                    .as(replica)
                    .isEqualTo(first.getValue().path("version"));
            assertThat(again.path("outcome").asText()).isEqualTo("COMMITTED");
        }
    }

    /** Nobody waits for an answer any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
