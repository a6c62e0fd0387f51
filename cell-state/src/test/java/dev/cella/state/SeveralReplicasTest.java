package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.HttpCell;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.live.ReplicaListener;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.CellServiceGrpc.CellServiceBlockingStub;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.LogRpc;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.state.web.Security;
import dev.cella.state.web.WatchedPart;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three servers of one cell in this process, on Ratis and RocksDB, as their callers see them. Most of the time the cases wait
 * for a leader or a server, so a few cases run in parallel, each with its own cell.
 */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class SeveralReplicasTest {
    private static final int TASKS = 200;
    private static final Pattern SUBMITTED = Pattern.compile("\"submittedVersion\":(\\d+)");
    private static final Pattern TERM = Pattern.compile("term=(\\d+)");
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String CAPACITY = "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}}";
    private static final Pattern VERSION = Pattern.compile("\"version\":(\\d+)");
    private static final Pattern SESSION = Pattern.compile("\"session\":(\\d+)");
    private static final Pattern NEXT_PAGE = Pattern.compile("\"nextPageToken\":\"([^\"]+)\"");
    private static final Set<Integer> PORTS = new HashSet<>();
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(r\\d)\"");

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, CellServer> running = new TreeMap<>();
    private final List<String> departures = new CopyOnWriteArrayList<>();
    private List<Member> members = List.of();
    private int foundingLevel = EntryCodec.FEATURE_LEVEL_MAX;
    private Duration electionTimeout = Duration.ofMillis(500);
    private Access access = Access.OPEN;

    @AfterEach
    void closeAll() throws Exception {
        for (CellServer server : running.values()) {
            server.close();
        }
        assertThat(departures).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void threeEmptyReplicas_foundOneCellAndAllAnswerAlike(LogRpc rpc) throws Exception {
        startAll(rpc);
        awaitReady("r1", "r2", "r3");
        for (Member member : members) {
            String name = "m-" + member.name();
            assertThat(put(member, name).statusCode()).isEqualTo(200);
            assertThat(get(member, "/v1/machines/" + name).statusCode())
                    .as("reads its own writes")
                    .isEqualTo(200);
        }
        assertThat(running.get("r2").<Integer>read(CellView::featureLevel)).isEqualTo(EntryCodec.FEATURE_LEVEL_MAX);
        long version = version(member("r3"));
        for (Member member : members) {
            assertThat(settled(member, "/v1/cell?minVersion=" + version).body())
                    .contains("\"ready\":3", "\"name\":\"r1\"", "\"name\":\"r3\"", "\"leader\":true");
        }
    }

    /** A follower forwards such a read to the leader. Over gRPC it cannot tell one from another, and names the leader. */
    @ParameterizedTest
    @EnumSource
    void linearizableReads_showEarlierAcknowledgements_onEveryReplica(LogRpc rpc) throws Exception {
        startAll(rpc);
        awaitReady("r1", "r2", "r3");
        for (int round = 0; round < 10; round++) {
            Member asked = members.get(round % members.size());
            assertThat(put(asked, "m-" + round).statusCode()).isEqualTo(200);
            for (Member member : members) {
                assertThat(settled(member, "/v1/machines/m-" + round + "?linearizable=true")
                                .statusCode())
                        .as("round %d at %s", round, member.name())
                        .isEqualTo(200);
            }
        }
        await().atMost(SOON).untilAsserted(this::followersNameTheLeaderOverGrpc);
    }

    private void followersNameTheLeaderOverGrpc() {
        String leader = leader(members.get(0));
        for (Member member : members) {
            if (!member.name().equals(leader)) {
                assertThat(linearizableOverGrpc(member).leader())
                        .contains(member(leader).address());
            }
        }
    }

    private static Problem linearizableOverGrpc(Member follower) {
        CellServiceBlockingStub cell =
                GrpcClients.newClient("gproto+" + follower.address() + "/", CellServiceBlockingStub.class);
        GetCellRequest read = GetCellRequest.newBuilder().setLinearizable(true).build();
        return ProblemStatus.fromException(catchThrowable(() -> cell.getCell(read)));
    }

    /** A heartbeat comes every 6 s here, and a read waits for 5 s. */
    @ParameterizedTest
    @EnumSource
    void followersShowACommit_beforeTheNextEntryOrHeartbeat(LogRpc rpc) throws Exception {
        electionTimeout = Duration.ofSeconds(12);
        startAll(rpc);
        awaitReady("r1", "r2", "r3");
        for (int round = 0; round < 5; round++) {
            HttpResponse<String> put = put(members.get(round % members.size()), "m-" + round);
            assertThat(put.statusCode()).isEqualTo(200);
            for (Member member : members) {
                String read = "/v1/machines/m-" + round + "?wait=5s&minVersion=" + found(VERSION, put.body());
                assertThat(get(member, read).body())
                        .as("round %d at %s", round, member.name())
                        .contains("\"name\":\"m-" + round);
            }
        }
    }

    /** The log has the same place before and after: a confirmation of before must not count. */
    @ParameterizedTest
    @EnumSource
    void leaderThatLostItsMajority_refusesLinearizableReadsAndSaysNotFoundOfNothing(LogRpc rpc) throws Exception {
        startAll(rpc);
        awaitReady("r1", "r2", "r3");
        Member leader = member(leader(members.get(0)));
        put(leader, "m");
        String linearizable = "/v1/machines/m?linearizable=true&wait=500ms";
        for (int round = 0; round < 2; round++) {
            assertThat(get(leader, linearizable).statusCode()).isEqualTo(200);
            assertThat(send(leader, "DELETE", "/v1/machines/unknown", "").statusCode())
                    .isEqualTo(404);
        }
        for (String other : List.of("r1", "r2", "r3")) {
            if (!other.equals(leader.name())) {
                running.remove(other).close();
            }
        }
        for (int round = 0; round < 2; round++) {
            HttpResponse<String> read = get(leader, linearizable);
            assertThat(read.statusCode()).as(read.body()).isEqualTo(503);
            assertThat(read.body()).contains("no-leader", "without linearizable");
            HttpResponse<String> command = send(leader, "DELETE", "/v1/machines/unknown", "");
            assertThat(command.statusCode()).as(command.body()).isEqualTo(503);
            assertThat(command.body()).contains("no-leader");
        }
        assertThat(get(leader, "/v1/machines/m").statusCode()).isEqualTo(200);
        await().atMost(SOON).until(() -> !isReady(leader));
        assertThat(send(leader, "DELETE", "/v1/machines/unknown", "").body()).contains("no-leader");
    }

    /** A client that lags never gets an answer older than it asked for, and each page belongs to the page before. */
    @Test
    void follower_minVersionChangedAfterAndPages_areOfOneVersion() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        for (int number = 0; number < 5; number++) {
            put(members.get(0), "m-" + number);
        }
        String leader = leader(members.get(0));
        Member follower = oneThatFollows(leader);
        long version = version(member(leader));
        String first =
                settled(follower, "/v1/machines?limit=3&minVersion=" + version).body();
        String page = found(NEXT_PAGE, first);
        CompletableFuture<HttpResponse<String>> changed = http.sendAsync(
                HttpRequest.newBuilder(follower.address().resolve("/v1/machines/late?wait=60s&changedAfter=" + version))
                        .build(),
                BodyHandlers.ofString());
        put(member(leader), "late");

        assertThat(changed.get(SOON.toSeconds(), TimeUnit.SECONDS).body()).contains("\"name\":\"late\"");
        String second = get(follower, "/v1/machines?limit=3&pageToken=" + page).body();
        assertThat(second).contains("m-3", "m-4").doesNotContain("late");
        assertThat(found(VERSION, second)).isEqualTo(found(VERSION, first));
    }

    private Member oneThatFollows(String leader) {
        return members.stream()
                .filter(member -> !member.name().equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /** The scheduler tells the leader alone. Without it a user would be told to restart a job in the middle of its update. */
    @Test
    void follower_showsHowTheUpdateOfAJobStands() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        Member leader = member(leader(members.get(0)));
        send(leader, "POST", "/v1/jobs", """
                {"name": "web", "type": "service", "scheduler": "planner", "groups": [{"name": "main", "count": 1,
                 "resources": {"cpuMilli": 10, "memoryMib": 10}, "run": {"command": ["true"]}}]}
                """);
        String session = found(
                SESSION,
                send(leader, "PUT", "/v1/schedulers/planner/sessions/one", "{\"lease\": \"1h\"}")
                        .body());
        String version = found(SUBMITTED, get(leader, "/v1/jobs/web").body());
        send(
                leader,
                "POST",
                "/v1/schedulers/planner/sessions/one:report",
                "{\"session\": %s, \"jobs\": [{\"jobVersion\": %s, \"note\": \"1 of 1 to go\"}]}"
                        .formatted(session, version));

        assertThat(settled(oneThatFollows(leader.name()), "/v1/jobs/web").body())
                .contains("\"update\":\"1 of 1 to go\"");
    }

    /** A follower would take all of it into its memory on the way from the leader. */
    @Test
    void backup_withAParameter_isRefusedByEachReplica() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        for (Member member : members) {
            HttpResponse<String> refused = settled(member, "/v1/backup?linearizable=true");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("\"path\":\"linearizable\"");
            assertThat(get(member, "/v1/backup").statusCode()).isEqualTo(200);
        }
    }

    /** The others notice a leader that ends without handing over after 7 s here. Each caller begins at another replica. */
    @Test
    void leaderThatLeaves_handsOverBeforeItEnds() throws Exception {
        electionTimeout = Duration.ofSeconds(12);
        startAll(LogRpc.NETTY);
        awaitReady("r1", "r2", "r3");
        ExecutorService callers = Executors.newCachedThreadPool();
        AtomicBoolean stopped = new AtomicBoolean();
        Map<String, AtomicInteger> answers = new TreeMap<>();
        try {
            List<CompletableFuture<Void>> calling = new ArrayList<>();
            for (Member first : members) {
                AtomicInteger answered = new AtomicInteger();
                answers.put(first.name(), answered);
                calling.add(CompletableFuture.runAsync(() -> putUntil(stopped, first, answered), callers));
            }
            awaitMore(answers, calling);
            String leader = leader(members.get(0));
            running.remove(leader).close();
            for (String other : running.keySet()) {
                String named = found(LEADER, get(member(other), "/v1/cell").body());
                assertThat(named).as("leader according to %s", other).isNotEqualTo(leader);
            }
            awaitMore(answers, calling);
            stopped.set(true);
            calling.forEach(CompletableFuture::join);
        } finally {
            stopped.set(true);
            callers.shutdown();
        }
    }

    /** It has connections from its leadership, to processes that are gone. A lost election would take another term. */
    @Test
    void followerThatLedBefore_whenTheOthersStartedAgain_isElectedInTheNextTerm() throws Exception {
        electionTimeout = Duration.ofSeconds(12);
        startAll(LogRpc.NETTY);
        awaitReady("r1", "r2", "r3");
        transferTo("r1");
        transferTo("r2");
        startAgain("r3");
        transferTo("r3");
        startAgain("r2");
        long before = term("r1");

        transferTo("r1");

        assertThat(term("r1")).isEqualTo(before + 1);
    }

    private void transferTo(String name) {
        await().atMost(SOON).until(() -> {
            String leader = leader(member(name));
            if (!leader.equals(name)) {
                decided(member(name), "POST", "/v1/members/" + name + ":transfer", "{}");
            }
            return leader.equals(name);
        });
    }

    private void startAgain(String name) throws Exception {
        running.remove(name).close();
        start(member(name), LogRpc.NETTY);
        awaitReady(name);
    }

    /** The term in which the replica voted last. */
    private long term(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(name).resolve("data"))) {
            Path votes =
                    files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
            return Long.parseLong(found(TERM, Files.readString(votes)));
        }
    }

    /** Fails as soon as one call fails. */
    private void putUntil(AtomicBoolean stopped, Member first, AtomicInteger answered) {
        List<URI> addresses = new ArrayList<>(List.of(first.address()));
        members.stream().map(Member::address).forEach(addresses::add);
        HttpCell cell = new HttpCell(new CellAddresses(addresses));
        while (!stopped.get()) {
            cell.putMachine(PutMachineRequest.newBuilder()
                    .setName("m-" + first.name() + "-" + answered.get() % 10)
                    .putCapacity("cpuMilli", 1000)
                    .putCapacity("memoryMib", 1000)
                    .build());
            answered.incrementAndGet();
        }
    }

    private static void awaitMore(Map<String, AtomicInteger> answers, List<CompletableFuture<Void>> calling) {
        Map<String, Integer> before = new TreeMap<>();
        answers.forEach((name, answered) -> before.put(name, answered.get()));
        await().atMost(SOON).until(() -> {
            calling.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
            return answers.entrySet().stream()
                    .allMatch(caller -> caller.getValue().get() > before.get(caller.getKey()) + 20);
        });
    }

    @Test
    void leaderGone_theOthersGoOnAndItComesBack() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        put(members.get(0), "before");
        String leader = leader(members.get(0));
        running.remove(leader).close();

        Member other = members.stream()
                .filter(member -> !member.name().equals(leader))
                .findFirst()
                .orElseThrow();
        put(other, "after");
        start(member(leader), LogRpc.GRPC);
        awaitReady(leader);
        assertThat(settled(member(leader), "/v1/machines/after?minVersion=" + version(other))
                        .statusCode())
                .isEqualTo(200);
    }

    /**
     * A scheduler that knows all three addresses places one task after another, while the leader goes and a new one comes.
     */
    @Test
    void leaderGone_streamsGoOnAtTheOthersAndNothingIsMissedOrDoneTwice() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        put(members.get(0), "m");
        decided(members.get(0), "POST", "/v1/jobs", """
            {"name": "job", "type": "batch", "groups": [
             {"count": %d, "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["true"]}}]}
            """.formatted(TASKS));
        long job = Long.parseLong(
                found(SUBMITTED, get(members.get(0), "/v1/jobs/job").body()));
        CellAddresses addresses =
                new CellAddresses(members.stream().map(Member::address).toList());
        ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
        VersionsHeard heard = new VersionsHeard();
        try (CellConnection connection = CellConnection.open(addresses);
                PrivateReplica replica = new PrivateReplica(connection, owner, hasty(), heard);
                TransactionStream stream = new TransactionStream(connection, owner, hasty())) {
            replica.start();
            CellVersion basis = new CellVersion(version(members.get(0)));
            List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
            for (int task = 0; task < TASKS; task++) {
                if (task == TASKS / 2) {
                    running.remove(leader(members.get(0))).close();
                }
                outcomes.add(stream.submit(Transaction.builder(new TransactionId("t-" + task), "batch")
                        .basis(basis)
                        .machinesAsOf(basis)
                        .claim(new TaskId(new JobId(job), 0, task), 1, 0)
                        .build()));
            }

            List<Outcome> decided =
                    outcomes.stream().map(CompletableFuture::join).toList();

            assertThat(decided).allMatch(outcome -> outcome.verdict() == Verdict.COMMITTED);
            assertThat(decided).map(Outcome::version).isSorted();
            CellVersion last = decided.get(TASKS - 1).version();
            assertThat(replica.awaitVersion(last)
                            .get(SOON.toSeconds(), TimeUnit.SECONDS)
                            .tasksOn(0))
                    .isEqualTo(TASKS);
            assertThat(heard.faults).isEmpty();
            assertThat(replica.mismatches()).isZero();
        } finally {
            owner.shutdownNow();
        }
    }

    /** The first set dimension in a cell raises its feature level, which requires an answer from every replica. */
    @Test
    void featureLevel_isRaisedOnlyWhenEveryReplicaHasSaidThatItKnowsIt() throws Exception {
        foundingLevel = 1;
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        assertThat(running.get("r1").<Integer>read(CellView::featureLevel)).isEqualTo(1);
        String sets = "{\"capacity\": {\"cpuMilli\": 1, \"memoryMib\": 1}, \"members\": {\"ports\": \"1-9\"}}";
        running.remove("r3").close();
        HttpResponse<String> refused = decided(member("r1"), "PUT", "/v1/machines/m", sets);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("replica r3 does not say whether it knows feature level 2");

        start(member("r3"), LogRpc.GRPC);
        awaitReady("r3");
        assertThat(decided(member("r1"), "PUT", "/v1/machines/m", sets).statusCode())
                .isEqualTo(200);
        running.remove("r3").close();
        assertThat(decided(member("r1"), "PUT", "/v1/machines/n", sets).statusCode())
                .as("it is raised once")
                .isEqualTo(200);
    }

    /**
     * When the leader goes, a watcher of one of two jobs continues at another server. It gets only that job's tasks, each
     * once.
     */
    @Test
    void leaderGone_watcherOfAPartGoesOnAtAnotherWithoutAGapOrARepeat() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        put(members.get(0), "m");
        for (String job : List.of("watched", "other")) {
            decided(members.get(0), "POST", "/v1/jobs", """
                {"name": "%s", "type": "batch", "groups": [
                 {"count": 20, "resources": {"cpuMilli": 1, "memoryMib": 1}, "run": {"command": ["true"]}}]}
                """.formatted(job));
        }
        String leader = leader(members.get(0));
        Member other = members.stream()
                .filter(member -> !member.name().equals(leader))
                .findFirst()
                .orElseThrow();
        WatchedPart part =
                new WatchedPart(WatchRequest.newBuilder().setJob("watched").build());
        List<Long> placed = new ArrayList<>();
        for (int task = 0; task < 20; task++) {
            if (task == 10) {
                part.follow(member(leader).address().toString(), () -> part.version() >= placed.get(0));
                running.remove(leader).close();
            }
            for (String job : List.of("watched", "other")) {
                HttpResponse<String> outcome =
                        decided(other, "POST", "/v1/transactions", """
                            {"id": "%s-%d", "scheduler": "batch", "claims": [{"task": "%s/main/%d", "machine": "m"}]}
                            """.formatted(job, task, job, task));
                if (job.equals("watched")) {
                    placed.add(Long.parseLong(found(VERSION, outcome.body())));
                }
            }
        }
        part.follow(other.address().toString(), () -> part.version() >= placed.get(19));

        int inTheSnapshot = placed.size() - part.versionsHeard().size();
        assertThat(part.resyncs()).isZero();
        assertThat(inTheSnapshot).isLessThanOrEqualTo(10);
        assertThat(part.versionsHeard()).isEqualTo(placed.subList(inTheSnapshot, placed.size()));
    }

    private static Backoff hasty() {
        return new Backoff(Duration.ofMillis(20), Duration.ofMillis(200), new Random(1));
    }

    /** Receives each version, and records one that does not follow the previous one. */
    private static final class VersionsHeard implements ReplicaListener, TouchedRows {
        private final List<String> faults = new CopyOnWriteArrayList<>();
        private long last;

        @Override
        public void replaced(CellView view) {
            if (view.version().number() < last) {
                faults.add("a copy at " + view.version() + " after version " + last);
            }
            last = view.version().number();
        }

        @Override
        public void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {
            if (version.number() != last + 1) {
                faults.add("version " + version + " after version " + last);
            }
            last = version.number();
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void advanced(CellView view) {}
    }

    @Test
    void majorityGone_isReportedAndNotReady() throws Exception {
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        HttpResponse<InputStream> followed = http.send(
                HttpRequest.newBuilder(member("r1").address().resolve("/v1/feed"))
                        .build(),
                BodyHandlers.ofInputStream());
        running.remove("r2").close();
        running.remove("r3").close();
        await().atMost(SOON).until(() -> get(member("r1"), "/readyz").statusCode() == 503);
        assertThat(new String(followed.body().readAllBytes(), StandardCharsets.UTF_8))
                .as("the feed of before ends")
                .contains("event: snapshot");
        assertThat(get(member("r1"), "/v1/feed?figures=true").body())
                .as("a new reader sees the last cell, and nothing that seems new")
                .contains("event: snapshot")
                .doesNotContain("event: figures", "event: heartbeat");
        assertThat(get(member("r1"), "/v1/feed?figures=true&from=" + version(member("r1")))
                        .body())
                .isEmpty();
        HttpResponse<String> refused = send(member("r1"), "PUT", "/v1/machines/nobody", CAPACITY);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("no-leader");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(get(member("r1"), "/v1/cell").statusCode()).isEqualTo(200);
    }

    /** A server forwards the requests of a page to a leader that has another port, and a cookie is for one port. */
    @Test
    void closedCell_pageOfEachServer_isAnsweredByTheLeader() throws Exception {
        access = Access.closed(Security.TOKENS);
        startAll(LogRpc.GRPC);
        awaitReady("r1", "r2", "r3");
        String token = firstToken();
        for (Member member : members) {
            HttpResponse<String> login = http.send(
                    HttpRequest.newBuilder(member.address().resolve("/login"))
                            .POST(BodyPublishers.ofString("token=" + token))
                            .build(),
                    BodyHandlers.ofString());
            String cookie =
                    login.headers().firstValue("set-cookie").orElseThrow().split(";", -1)[0];
            await().atMost(SOON)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(get(member, "/v1/schedulers", "Cookie", cookie)
                                    .statusCode())
                            .as("%s: %s", member.name(), cookie)
                            .isEqualTo(200));
            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
                report(member, "Bearer " + token);
                assertThat(figures(member, cookie)).as(member.name()).contains("\"busyFraction\":0.4");
            });
        }
    }

    /** A scheduler reports to the leader, through any server. */
    private void report(Member member, String bearer) throws Exception {
        String session = "/v1/schedulers/batch/sessions/one";
        HttpResponse<String> opened = send(member, "PUT", session, "{\"lease\": \"1h\"}", "Authorization", bearer);
        send(
                member,
                "POST",
                session + ":report",
                "{\"session\": %s, \"elapsed\": \"10s\", \"busy\": \"4s\"}".formatted(found(SESSION, opened.body())),
                "Authorization",
                bearer);
    }

    /** The second figures that a new reader of the feed gets: those of a follower are the leader's from then on. */
    private String figures(Member member, String cookie) throws Exception {
        HttpResponse<Stream<String>> feed = http.send(
                HttpRequest.newBuilder(member.address().resolve("/v1/feed?figures=true"))
                        .header("Cookie", cookie)
                        .build(),
                BodyHandlers.ofLines());
        try (Stream<String> lines = feed.body()) {
            return lines.filter(line -> line.startsWith("data: {\"schedulers\""))
                    .skip(1)
                    .findFirst()
                    .orElse("");
        }
    }

    /** The first leader writes it. */
    private String firstToken() {
        return await().atMost(SOON)
                .ignoreExceptions()
                .until(
                        () -> {
                            for (Member member : members) {
                                Path file = folder.resolve(member.name())
                                        .resolve("data")
                                        .resolve("token");
                                if (Files.exists(file)) {
                                    return Files.readString(file).strip();
                                }
                            }
                            return "";
                        },
                        token -> !token.isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void replicaFarBehind_getsACheckpointAndGoesOnFromIt(LogRpc rpc) throws Exception {
        startAll(rpc);
        awaitReady("r1", "r2", "r3");
        String leader = leader(members.get(0));
        Member behind = members.stream()
                .filter(member -> !member.name().equals(leader))
                .findFirst()
                .orElseThrow();
        running.remove(behind.name()).close();
        for (int number = 0; number < 120; number++) {
            assertThat(putJob(member(leader), "job-" + number).statusCode()).isIn(200, 201);
        }
        start(behind, rpc);
        awaitReady(behind.name());
        long version = version(member(leader));
        assertThat(settled(behind, "/v1/jobs/job-119?minVersion=" + version).statusCode())
                .isEqualTo(200);
        running.remove(behind.name()).close();
        start(behind, rpc);
        awaitReady(behind.name());
        assertThat(settled(behind, "/v1/jobs/job-7?minVersion=" + version).body())
                .contains("job-7");
    }

    // ---- the servers

    private void startAll(LogRpc rpc) throws Exception {
        List<Integer> ports = ports();
        members = List.of(
                member("r1", ports.get(0), ports.get(1)),
                member("r2", ports.get(2), ports.get(3)),
                member("r3", ports.get(4), ports.get(5)));
        List<CompletableFuture<Void>> starts = members.stream()
                .map(member -> CompletableFuture.runAsync(() -> startUnchecked(member, rpc), SeveralReplicasTest::run))
                .toList();
        starts.forEach(CompletableFuture::join);
    }

    /** Each starts on its own thread, because each waits for all three. */
    private static void run(Runnable start) {
        new Thread(start).start();
    }

    /** Ports that no other case uses: a port that is free now stays free until its server starts. */
    private static List<Integer> ports() throws IOException {
        synchronized (PORTS) {
            List<Integer> ports = FreePorts.find(6, new Random());
            while (!Collections.disjoint(ports, PORTS)) {
                ports = FreePorts.find(6, new Random());
            }
            PORTS.addAll(ports);
            return ports;
        }
    }

    private void startUnchecked(Member member, LogRpc rpc) {
        try {
            start(member, rpc);
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    private void start(Member member, LogRpc rpc) throws Exception {
        CellServer server = CellServer.start(options(member, rpc, "data"), this::depart);
        synchronized (running) {
            running.put(member.name(), server);
        }
    }

    private void depart(String message, Throwable cause) {
        departures.add(message + ": " + cause);
    }

    private CellServerOptions options(Member member, LogRpc rpc, String data) {
        RatisOptions log = RatisOptions.defaults()
                .withRpc(rpc)
                .withElectionTimeoutMin(electionTimeout)
                .withSegmentBytes(64 << 10);
        return CellServerOptions.defaults(folder.resolve(member.name()).resolve(data))
                .withPort(member.address().getPort())
                .withFreeBytesMin(0)
                .withAccess(access)
                .withReplica(ReplicaOptions.defaults()
                        .withLog(log)
                        .withFoundingLevel(foundingLevel)
                        .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(32 << 10))
                        .withMembership(new Membership(member.name(), members)));
    }

    private static Member member(String name, int logPort, int port) {
        return new Member(name, "127.0.0.1:" + logPort, URI.create("http://127.0.0.1:" + port));
    }

    private Member member(String name) {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    // ---- the callers

    private void awaitReady(String... names) {
        for (String name : names) {
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> get(member(name), "/readyz").statusCode() == 200);
        }
    }

    private boolean isReady(Member member) throws Exception {
        return get(member, "/readyz").statusCode() == 200;
    }

    private long version(Member member) throws Exception {
        return Long.parseLong(found(VERSION, get(member, "/v1/cell").body()));
    }

    /** The leader that this replica knows of, once it knows one. */
    private String leader(Member member) {
        return await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> LEADER.matcher(get(member, "/v1/cell").body()), Matcher::find)
                .group(1);
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private HttpResponse<String> get(Member member, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(member.address().resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** The answer, once the cell has a leader and the asked replica has the requested version. */
    private HttpResponse<String> settled(Member member, String path) {
        return await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> get(member, path), answer -> answer.statusCode() != 503);
    }

    private HttpResponse<String> put(Member member, String machine) {
        return decided(member, "PUT", "/v1/machines/" + machine, CAPACITY);
    }

    private HttpResponse<String> putJob(Member member, String job) {
        String argument = "x".repeat(3_000);
        return decided(member, "POST", "/v1/jobs", """
            {"name": "%s", "type": "batch",
             "groups": [{"resources": {"cpuMilli": 100, "memoryMib": 32}, "run": {"command": ["%s"]}}]}
            """.formatted(job, argument));
    }

    /** A busy machine may lose its leader at any moment, so a client without a leader repeats its request. */
    private HttpResponse<String> decided(Member member, String method, String path, String body) {
        return await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> send(member, method, path, body), answer -> answer.statusCode() != 503);
    }

    private HttpResponse<String> send(Member member, String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(member.address().resolve(path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
