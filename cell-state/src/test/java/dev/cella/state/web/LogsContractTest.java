package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceBlockingStub;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.state.web.RunningCell.Reply;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Output of tasks from a fake agent, which records its requests and answers as the test says. */
@Timeout(180)
class LogsContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    private static final BlockingQueue<String> ASKED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<HttpResponse> ANSWERS = new LinkedBlockingQueue<>();
    private static final Server AGENT = Server.builder()
            .serviceUnder("/", (context, request) -> answer(context))
            .build();

    /** The output of attempts that are searched on every machine, by path; empty if there is none. */
    private static final Map<String, String> KEPT = new ConcurrentHashMap<>();

    private static HttpResponse answer(ServiceRequestContext context) throws InterruptedException {
        if (KEPT.containsKey(context.path())) {
            String kept = KEPT.get(context.path());
            return kept.isEmpty()
                    ? HttpResponse.of(HttpStatus.NOT_FOUND)
                    : HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, kept);
        }
        ASKED.add(context.path() + "?" + context.query());
        return ANSWERS.take();
    }

    @BeforeAll
    static void aTaskIsPlacedOnTheAgentsMachine() {
        AGENT.start().join();
        register("m-agent", "http://127.0.0.1:" + AGENT.activeLocalPort());
        register("m-dead", "http://127.0.0.1:1");
        CELL.submit("logged", 2);
        CELL.place("logged-1", "logged/main/0", "m-agent", "logged/main/1", "m-dead");
    }

    @AfterAll
    static void agentStops() {
        AGENT.stop().join();
    }

    @Test
    void logs_areTheAgentsAsText() {
        ResponseHeaders headers = ResponseHeaders.builder(HttpStatus.OK)
                .contentType(MediaType.OCTET_STREAM)
                .add("cella-log-dropped-bytes", "7")
                .add("cella-log-limit-bytes", "1000")
                .add("cella-log-offset", "70")
                .add("cella-other", "1")
                .build();
        ANSWERS.add(HttpResponse.of(headers, HttpData.ofUtf8("task 0\n")));
        Reply logs = CELL.get("/v1/tasks/logged/main/0:logs?tail=10");
        long job = CELL.get("/v1/jobs/logged").json().get("submittedVersion").asLong();

        assertThat(logs.status()).isEqualTo(200);
        assertThat(logs.body()).isEqualTo("task 0\n");
        assertThat(logs.header("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(logs.header("cella-log-dropped-bytes")).isEqualTo("7");
        assertThat(logs.header("cella-log-limit-bytes")).isEqualTo("1000");
        assertThat(logs.header("cella-log-offset")).isEqualTo("70");
        assertThat(logs.header("cella-other")).isEmpty();
        assertThat(ASKED.remove()).isEqualTo("/v1/logs/m-agent/" + job + "/0/0/1?stream=stdout&follow=false&tail=10");
    }

    @Test
    void logs_followed_comeAsTheyAreWritten() throws Exception {
        HttpResponseWriter output = HttpResponse.streaming();
        ANSWERS.add(output);
        output.write(ResponseHeaders.of(HttpStatus.OK));
        output.write(HttpData.ofUtf8("first\n"));
        HttpRequest request = HttpRequest.newBuilder(
                        CELL.uri("/v1/tasks/logged/main/0:logs?follow=true&stream=both&attempt=1"))
                .build();
        try (InputStream logs = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .body()) {
            assertThat(text(logs.readNBytes(6))).isEqualTo("first\n");
            output.write(HttpData.ofUtf8("second\n"));
            assertThat(text(logs.readNBytes(7))).isEqualTo("second\n");
            output.close();
            assertThat(logs.read()).isEqualTo(-1);
        }
        assertThat(ASKED.remove()).endsWith("/1?stream=both&follow=true");
    }

    @Test
    void logs_thatTheAgentDoesNotHave_areNotFoundOrGone() {
        ANSWERS.add(HttpResponse.of(HttpStatus.NOT_FOUND));
        CELL.get("/v1/tasks/logged/main/0:logs").problem(404, "not-found");
        ANSWERS.add(HttpResponse.of(HttpStatus.GONE));
        CELL.get("/v1/tasks/logged/main/0:logs").problem(410, "gone");
        ANSWERS.add(HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR));
        CELL.get("/v1/tasks/logged/main/0:logs").problem(503, "unavailable");
        ASKED.clear();
    }

    @Test
    void logs_onAMachineThatDoesNotAnswer_nameTheMachine() {
        Reply logs = CELL.get("/v1/tasks/logged/main/1:logs");

        assertThat(logs.problem(503, "unavailable").get("detail").asText()).contains("m-dead");
        assertThat(logs.header("retry-after")).isNotEmpty();
    }

    @Test
    void logs_ofAnEarlierAttempt_areFoundOnTheMachineItRanOn() {
        register("m-later", "http://127.0.0.1:" + AGENT.activeLocalPort());
        firstAttemptFails("moved", "from the first");
        assertThat(CELL.get("/v1/tasks/moved/main/0:logs").body()).isEqualTo("from the first");

        placeOnLater("moved");
        keep("moved", 2, "m-later", "from the second");
        assertThat(CELL.get("/v1/tasks/moved/main/0:logs").body()).isEqualTo("from the second");
        assertThat(CELL.get("/v1/tasks/moved/main/0:logs?attempt=1").body()).isEqualTo("from the first");
    }

    @Test
    void logs_ofAnEarlierAttemptThatNoMachineHas_sayWhetherOneWasSilent() {
        register("m-later", "http://127.0.0.1:" + AGENT.activeLocalPort());
        firstAttemptFails("vanished", "");
        placeOnLater("vanished");

        // m-dead never answers.
        assertThat(CELL.get("/v1/tasks/vanished/main/0:logs?attempt=1")
                        .problem(503, "unavailable")
                        .get("detail")
                        .asText())
                .isEqualTo(
                        "No machine that answers has output of attempt 1 of task vanished/main/0, and m-dead does not answer");
    }

    @Test
    void machinesThatDoNotAnswer_areNamedUpToFive() {
        assertThat(LogsRoute.doNotAnswer(List.of("m-2", "m-1"))).isEqualTo("m-1, m-2 do not answer");
        assertThat(LogsRoute.doNotAnswer(List.of("m-7", "m-6", "m-5", "m-4", "m-3", "m-2", "m-1")))
                .isEqualTo("m-1, m-2, m-3, m-4, m-5 and 2 more do not answer");
    }

    @Test
    void logs_ofAnAttemptThatNeverWas_areNotFound_andTheHintSaysWhichThereWere() {
        assertThat(CELL.get("/v1/tasks/logged/main/0:logs?attempt=3")
                        .problem(404, "not-found")
                        .get("hint")
                        .asText())
                .isEqualTo("there was only 1");
        CELL.get("/v1/tasks/logged/main/0:logs?attempt=0").problem(404, "not-found");
    }

    /** The task printed this on one machine and now waits for a machine again. */
    private static void firstAttemptFails(String job, String printed) {
        String task = job + "/main/0";
        CELL.submit(job, 1);
        CELL.place(job + "-1", task, "m-agent");
        keep(job, 1, "m-agent", printed);
        CELL.post("/v1/tasks/" + task + ":status", "{\"attempt\": 1, \"state\": \"RUNNING\"}");
        CELL.post("/v1/tasks/" + task + ":status", "{\"attempt\": 1, \"state\": \"FAILED\", \"exitCode\": 7}");
        CELL.post("/v1/transactions", """
                {"id": "%1$s-again", "scheduler": "batch", "steps": [{"kind": "AGAIN", "task": "%2$s", "attempt": 1}]}""".formatted(job, task));
    }

    private static void placeOnLater(String job) {
        assertThat(CELL.place(job + "-2", job + "/main/0", "m-later")
                        .json()
                        .get("outcome")
                        .asText())
                .isEqualTo("COMMITTED");
    }

    /** One machine has that output of an attempt, the others have nothing. */
    private static void keep(String job, int attempt, String machine, String text) {
        long version =
                CELL.get("/v1/jobs/" + job).json().get("submittedVersion").asLong();
        for (String each : List.of("m-agent", "m-later")) {
            KEPT.put("/v1/logs/" + each + "/" + version + "/0/0/" + attempt, each.equals(machine) ? text : "");
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void register(String machine, String address) {
        Stubs.of(CELL.address(), AgentServiceBlockingStub.class)
                .register(RegisterRequest.newBuilder()
                        .setMachine(machine)
                        .setBootId("boot")
                        .setAddress(address)
                        .putCapacity("cpuMilli", 4000)
                        .putCapacity("memoryMib", 4096)
                        .setLease(Durations.fromSeconds(3600))
                        .build());
    }
}
