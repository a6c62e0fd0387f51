package dev.cella.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.web.service.MemberDoors;
import dev.cella.state.web.service.MemberDoors.Standing;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a replica does that started alone, when another one answers at last. */
@Timeout(60)
class OlderCopyWatchTest {
    private static final LogPeer SELF = new LogPeer("r1", "127.0.0.1:1", "http://127.0.0.1:1");

    @TempDir
    private Path path;

    private final CompletableFuture<String> departed = new CompletableFuture<>();
    private final Semaphore answers = new Semaphore(0);
    private DataDirectory directory;
    private DirectoryIdentity withoutSelf;
    private HttpServer other;
    private Membership membership;
    private volatile Map<String, Long> otherSaw = Map.of();
    private volatile boolean otherAnswers;
    private volatile DirectoryIdentity otherKnows;
    private volatile Standing otherStanding = Standing.FOLLOWS;

    @BeforeEach
    void start() throws Exception {
        directory = DataDirectory.open(path, new CellName("cell"), 0, UUID.randomUUID());
        other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        URI address = URI.create("http://127.0.0.1:" + other.getAddress().getPort());
        membership = new Membership(
                "r1",
                List.of(
                        new Member("r1", SELF.log(), URI.create(SELF.address())),
                        new Member("r2", "127.0.0.1:2", address)));
        LogPeer peer = new LogPeer("r2", "127.0.0.1:2", address.toString());
        directory.keepPeers(List.of(peer));
        withoutSelf = directory.identity();
        directory.keepPeers(List.of(SELF, peer));
        otherKnows = directory.identity();
        other.createContext(MemberDoors.IDENTITY_PATH, exchange -> {
            byte[] body = MemberDoors.answer(otherKnows, new CellVersion(7), otherSaw, otherStanding)
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(otherAnswers ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
            answers.release();
        });
        other.start();
    }

    @AfterEach
    void close() throws Exception {
        other.stop(0);
        directory.close();
    }

    @Test
    void otherKnowsOfALaterEntry_thenTheReplicaLeaves() throws Exception {
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(2);
            assertThat(departed).isNotDone();
            otherSaw = Map.of("r1", 12L, "r2", 12L);
            otherAnswers = true;

            assertThat(departed.get(30, TimeUnit.SECONDS))
                    .contains(
                            "ends with entry 10",
                            "had confirmed entry 12, says r2",
                            "older copy",
                            "cella cell replace");
        }
    }

    @Test
    void confirmedEntriesCannotBeKept_thenTheOthersAreStillAsked() throws Exception {
        Confirmed log = new Confirmed(10);
        log.keepFails = true;
        otherSaw = Map.of("r1", 12L);
        try (OlderCopyWatch watch = watch(log)) {
            watch.start();
            answers.acquire(2);
            otherAnswers = true;

            assertThat(departed.get(30, TimeUnit.SECONDS)).contains("had confirmed entry 12, says r2");
        }
    }

    @Test
    void otherKnowsWhatWasConfirmedSinceTheStart_thenTheReplicaGoesOn() throws Exception {
        Confirmed log = new Confirmed(12);
        otherSaw = Map.of("r1", 12L, "r2", 15L);
        otherStanding = Standing.LEADS;
        otherAnswers = true;
        try (OlderCopyWatch watch = watch(log)) {
            watch.start();
            log.asked.acquire(4);

            assertThat(answers.availablePermits()).as("asked until it answered").isEqualTo(1);
            assertThat(departed).isNotDone();
        }
    }

