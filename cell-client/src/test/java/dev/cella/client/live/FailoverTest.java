package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.cella.client.CellAddresses;
import dev.cella.client.access.CellAccess;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobServiceGrpc.JobServiceStub;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.ListMembersRequest;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.MemberServiceGrpc.MemberServiceImplBase;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Verdict;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cell of several servers of which none can be relied upon, except that what they say is true. */
@Timeout(180)
class FailoverTest {
    private static final int SERVERS = 3;
    private static final int VERSIONS = 120;

    /** Nothing listens there, and the system gives it to nobody. */
    private static final URI CLOSED_PORT = URI.create("http://127.0.0.1:1");

    private final TestCell cell = new TestCell(7);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() throws Exception {
        owner.shutdownNow();
        assertThat(owner.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        for (AutoCloseable part : opened) {
            part.close();
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.add(part);
        return part;
    }

    private CellConnection connect(URI... servers) {
        return opened(CellConnection.open(new CellAddresses(List.of(servers))));
    }

    private static Backoff hasty(long seed) {
        return new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(seed));
    }

    @Test
    void wordOfTheLeader_isFollowedBeyondTheAddresses() {
        FakeDoor leading = new FakeDoor(cell);
        FakeDoor following = new FakeDoor(cell);
        following.faults = (random, sofar) -> FakeDoor.Fault.LOST_BEFORE;
        following.leader = Optional.of(opened(new FakeServer(leading)).address());
        CellConnection connection = connect(opened(new FakeServer(following)).address());

        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(1)));

