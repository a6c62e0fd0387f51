package dev.cella.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.json.Fault;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.AddMemberRequest;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.FeedQuery;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReadyMachineRequest;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.client.proto.RemoveMemberRequest;
import dev.cella.client.proto.ReplaceMemberRequest;
import dev.cella.client.proto.ReplayConflictsRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.TransferLeadRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCellTest {
    private static final String JSON = "application/json";
    private static final MediaType PROBLEM = MediaType.parse("application/problem+json");

    private static final java.time.Duration MILLIS_50 = java.time.Duration.ofMillis(50);
    private static final java.time.Duration HOUR = java.time.Duration.ofHours(1);
    private static final java.time.Duration SECONDS_5 = java.time.Duration.ofSeconds(5);

    private static final HttpCellOptions WITHOUT_PATIENCE =
            new HttpCellOptions(SECONDS_5, java.time.Duration.ofSeconds(30));

    private static ScriptedServer server;
    private static HttpCell cell;

    @BeforeAll
    static void start() {
        server = new ScriptedServer(HttpCellTest::emptyObject);
        cell = new HttpCell(server.address());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse emptyObject() {
        return HttpResponse.of(HttpStatus.OK, MediaType.JSON, "{}");
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call(HttpCell::getCell, "GET /v1/cell "),
                call(
                        cell -> cell.getCell(GetCellRequest.newBuilder()
                                .setMinVersion(7)
                                .setWait(Duration.newBuilder().setSeconds(1))
                                .build()),
                        "GET /v1/cell?minVersion=7&wait=1s "),
                call(
                        cell -> cell.listMachines(ListMachinesRequest.newBuilder()
                                .addState(MachineStatus.MACHINE_STATUS_READY)
                                .addState(MachineStatus.MACHINE_STATUS_DOWN)
                                .build()),
                        "GET /v1/machines?state=READY%2CDOWN "),
                call(
                        cell -> cell.getMachine(
                                GetMachineRequest.newBuilder().setName("m-1").build()),
                        "GET /v1/machines/m-1 "),
                call(
                        cell -> cell.getMachine(GetMachineRequest.newBuilder()
                                .setName("a b/c?\u00fc")
                                .build()),
                        "GET /v1/machines/a%20b%2Fc%3F%C3%BC "),
                call(
                        cell -> cell.putMachine(PutMachineRequest.newBuilder()
                                .setName("m-1")
                                .putCapacity("cpuMilli", 4000)
                                .build()),
                        "PUT /v1/machines/m-1 " + JSON
                                + " {\"name\":\"m-1\",\"capacity\":{\"cpuMilli\":4000},\"attributes\":{}}"),
                call(
                        cell -> cell.drainMachine(DrainMachineRequest.newBuilder()
                                .setName("m-1")
                                .setTasks("keep")
                                .build()),
                        "POST /v1/machines/m-1:drain " + JSON + " {\"name\":\"m-1\",\"tasks\":\"keep\"}"),
                call(
                        cell -> cell.readyMachine(
                                ReadyMachineRequest.newBuilder().setName("m-1").build()),
                        "POST /v1/machines/m-1:ready " + JSON + " {\"name\":\"m-1\"}"),
                call(
                        cell -> cell.removeMachine(RemoveMachineRequest.newBuilder()
                                .setName("m-1")
                                .setForce(true)
                                .build()),
                        "DELETE /v1/machines/m-1?force=true " + JSON + " "),
                call(
                        cell -> cell.submitJob(Job.newBuilder().setName("a").build()),
                        "POST /v1/jobs " + JSON + " {\"name\":\"a\",\"labels\":{},\"groups\":[]}"),
                call(
                        cell -> cell.listJobs(ListJobsRequest.newBuilder()
                                .setScheduler("batch")
                                .setLimit(3)
                                .build()),
                        "GET /v1/jobs?limit=3&scheduler=batch "),
                call(cell -> cell.getJob(GetJobRequest.newBuilder().setName("a").build()), "GET /v1/jobs/a "),
                call(
                        cell -> cell.stopJob(
                                StopJobRequest.newBuilder().setName("a").build()),
                        "DELETE /v1/jobs/a " + JSON + " "),
                call(
                        cell -> cell.stopJob(StopJobRequest.newBuilder()
                                .setName("a")
                                .setGrace(Duration.newBuilder().setSeconds(90))
                                .build()),
                        "DELETE /v1/jobs/a?grace=1m30s " + JSON + " "),
                call(
                        cell -> cell.listTasks(
                                ListTasksRequest.newBuilder().setJob("a").build()),
                        "GET /v1/tasks?job=a "),
                call(
                        cell -> cell.getTask(GetTaskRequest.newBuilder()
                                .setJob("a")
                                .setGroup("main")
                                .build()),
                        "GET /v1/tasks/a/main/0 "),
                call(
                        cell -> cell.reportTask(ReportTaskRequest.newBuilder()
                                .setJob("a")
                                .setGroup("main")
                                .setIndex(2)
                                .setAttempt(1)
                                .setState(TaskState.TASK_STATE_FINISHED)
                                .setExitCode(0)
                                .build()),
                        "POST /v1/tasks/a/main/2:status " + JSON
                                + " {\"job\":\"a\",\"group\":\"main\",\"index\":2,\"attempt\":1,\"state\":\"FINISHED\",\"exitCode\":0}"),
                call(
                        cell -> cell.commit(TransactionRequest.newBuilder()
                                .setId("t")
                                .setScheduler("s")
                                .build()),
                        "POST /v1/transactions " + JSON
                                + " {\"id\":\"t\",\"scheduler\":\"s\",\"seesOwn\":false,\"dryRun\":false,\"claims\":[],"
                                + "\"evictions\":[],\"holds\":[]}"),
                call(
                        cell -> cell.openSession(OpenSessionRequest.newBuilder()
                                .setName("s")
                                .setInstance("i-1")
                                .setSession(7)
                                .build()),
                        "PUT /v1/schedulers/s/sessions/i-1 " + JSON
                                + " {\"name\":\"s\",\"instance\":\"i-1\",\"session\":7}"),
                call(
                        cell -> cell.closeSession(CloseSessionRequest.newBuilder()
                                .setName("s")
                                .setInstance("i-1")
                                .build()),
                        "DELETE /v1/schedulers/s/sessions/i-1 " + JSON + " "));
    }

    private static Arguments call(Consumer<HttpCell> call, String asked) {
        return Arguments.of(call, asked);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void call_isAskedAsTheContractSays(Consumer<HttpCell> call, String asked) {
        server.answerWith(HttpCellTest::emptyObject);
        server.asked().clear();

        call.accept(cell);

        assertThat(server.asked()).containsExactly(asked);
    }

    @Test
    void problem_isThrownAsTheServerSaidIt() {
        Problem sent =
                Problem.badRequest(List.of(Fault.of("name", "is required"))).withHint("name it");
        server.answerWith(() -> HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.BAD_REQUEST)
                        .contentType(PROBLEM)
                        .add("Retry-After", "3")
                        .build(),
                HttpData.ofUtf8(new JsonCodec().write(sent.toMessage()))));

        Problem problem = catchThrowableOfType(Problem.class, cell::getCell);

        assertThat(problem.toMessage()).isEqualTo(sent.toMessage());
        assertThat(problem.retryAfter()).contains(java.time.Duration.ofSeconds(3));
    }

    @Test
    void error_withoutADocument_isAProblemOfItsStatus() {
        server.answerWith(() -> HttpResponse.of(HttpStatus.BAD_GATEWAY, MediaType.HTML_UTF_8, "<h1>proxy</h1>"));

        Problem problem = catchThrowableOfType(Problem.class, cell::getCell);

        assertThat(problem.type()).isEqualTo(ProblemType.UNAVAILABLE);
        assertThat(problem.detail()).endsWith("answered with status 502");
    }

    @Test
    void answer_thatIsNoJson_isNoCell() {
        server.answerWith(() -> HttpResponse.of(HttpStatus.OK, MediaType.HTML_UTF_8, "<h1>hello</h1>"));

        assertThatThrownBy(cell::getCell)
                .isInstanceOf(CellUnreachable.class)
                .hasMessage("no cell answers at " + server.address() + ": something else than a cell answers there");
    }

    @Test
    void closedPort_isUnreachable() {
        URI address = URI.create("http://127.0.0.1:1");

        CellUnreachable unreachable =
                catchThrowableOfType(CellUnreachable.class, () -> new HttpCell(address).getCell());

        assertThat(unreachable.address()).isEqualTo(address);
        assertThat(unreachable).hasMessage("no cell answers at " + address + ": nothing listens there");
    }

    @Test
    void unknownHost_isUnreachable() {
        URI address = URI.create("http://nosuch.invalid:7070");

        assertThatThrownBy(new HttpCell(address)::getCell)
                .isInstanceOf(CellUnreachable.class)
                .hasMessage("no cell answers at " + address + ": there is no host nosuch.invalid");
    }

    @ParameterizedTest
    @MethodSource("changes")
    void change_whoseConnectionBreaks_isSentOnce(Consumer<HttpCell> change) throws Exception {
        AtomicInteger connections = new AtomicInteger();
        Thread server;
        try (ServerSocket deaf = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            server = new Thread(() -> hangUpOnAll(deaf, connections));
            server.start();
            HttpCell away = new HttpCell(URI.create("http://127.0.0.1:" + deaf.getLocalPort()));

            CellUnreachable broken = catchThrowableOfType(CellUnreachable.class, () -> change.accept(away));
            assertThat(broken).hasMessageEndingWith("the connection broke");
            assertThat(broken.hint()).startsWith("the cell may have done it all the same: see what there is now");
        }
        server.join();
        assertThat(connections).hasValue(1);
    }

    static Stream<Arguments> changes() {
        return calls().filter(call -> !String.valueOf(call.get()[1]).startsWith("GET "));
    }

    /** Reads the head of each request, and ends the connection without a word. */
    private static void hangUpOnAll(ServerSocket server, AtomicInteger connections) {
        while (true) {
            try (Socket connection = server.accept()) {
                connections.incrementAndGet();
                readHead(connection);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void readHead(Socket connection) throws IOException {
        BufferedReader head =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        head.lines().takeWhile(line -> !line.isEmpty()).forEach(line -> {});
    }

    /** The JDK's client throws away the body of such a refusal. */
    @Test
    void change_thatIsUnauthorized_isAProblem() {
        server.answerWith(() -> HttpResponse.of(HttpStatus.UNAUTHORIZED, PROBLEM, "{}"));

        Problem problem = catchThrowableOfType(
                Problem.class,
                () -> cell.putMachine(
                        PutMachineRequest.newBuilder().setName("m").build()));

        assertThat(problem.type()).isEqualTo(ProblemType.UNAUTHORIZED);
        assertThat(problem.detail()).isEqualTo(server.address() + " got no token, or one that it does not take");
        assertThat(problem.hint()).get().asString().contains("CELLA_TOKEN");
    }

    /** A server that is killed in the middle of an answer. An empty body would be read as an answer of defaults. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{\"version\": \"7\"}"})
    void answer_thatIsCutOff_isUnreachable(String arrived) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n";
        try (ServerSocket dying = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerOnce(dying, head + arrived));
            server.start();
            HttpCell cut = new HttpCell(URI.create("http://127.0.0.1:" + dying.getLocalPort()));

            assertThatThrownBy(cut::getCell)
                    .isInstanceOf(CellUnreachable.class)
                    .hasMessageEndingWith("the connection broke");
            server.join();
        }
    }

    private static void answerOnce(ServerSocket server, String answer) {
        try (Socket connection = server.accept()) {
            readHead(connection);
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Test
    void redirect_isNotFollowed() {
        server.answerWith(() -> HttpResponse.ofRedirect("/elsewhere"));
        server.asked().clear();

        Problem problem = catchThrowableOfType(Problem.class, cell::getCell);

        assertThat(problem.detail()).endsWith("answered with status 307");
        assertThat(server.asked()).containsExactly("GET /v1/cell ");
    }

    @Test
    void silence_isUnreachable() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            HttpCell impatient = new HttpCell(
                    URI.create("http://127.0.0.1:" + silent.getLocalPort()), new HttpCellOptions(SECONDS_5, MILLIS_50));

            CellUnreachable silence = catchThrowableOfType(CellUnreachable.class, impatient::getCell);
            assertThat(silence).hasMessageEndingWith("no answer in time");
            assertThat(silence.hint()).startsWith("it may be stopped, or have too much to do");
        }
    }

    /** A server looks for half a minute whether a new replica opens its log. */
    @ParameterizedTest
    @MethodSource("longCalls")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void callForWhichAServerWorksLong_hasItsOwnTimeOut(Consumer<HttpCell> call) throws IOException {
        HttpCellOptions options = new HttpCellOptions(SECONDS_5, HOUR, MILLIS_50, HOUR, java.time.Duration.ZERO);
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            HttpCell impatient = new HttpCell(URI.create("http://127.0.0.1:" + silent.getLocalPort()), options);

            assertThatThrownBy(() -> call.accept(impatient)).hasMessageEndingWith("no answer in time");
        }
    }

    static Stream<Consumer<HttpCell>> longCalls() {
        return Stream.of(
                cell -> cell.addMember(AddMemberRequest.getDefaultInstance()),
                cell -> cell.removeMember(
                        RemoveMemberRequest.newBuilder().setName("r1").build()),
                cell -> cell.replaceMember(
                        ReplaceMemberRequest.newBuilder().setName("r1").build()),
                cell -> cell.transferLead(
                        TransferLeadRequest.newBuilder().setName("r1").build()),
                cell -> cell.replayConflicts(ReplayConflictsRequest.getDefaultInstance()));
    }

    /** The host of a server may lose its power, and then nothing ends the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none\n"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void stream_thatBringsNothing_ends(String arrived) throws Exception {
        HttpCellOptions options = new HttpCellOptions(SECONDS_5, HOUR, HOUR, MILLIS_50, java.time.Duration.ZERO);
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CountDownLatch read = new CountDownLatch(1);
            Thread server = new Thread(() -> answerAndStay(silent, arrived, read));
            server.setDaemon(true);
            server.start();
            HttpCell impatient = new HttpCell(URI.create("http://127.0.0.1:" + silent.getLocalPort()), options);

            assertThatThrownBy(() -> impatient.backup().readAllBytes())
                    .isInstanceOfAny(CellUnreachable.class, SocketTimeoutException.class);
            read.countDown();
            server.join();
        }
    }

    private static void answerAndStay(ServerSocket server, String answer, CountDownLatch read) {
        try (Socket connection = server.accept()) {
            readHead(connection);
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            read.await();
        } catch (IOException | InterruptedException gone) {
            throw new AssertionError(gone);
        }
    }

    @Test
    void interrupt_endsTheNextCallAndStaysSet() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            HttpCell ofItsOwn = new HttpCell(URI.create("http://127.0.0.1:" + silent.getLocalPort()));
            Thread.currentThread().interrupt();

            assertThatThrownBy(ofItsOwn::getCell).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void taskLogs_comeAsTheyWereWritten() throws IOException {
        server.answerWith(() -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT, "one\r\ntwo"));
        server.asked().clear();
        LogsQuery query = LogsQuery.newBuilder()
                .setJob("a")
                .setGroup("main")
                .setIndex(1)
                .setStream(LogStream.LOG_STREAM_BOTH)
                .setTail(10)
                .setFollow(true)
                .build();

        try (TaskOutput log = cell.taskLogs(query)) {
            assertThat(new String(log.bytes().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("one\r\ntwo");
            assertThat(log.droppedBytes()).isZero();
            assertThat(log.offset()).isZero();
        }
        assertThat(server.asked()).containsExactly("GET /v1/tasks/a/main/1:logs?stream=both&tail=10&follow=true ");
    }

    @Test
    void taskLogs_beginWhereTheAgentSays_orAfterWhatWasDropped() throws IOException {
        LogsQuery query = LogsQuery.newBuilder().setJob("a").setGroup("main").build();
        ResponseHeaders dropped = ResponseHeaders.of(HttpStatus.OK, "cella-log-dropped-bytes", "7");
        server.answerWith(() -> HttpResponse.of(dropped));
        try (TaskOutput log = cell.taskLogs(query)) {
            assertThat(log.offset()).isEqualTo(7);
        }

        ResponseHeaders said = dropped.toBuilder().add("cella-log-offset", "70").build();
        server.answerWith(() -> HttpResponse.of(said));
        try (TaskOutput log = cell.taskLogs(query)) {
            assertThat(log.droppedBytes()).isEqualTo(7);
            assertThat(log.offset()).isEqualTo(70);
        }
    }

    @Test
    void taskLogs_thatDoNotExist_areAProblem() {
        String body = new JsonCodec()
                .write(Problem.notFound("a/main/0 has not started").toMessage());
        server.answerWith(() -> HttpResponse.of(HttpStatus.NOT_FOUND, PROBLEM, body));

        assertThatThrownBy(() -> cell.taskLogs(
                        LogsQuery.newBuilder().setJob("a").setGroup("main").build()))
                .isInstanceOf(Problem.class)
                .hasMessage("a/main/0 has not started");
    }

    @Test
    void feed_isReadEventByEvent() {
        server.answerWith(() -> HttpResponse.of(HttpStatus.OK, MediaType.EVENT_STREAM, """
                : a comment

                id: 812
                event: change
                data: {"version": 812,
                data:  "changes": []}

                event:heartbeat
                data:{}

                id: 813
                event: cut off"""));
        server.asked().clear();

        try (FeedEvents events =
                cell.feed(FeedQuery.newBuilder().setFrom(811).setJob("a").build())) {
            assertThat(events.next())
                    .contains(new FeedEvent(Optional.of("812"), "change", "{\"version\": 812,\n \"changes\": []}"));
            assertThat(events.next()).contains(new FeedEvent(Optional.empty(), "heartbeat", "{}"));
            assertThat(events.next()).isEmpty();
        }
        assertThat(server.asked()).containsExactly("GET /v1/feed?from=811&job=a ");
    }

    /** A replica on an empty directory says so until the cell takes it. */
    @Test
    void serverWithoutALeader_theNextCallAsksTheNextServer() {
        server.answerWith(HttpCellTest::emptyObject);
        try (ScriptedServer other = new ScriptedServer(() -> refusal(ProblemType.NO_LEADER))) {
            HttpCell both =
                    new HttpCell(new CellAddresses(List.of(other.address(), server.address())), WITHOUT_PATIENCE);
            assertThatThrownBy(both::getCell).isInstanceOf(Problem.class);
            assertThat(both.getCell()).isEqualTo(CellSummary.getDefaultInstance());
        }
    }

    @Test
    void serverThatWaitsForALeader_isAskedAgain() {
        AtomicInteger left = new AtomicInteger(2);
        server.answerWith(() -> left.getAndDecrement() > 0 ? refusal(ProblemType.NO_LEADER) : emptyObject());
        assertThat(new HttpCell(server.address()).getCell()).isEqualTo(CellSummary.getDefaultInstance());
    }

    /** The others name it until they have elected another one. */
    @Test
    void leaderThatIsGone_othersAreAskedAgain() throws IOException {
        URI gone = unusedAddress();
        AtomicInteger left = new AtomicInteger(4);
        server.answerWith(() -> left.getAndDecrement() > 0 ? namingLeader(gone) : emptyObject());
        HttpCell both = new HttpCell(new CellAddresses(List.of(gone, server.address())));
        assertThat(both.getCell()).isEqualTo(CellSummary.getDefaultInstance());
    }

    @Test
    void leaderThatIsGone_withoutPatience_saysThatThereIsNone() throws IOException {
        URI gone = unusedAddress();
        server.answerWith(() -> namingLeader(gone));
        HttpCell both = new HttpCell(new CellAddresses(List.of(gone, server.address())), WITHOUT_PATIENCE);
        assertThatThrownBy(both::getCell)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.type()).isEqualTo(ProblemType.NO_LEADER));
    }

    private static URI unusedAddress() throws IOException {
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + reserved.getLocalPort());
        }
    }

    private static HttpResponse namingLeader(URI leader) {
        return HttpResponse.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                PROBLEM,
                "{\"type\": \"%s\", \"detail\": \"waits\", \"leader\": \"%s\"}"
                        .formatted(ProblemType.NO_LEADER.address(), leader));
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_FOUND", "CONFLICT"})
    void change_thatIsRefusedWhenItIsRepeated_saysThatItMayBeDone(ProblemType type) {
        AtomicInteger left = new AtomicInteger(1);
        server.answerWith(() ->
                left.getAndDecrement() > 0 ? refusal(ProblemType.NO_LEADER) : refusal(type, ", \"hint\": \"look\""));

        Problem problem = catchThrowableOfType(Problem.class, HttpCellTest::removeMachine);

        assertThat(problem.type()).isEqualTo(type);
        assertThat(problem.hint())
                .hasValue("the answer to an earlier try may be lost, and that try may have done it:"
                        + " see what there is now; look");
    }

    @Test
    void change_thatIsRefusedAtOnce_isNotDone() {
        server.answerWith(() -> refusal(ProblemType.NOT_FOUND));

        assertThat(catchThrowableOfType(Problem.class, HttpCellTest::removeMachine)
                        .hint())
                .isEmpty();
    }

    @Test
    void question_thatIsRefusedWhenItIsRepeated_changedNothing() {
        AtomicInteger left = new AtomicInteger(1);
        server.answerWith(() -> refusal(left.getAndDecrement() > 0 ? ProblemType.NO_LEADER : ProblemType.NOT_FOUND));

        assertThat(catchThrowableOfType(Problem.class, cell::getCell).hint()).isEmpty();
    }

    private static void removeMachine() {
        cell.removeMachine(RemoveMachineRequest.newBuilder().setName("m-1").build());
    }

    /** A replica that was cut off is behind for a while. */
    @Test
    void serverThatIsBehind_anotherOneIsAskedAtOnce() {
        HttpResponse behind = refusal(ProblemType.VERSION_NOT_REACHED);
        server.answerWith(HttpCellTest::emptyObject);
        try (ScriptedServer other = new ScriptedServer(() -> behind)) {
            HttpCell both = new HttpCell(new CellAddresses(List.of(other.address(), server.address())));
            assertThat(both.getCell()).isEqualTo(CellSummary.getDefaultInstance());
        }
    }

    @Test
    void serversThatAreAllBehind_sayItAfterOneQuestionEach() {
        server.asked().clear();
        server.answerWith(() -> refusal(ProblemType.VERSION_NOT_REACHED));
        try (ScriptedServer other = new ScriptedServer(() -> refusal(ProblemType.VERSION_NOT_REACHED))) {
            HttpCell both = new HttpCell(new CellAddresses(List.of(other.address(), server.address())));
            assertThatThrownBy(both::getCell)
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem -> assertThat(problem.type()).isEqualTo(ProblemType.VERSION_NOT_REACHED));
            assertThat(other.asked()).containsExactly("GET /v1/cell ");
            assertThat(server.asked()).containsExactly("GET /v1/cell ");
        }
    }

    /** The client follows a server's word to a leader that it was not given, and that one is restarted later. */
    @Test
    void leaderThatIsNoneOfTheAddresses_isLeftWhenItIsGone() {
        HttpCell one = new HttpCell(server.address());
        try (ScriptedServer leader = new ScriptedServer(HttpCellTest::emptyObject)) {
            server.answerWith(() -> namingLeader(leader.address()));
            assertThat(one.getCell()).isEqualTo(CellSummary.getDefaultInstance());
            assertThat(one.address()).isEqualTo(leader.address());
        }
        server.answerWith(HttpCellTest::emptyObject);

        assertThat(one.getCell()).isEqualTo(CellSummary.getDefaultInstance());
        assertThat(one.address()).isEqualTo(server.address());
    }

    /** The first server is killed in the middle of an answer, or it is paused and says nothing in time. */
    @Test
    void serverThatBreaksOff_isLeft_andAReadIsAskedElsewhere() throws Exception {
        server.answerWith(HttpCellTest::emptyObject);
        server.asked().clear();
        besideAServerThatBreaksOff(both -> {
            assertThat(both.getCell()).isEqualTo(CellSummary.getDefaultInstance());
            assertThat(both.address()).isEqualTo(server.address());
        });
        assertThat(server.asked()).containsExactly("GET /v1/cell ");
    }

    @Test
    void serverThatBreaksOff_isLeft_butAChangeIsSentOnce() throws Exception {
        server.answerWith(HttpCellTest::emptyObject);
        server.asked().clear();
        PutMachineRequest change = PutMachineRequest.newBuilder().setName("m").build();
        besideAServerThatBreaksOff(both -> {
            assertThatThrownBy(() -> both.putMachine(change)).isInstanceOf(CellUnreachable.class);
            assertThat(server.asked()).isEmpty();
            both.putMachine(change);
        });
        assertThat(server.asked()).hasSize(1);
    }

    private static void besideAServerThatBreaksOff(Consumer<HttpCell> test) throws Exception {
        Thread breaking;
        try (ServerSocket first = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            breaking = new Thread(() -> hangUpOnAll(first, new AtomicInteger()));
            breaking.start();
            URI address = URI.create("http://127.0.0.1:" + first.getLocalPort());
            test.accept(new HttpCell(new CellAddresses(List.of(address, server.address()))));
        }
        breaking.join();
    }

    /** Its certificate may have expired; the handshake comes before the request. */
    @Test
    void serverWithoutTls_gotNoChange() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answerUnasked(plain, "HTTP/1.1 400 no\r\n\r\n"));
            answering.start();
            server.answerWith(HttpCellTest::emptyObject);
            HttpCell both = new HttpCell(new CellAddresses(
                    List.of(URI.create("https://127.0.0.1:" + plain.getLocalPort()), server.address())));

            both.putMachine(PutMachineRequest.newBuilder().setName("m").build());
            assertThat(both.address()).isEqualTo(server.address());
            answering.join();
        }
    }

    private static void answerUnasked(ServerSocket server, String answer) {
        try (Socket connection = server.accept()) {
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            connection.getInputStream().readAllBytes();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static HttpResponse refusal(ProblemType type) {
        return refusal(type, "");
    }

    private static HttpResponse refusal(ProblemType type, String more) {
        return HttpResponse.of(
                HttpStatus.valueOf(type.status()),
                PROBLEM,
                "{\"type\": \"%s\", \"detail\": \"waits\"%s}".formatted(type.address(), more));
    }
}