    @Test
    void otherWithoutALeader_isAskedAgain_andSaysNothingAboutMembers() throws Exception {
        otherStanding = Standing.UNSAID;
        otherKnows = withoutSelf;
        otherAnswers = true;
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(3);
            assertThat(departed).isNotDone();
        }
    }

    /** It may hear a moment later that this replica has joined. */
    @Test
    void otherThatFollows_andDoesNotKnowTheReplicaYet_isAskedAgain() throws Exception {
        otherKnows = withoutSelf;
        otherAnswers = true;
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(2);
            assertThat(departed).isNotDone();
            otherKnows = directory.identity();
            answers.acquire(1);
            assertThat(departed).isNotDone();
        }
    }

    @Test
    void leaderKnowsOtherMembers_thenTheReplicaLeaves() throws Exception {
        otherStanding = Standing.UNSAID;
        otherKnows = withoutSelf;
        otherAnswers = true;
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(2);
            assertThat(departed).isNotDone();
            otherStanding = Standing.LEADS;

            assertThat(departed.get(30, TimeUnit.SECONDS))
                    .contains("does not have replica r1 any more, says r2", "keep the directory");
        }
    }

    /** It may be one that has not heard of the removal, and lead later. */
    @Test
    void followerThatKnowsTheReplica_isAskedAgainUntilTheLeaderAnswers() throws Exception {
        otherAnswers = true;
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(3);
            assertThat(departed).isNotDone();
            assertThat(watch.waitsFor())
                    .hasValueSatisfying(what -> assertThat(what)
                            .contains("the leader to say that it is a member", "no replica that answers leads"));
            otherKnows = withoutSelf;
            otherStanding = Standing.LEADS;

            assertThat(departed.get(30, TimeUnit.SECONDS)).contains("does not have replica r1 any more, says r2");
        }
    }

    @Test
    void replicaThatLeadsItself_waitsForNobody() throws Exception {
        try (OlderCopyWatch watch = watch(new Confirmed(10) {
            @Override
            public Optional<String> leader() {
                return Optional.of("r1");
            }
        })) {
            watch.start();

            await().until(() -> watch.waitsFor().isEmpty());
        }
    }

    /** It waits to join, and another replica has begun to lead meanwhile. */
    @Test
    void replicaThatHasNeverBeenAMember_staysWhereTheLeaderDoesNotKnowIt_andSaysWhatItWaitsFor() throws Exception {
        join();
        otherStanding = Standing.LEADS;
        otherKnows = withoutSelf;
        otherAnswers = true;
        new FoundingRound(directory, membership, Optional.empty()).checkIsStillMember();
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();

            await().untilAsserted(() -> assertThat(watch.waitsFor())
                    .contains("the cell to take it: r2 says that there is no replica r1. Run: cella cell add r1"));
            assertThat(departed).isNotDone();
            otherKnows = directory.identity().withPeers(List.of(joined()));
            await().untilAsserted(() -> assertThat(watch.waitsFor()).contains("the leader r2 to make it a member"));
            directory.keepPeers(List.of(joined()));
            await().until(() -> watch.waitsFor().isEmpty());
        }
    }

    /** Its own log has told it of the removal, so it does not know itself as a member any more. */
    @Test
    void replicaThatWasRemovedAfterItHadJoined_leavesWhenTheLeaderAnswers() throws Exception {
        join();
        directory.keepPeers(List.of(joined()));
        directory.keepPeers(withoutSelf.peers());
        otherKnows = directory.identity();
        try (OlderCopyWatch watch = watch(new Confirmed(10))) {
            watch.start();
            answers.acquire(2);
            otherStanding = Standing.LEADS;
            otherAnswers = true;

            assertThat(departed.get(30, TimeUnit.SECONDS)).contains("does not have replica r1 any more, says r2");
            assertThat(catchThrowableOfType(
                            StartRefusedException.class,
                            () -> new FoundingRound(directory, membership, Optional.empty()).checkIsStillMember()))
                    .hasMessageContaining("does not have replica r1 any more, says r2");
        }
    }

    /** The directory is now of a replica that joins the cell of the other one. */
    private void join() throws IOException {
        UUID cell = UUID.randomUUID();
        withoutSelf = ofCell(withoutSelf, cell);
        directory.founded(DirectoryIdentity.parse(withoutSelf
                .toText()
                .replaceFirst("(?m)^replica=.*$", "replica=r1")
                .replaceFirst("(?m)^members=.*$", "members=r1:" + withoutSelf.directory())));
    }

    private static DirectoryIdentity ofCell(DirectoryIdentity identity, UUID cell) {
        return DirectoryIdentity.parse(identity.toText().replaceFirst("(?m)^id=.*$", "id=" + cell));
    }

    private LogPeer joined() {
        return new LogPeer(LogPeer.idOfJoiner("r1", withoutSelf.directory()), SELF.log(), SELF.address());
    }

    private OlderCopyWatch watch(ReplicatedLog log) {
        return new OlderCopyWatch(
                directory, log, membership, Optional.empty(), (message, cause) -> departed.complete(message));
    }

    /** A log whose member has confirmed it up to an entry. */
    private static class Confirmed extends StillLog {
        private final Semaphore asked = new Semaphore(0);
        private final long entry;
        private volatile boolean keepFails;

        Confirmed(long entry) {
            this.entry = entry;
        }

        @Override
        public Map<String, Long> confirmed() {
            asked.release();
            return Map.of("r1", entry);
        }

        @Override
        public void keepConfirmed() throws IOException {
            if (keepFails) {
                throw new IOException("No space left on device");
            }
        }
    }
}