        assertThat(stream.submit(cell.claim(0)).join().verdict()).isEqualTo(Verdict.COMMITTED);
        assertThat(leading.decided).containsExactly("t-0");
        assertThat(following.streams).hasValue(1);
    }

    @Test
    void serverThatTheCellTellsOf_isAskedWithTheSameToken() {
        FakeServer told = opened(new FakeServer(new FakeDoor(cell)));
        FakeDoor following = new FakeDoor(cell);
        following.faults = (random, sofar) -> FakeDoor.Fault.LOST_BEFORE;
        List<URI> members = new CopyOnWriteArrayList<>();
        FakeServer first = opened(new FakeServer(following, memberService(members)));
        members.addAll(List.of(first.address(), told.address()));
        CellConnection connection =
                opened(CellConnection.open(CellAddresses.of(first.address()).with(CellAccess.ofToken("secret"))));

        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(1)));

        assertThat(stream.submit(cell.claim(0)).join().verdict()).isEqualTo(Verdict.COMMITTED);
        assertThat(told.authorizations).containsExactly("Bearer secret");
    }

    private static MemberServiceImplBase memberService(List<URI> members) {
        return new MemberServiceImplBase() {
            @Override
            public void listMembers(ListMembersRequest request, StreamObserver<MemberList> out) {
                MemberList.Builder list = MemberList.newBuilder();
                members.forEach(member -> list.addMembers(Member.newBuilder().setAddress(member.toString())));
                out.onNext(list.build());
                out.onCompleted();
            }
        };
    }

    @Test
    void serverThatIsGone_isLeftForTheNext() {
        FakeDoor door = new FakeDoor(cell);
        CellConnection connection =
                connect(CLOSED_PORT, opened(new FakeServer(door)).address());

        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(1)));

        assertThat(stream.submit(cell.claim(0)).join().verdict()).isEqualTo(Verdict.COMMITTED);
    }

    @Test
    void serverThatHangs_isLeft_whileRequestsToItGoOn() {
        FakeServer hanging = opened(new FakeServer(new FakeDoor(cell)));
        FakeDoor next = new FakeDoor(cell);
        CellConnection connection =
                connect(hanging.address(), opened(new FakeServer(next)).address());
        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(1)));
        stream.submit(cell.claim(0)).orTimeout(60, TimeUnit.SECONDS).join();
        JobServiceStub jobs = connection.server().jobs();

        hanging.hang();
        var unused = owner.scheduleWithFixedDelay(() -> ask(jobs), 0, 200, TimeUnit.MILLISECONDS);

        assertThat(stream.submit(cell.claim(1))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join()
                        .verdict())
                .isEqualTo(Verdict.COMMITTED);
        assertThat(next.decided).containsExactly("t-1");
    }

    private static void ask(JobServiceStub jobs) {
        jobs.getJob(GetJobRequest.getDefaultInstance(), new StreamObserver<>() {
            @Override
            public void onNext(JobStatus status) {}

            @Override
            public void onError(Throwable expected) {}

            @Override
            public void onCompleted() {}
        });
    }

    @Test
    void serverThatNamesItself_isAskedAgain() {
        FakeDoor next = new FakeDoor(cell);
        FakeDoor elected = new FakeDoor(cell);
        elected.faults =
                (random, soFar) -> elected.streams.get() == 1 ? FakeDoor.Fault.LOST_BEFORE : FakeDoor.Fault.NONE;
        FakeServer first = opened(new FakeServer(elected));
        elected.leader = Optional.of(first.address());
        CellConnection connection =
                connect(first.address(), opened(new FakeServer(next)).address());

        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(1)));

        assertThat(stream.submit(cell.claim(0)).join().verdict()).isEqualTo(Verdict.COMMITTED);
        assertThat(next.streams).hasValue(0);
    }

    @Test
    void anyMixOfLeaders_decidesEachOnceAndInOrder() {
        long seed = Long.getLong("cella.seed", 1);
        List<FakeDoor> doors = new ArrayList<>();
        List<URI> addresses = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            doors.add(new FakeDoor(cell, seed + server));
            addresses.add(opened(new FakeServer(doors.get(server))).address());
        }
        for (int server = 0; server < SERVERS; server++) {
            doors.get(server).leader = Optional.of(addresses.get((server + 1) % SERVERS));
            doors.get(server).faults = (random, sofar) -> switch (random.nextInt(12)) {
                case 0, 1 -> FakeDoor.Fault.LOST_BEFORE;
                case 2 -> FakeDoor.Fault.LOST_AFTER;
                case 3 -> FakeDoor.Fault.GARBLED;
                default -> FakeDoor.Fault.NONE;
            };
        }
        CellConnection connection = connect(addresses.toArray(URI[]::new));
        TransactionStream stream = opened(new TransactionStream(connection, owner, hasty(seed)));

        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (int task = 0; task < TestCell.TASKS; task++) {
            outcomes.add(stream.submit(cell.claim(task)));
        }

        List<Outcome> decided = outcomes.stream().map(CompletableFuture::join).toList();
        assertThat(decided).as("seed %d", seed).allMatch(outcome -> outcome.verdict() == Verdict.COMMITTED);
        assertThat(decided).as("seed %d", seed).map(Outcome::version).isSorted();
        assertThat(cell.placed()).as("seed %d", seed).isEqualTo(TestCell.TASKS);
    }

    @Test
    void anyMixOfReplicas_showsEachVersionOnceAndInOrder() {
        long seed = Long.getLong("cella.seed", 1);
        List<FlakyFeed.Version> history = history();
        List<URI> addresses = new ArrayList<>();
        Random rumours = new Random(seed);
        for (int server = 0; server < SERVERS; server++) {
            FlakyFeed feed = new FlakyFeed(
                    cell.incarnation().number(), history, seed + server, () -> addresses.get(rumours.nextInt(SERVERS)));
            addresses.add(opened(new FakeServer(feed)).address());
        }
        Sequence heard = new Sequence();
        CellConnection connection = connect(addresses.toArray(URI[]::new));
        PrivateReplica replica = opened(new PrivateReplica(connection, owner, hasty(seed), heard, Duration.ofHours(1)));

        replica.start();

        assertThat(replica.awaitVersion(cell.version())
                        .thenApply(CellView::digest)
                        .join())
                .as("seed %d", seed)
                .isEqualTo(cell.digest());
        assertThat(heard.faults).as("seed %d", seed).isEmpty();
    }

    private List<FlakyFeed.Version> history() {
        List<FlakyFeed.Version> history = new ArrayList<>();
        history.add(new FlakyFeed.Version(cell.version().number(), cell.snapshot(), ByteString.EMPTY));
        for (int version = 0; version < VERSIONS; version++) {
            ByteString changes = ByteString.copyFrom(cell.putMachine());
            history.add(new FlakyFeed.Version(cell.version().number(), cell.snapshot(), changes));
        }
        return history;
    }

    /** Checks that the versions follow one another. A full copy may begin anywhere. */
    private static final class Sequence implements ReplicaListener, TouchedRows {
        private final List<String> faults = new ArrayList<>();
        private long last;

        @Override
        public void replaced(CellView view) {
            if (view.version().number() < last) {
                faults.add("a copy at " + view.version() + " after version " + last);
            }
            last = view.version().number();
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void advanced(CellView view) {
            if (view.version().number() != last) {
                faults.add("a view at " + view.version() + " after version " + last);
            }
        }

        @Override
        public void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {
            if (version.number() != last + 1) {
                faults.add("version " + version + " after version " + last);
            }
            last = version.number();
        }
    }
}
