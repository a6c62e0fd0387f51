package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.client.access.Tls;
import dev.cella.client.proto.AddMemberRequest;
import dev.cella.client.proto.ListMembersRequest;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.MemberRole;
import dev.cella.client.proto.MemberServiceGrpc;
import dev.cella.client.proto.RemoveMemberRequest;
import dev.cella.client.proto.ReplaceMemberRequest;
import dev.cella.client.proto.TransferLeadRequest;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DirectoryIdentity;
import dev.cella.state.core.Founding;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.Membership;
import dev.cella.state.core.PeerStanding;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.service.MemberDoors.Told;
import dev.cella.transactions.cell.CellView;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The replicas of the cell: their list, and changes of it while the cell runs.
 *
 * <p>The leader makes each change, one at a time, as one entry of the log. A new replica waits on an empty directory until
 * this service tells it that the cell accepts it. Then it opens its log, the leader brings it up to date, and it counts from
 * that entry on. A change is refused if the answering members would be no majority of the new ones, because nothing could be
 * committed after it.
 */
final class MemberService {
    private static final int JOIN_LOOKS_MAX = 150;
    private static final long LOOK_EVERY_MILLIS = 200;
    private static final int CATCH_UP_TRIES = 6;

    private final Replica replica;
    private final DataDirectory directory;
    private final Supplier<String> address;
    private final MemberDoors doors;
    private final AtomicBoolean changing = new AtomicBoolean();

    MemberService(Replica replica, DataDirectory directory, Supplier<String> address, Optional<Tls> tls) {
        this.doors = new MemberDoors(tls);
        this.replica = replica;
        this.directory = directory;
        this.address = address;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(MemberServiceGrpc.getListMembersMethod(), this::list),
                new UnaryMethod<>(MemberServiceGrpc.getAddMemberMethod(), this::add),
                new UnaryMethod<>(MemberServiceGrpc.getRemoveMemberMethod(), this::remove),
                new UnaryMethod<>(MemberServiceGrpc.getReplaceMemberMethod(), this::replace),
                new UnaryMethod<>(MemberServiceGrpc.getTransferLeadMethod(), this::transfer));
    }

    // ---- the list

    private CompletableFuture<Answer<MemberList>> list(ListMembersRequest request) {
        return list();
    }

    private CompletableFuture<Answer<MemberList>> list() {
        List<CompletableFuture<Member>> rows = Stream.concat(
                        standings().stream().map(this::row),
                        directory.expected().stream().map(joiner -> row(joiner, MemberRole.MEMBER_ROLE_LEARNER)))
                .toList();
        return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
                .thenApply(all -> Answer.ok(MemberList.newBuilder()
                        .addAllMembers(
                                rows.stream().map(CompletableFuture::join).toList())
                        .build()));
    }

    /** With the address of this replica, which the log of a lone replica may not know. */
    private List<PeerStanding> standings() {
        return replica.log().standings().stream().map(this::withAddress).toList();
    }

    private PeerStanding withAddress(PeerStanding standing) {
        LogPeer peer = standing.peer();
        return standing.isLeader() && peer.address().isEmpty()
                ? new PeerStanding(
                        new LogPeer(peer.id(), peer.log(), address.get()),
                        true,
                        standing.entriesBehind(),
                        standing.silentMillis())
                : standing;
    }

    private CompletableFuture<Member> row(PeerStanding standing) {
        MemberRole role = isLeader(standing) ? MemberRole.MEMBER_ROLE_LEADER : MemberRole.MEMBER_ROLE_FOLLOWER;
        boolean heard = standing.isHeard() || !replica.leads();
        return row(standing.peer(), role)
                .thenApply(row -> row.toBuilder()
                        .setHealthy(row.getHealthy() && heard)
                        .setMatchIndexLag(standing.entriesBehind())
                        .build());
    }

    private boolean isLeader(PeerStanding standing) {
        return replica.leader().filter(standing.peer().name()::equals).isPresent();
    }

    private CompletableFuture<Member> row(LogPeer peer, MemberRole role) {
        Member.Builder row = Member.newBuilder()
                .setName(peer.name())
                .setLog(peer.log())
                .setAddress(peer.address())
                .setRole(role);
        return ask(peer).thenApply(told -> {
            told.ifPresent(said -> said.version().ifPresent(row::setVersion));
            return row.setHealthy(told.isPresent()).build();
        });
    }

    /** Empty also if another directory answers than the member's. */
    private CompletableFuture<Optional<Told>> ask(LogPeer peer) {
        return peer.address().isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : doors.ask(URI.create(peer.address()))
                        .thenApply(told -> told.filter(said -> isOf(peer, said.identity())));
    }

    /** A founder's id is its name, and an empty directory that waits under that name is not the founder's. */
    private static boolean isOf(LogPeer peer, DirectoryIdentity answered) {
        return answered.isOfACell() && answered.peerId(peer.name()).equals(peer.id());
    }

    // ---- changing them

    private CompletableFuture<Answer<MemberList>> add(AddMemberRequest request) {
        Membership.Member member = member(request.getName(), request.getLog(), request.getAddress());
        List<LogPeer> now = peers();
        for (LogPeer peer : now) {
            checkIsAnother(peer, member);
        }
        checkCanReach(now, member);
        return changeOne(() -> findJoiner(member).thenCompose(joiner -> admit(joiner, now)));
    }

    private static Membership.Member member(String name, String log, String address) {
        return Requests.checked("", () -> new Membership.Member(name, log, URI.create(address)));
    }

    private static void checkIsAnother(LogPeer peer, Membership.Member member) {
        if (peer.name().equals(member.name())) {
            throw Problem.conflict("Replica " + peer.name() + " is a member already")
                    .withHint("if its directory is lost: cella cell replace " + peer.name());
        }
        if (peer.log().equals(member.log())
                || peer.address().equals(member.address().toString())) {
            throw Problem.conflict("Replica " + peer.name() + " has that address already");
        }
    }

    /** A replica that was started alone listens for others on loopback, unless its own row names another address. */
    private static void checkCanReach(List<LogPeer> now, Membership.Member member) {
        if (now.size() == 1 && isLoopback(now.get(0).log()) && !isLoopback(member.log())) {
            throw Problem.conflict("The log of this replica listens on "
                            + now.get(0).log() + ", where " + member.log() + " cannot reach it")
                    .withHint("start this one with its own row in the file (replicas: name, log, address), then ask"
                            + " again");
        }
    }

    private static boolean isLoopback(String log) {
        return log.startsWith("127.") || log.startsWith("localhost:") || log.startsWith("[::1]");
    }

    private CompletableFuture<Answer<MemberList>> replace(ReplaceMemberRequest request) {
        PeerStanding lost = find(request.getName());
        LogPeer peer = lost.peer();
        Membership.Member member = member(
                peer.name(),
                request.hasLog() ? request.getLog() : peer.log(),
                request.hasAddress() ? request.getAddress() : peer.address());
        List<LogPeer> others = without(peer);
        return changeOne(() -> checkMajorityAnswers(others, "replaced")
                .thenCompose(majority -> ask(peer))
                .thenCompose(told -> {
                    if (told.isPresent() || lost.isLeader()) {
                        throw Problem.conflict("Replica " + peer.name() + " answers and has its directory")
                                .withHint("remove it, or stop it first");
                    }
                    return findJoiner(member);
                })
                .thenCompose(joiner -> replace(joiner, others)));
    }

    /**
     * The lost one goes before its successor opens its log. The successor often has the same address, and the leader's
     * messages to the lost one would reach it: it would take itself for a member, find that it is none, and close its log.
     */
    private CompletableFuture<Void> replace(LogPeer joiner, List<LogPeer> others) {
        return change(others, CATCH_UP_TRIES)
                .thenCompose(removed -> admit(joiner, others)
                        .exceptionallyCompose(
                                failure -> CompletableFuture.failedFuture(notSucceeded(joiner, failure))));
    }

    private static Problem notSucceeded(LogPeer joiner, Throwable failure) {
        return Problem.unavailable("The lost replica %s is no member any more, and its successor is not one yet: %s"
                        .formatted(joiner.name(), words(cause(failure))))
                .withHint("ask again with: cella cell add %s --log %s --address %s"
                        .formatted(joiner.name(), joiner.log(), joiner.address()));
    }

    private CompletableFuture<LogPeer> findJoiner(Membership.Member member) {
        return doors.ask(member.address()).thenApply(told -> joiner(member, told));
    }

    /** Tells the waiting replica that the cell accepts it, and makes it a member once its log is open. */
    private CompletableFuture<Void> admit(LogPeer joiner, List<LogPeer> others) {
        directory.expect(joiner);
        List<LogPeer> next = Stream.concat(others.stream(), Stream.of(joiner)).toList();
        return awaitLogOpen(joiner, JOIN_LOOKS_MAX)
                .thenCompose(open -> change(next, CATCH_UP_TRIES))
                .whenComplete((done, failure) -> directory.expectNobody());
    }

    private LogPeer joiner(Membership.Member member, Optional<Told> told) {
        Told waiting = told.orElseThrow(() -> Problem.conflict("No server answers at " + member.address())
                .withHint(
                        "start it first: cella server --config FILE --replica %s --data EMPTY-DIRECTORY, with its row in the file"
                                .formatted(member.name())));
        if (!waiting.identity().cell().equals(replica.cell())) {
            throw Problem.conflict("The server at %s is of the cell %s"
                    .formatted(member.address(), waiting.identity().cell()));
        }
        checkProgram(member, waiting.identity());
        LogPeer joiner = new LogPeer(
                LogPeer.idOfJoiner(member.name(), waiting.identity().directory()),
                member.log(),
                member.address().toString());
        boolean isThisJoiner = waiting.identity().peerId(member.name()).equals(joiner.id());
        if (waiting.version().isPresent() && !isThisJoiner) {
            throw Problem.conflict("The server at " + member.address() + " has a directory that is not empty")
                    .withHint("start it on an empty directory");
        }
        return joiner;
    }

    /** A program that cannot read the log leaves at once, and the cell may then lack a majority without it. */
    private void checkProgram(Membership.Member member, DirectoryIdentity waiting) {
        int level = replica.read(CellView::featureLevel);
        if (!waiting.isOfACell() && Founding.levelOf(waiting) < level) {
            throw Problem.conflict("The program of the server at %s knows feature level %d, and the cell is at %d"
                            .formatted(member.address(), Founding.levelOf(waiting), level))
                    .withHint("start it with a program as new as that of the other replicas");
        }
    }

    private CompletableFuture<Void> awaitLogOpen(LogPeer joiner, int looksLeft) {
        return ask(joiner).thenCompose(told -> {
            if (told.filter(said -> said.identity().hasLog()).isPresent()) {
                return CompletableFuture.completedFuture(null);
            }
            if (looksLeft == 0) {
                throw Problem.conflict("Replica " + joiner.name() + " did not open its log")
                        .withHint("its file must name this replica among the others; see what it says, then ask again");
            }
            return later().thenCompose(waited -> awaitLogOpen(joiner, looksLeft - 1));
        });
    }

    private static CompletableFuture<Void> later() {
        return CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** Retries, because Ratis gives up on a new member that is silent for a moment. */
    private CompletableFuture<Void> change(List<LogPeer> next, int triesLeft) {
        return replica.log()
                .changePeers(next)
                .exceptionallyCompose(failure -> triesLeft > 0 && replica.leads()
                        ? later().thenCompose(waited -> change(next, triesLeft - 1))
                        : CompletableFuture.failedFuture(notChanged(failure)));
    }

    private static Problem notChanged(Throwable failure) {
        return Problem.unavailable("The members could not be changed: " + words(cause(failure)))
                .withHint("cella cell members shows how they are now; ask again");
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static String words(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause.getClass().getSimpleName().replace("Exception", "")
                + (message.length() > 120 ? "" : ", " + message);
    }

    private CompletableFuture<Answer<MemberList>> remove(RemoveMemberRequest request) {
        PeerStanding standing = find(request.getName());
        LogPeer peer = standing.peer();
        List<LogPeer> others = without(peer);
        if (others.isEmpty()) {
            throw Problem.conflict("Replica " + peer.name() + " is the last one of the cell")
                    .withHint("stop its server to end the cell");
        }
        return changeOne(() -> checkMajorityAnswers(others, "removed")
                .thenCompose(answering -> standing.isLeader() ? handOver(answering) : change(others, 0)));
    }

    /** The leader cannot remove itself. So it transfers the leadership first, and the new leader is asked again. */
    private CompletableFuture<Void> handOver(List<PeerStanding> answering) {
        PeerStanding next = answering.stream()
                .min(Comparator.comparingLong(PeerStanding::entriesBehind))
                .orElseThrow();
        return handOverTo(next.peer()).thenCompose(handed -> {
            throw Problem.noLeader("This replica led the cell, and hands over to "
                            + next.peer().name())
                    .withHint("ask again: it is removed by the next leader");
        });
    }

    private CompletableFuture<Void> handOverTo(LogPeer next) {
        return replica.handOver(next)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(notHandedOver(next, failure)));
    }

    private static Problem notHandedOver(LogPeer next, Throwable failure) {
        return Problem.unavailable(
                        "Replica %s did not take over the lead: %s".formatted(next.name(), words(cause(failure))))
                .withHint("cella cell members shows which one leads; ask again");
    }

    private CompletableFuture<Answer<MemberList>> transfer(TransferLeadRequest request) {
        PeerStanding standing = find(request.getName());
        if (standing.isLeader()) {
            return list();
        }
        if (!standing.isHeard()) {
            throw Problem.conflict("Replica " + request.getName() + " does not answer, and cannot lead");
        }
        return changeOne(() -> handOverTo(standing.peer()));
    }

    // ---- shared

    private List<LogPeer> peers() {
        return standings().stream().map(PeerStanding::peer).toList();
    }

    private List<LogPeer> without(LogPeer left) {
        return peers().stream().filter(peer -> !peer.id().equals(left.id())).toList();
    }

    private PeerStanding find(String name) {
        return standings().stream()
                .filter(standing -> standing.peer().name().equals(name))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("There is no replica " + name)
                        .withHint("cella cell members shows which there are"));
    }

    /** Those that stay must be able to go on by themselves. Gives those of them that answer. */
    private CompletableFuture<List<PeerStanding>> checkMajorityAnswers(List<LogPeer> staying, String done) {
        return answering(staying).thenApply(answering -> {
            if (answering.size() * 2 <= staying.size()) {
                throw Problem.conflict(
                                "It cannot be %s: of the %d replicas that would be left %d answer, which is no majority"
                                        .formatted(done, staying.size(), answering.size()))
                        .withHint("start the others first; cella cell members shows which do not answer");
            }
            return answering;
        });
    }

    private CompletableFuture<List<PeerStanding>> answering(List<LogPeer> staying) {
        List<CompletableFuture<Optional<PeerStanding>>> asked = standings().stream()
                .filter(standing -> staying.contains(standing.peer()) && standing.isHeard())
                .map(this::ifAnswers)
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all ->
                        asked.stream().flatMap(answer -> answer.join().stream()).toList());
    }

    private CompletableFuture<Optional<PeerStanding>> ifAnswers(PeerStanding standing) {
        return standing.isLeader()
                ? CompletableFuture.completedFuture(Optional.of(standing))
                : ask(standing.peer()).thenApply(told -> told.map(said -> standing));
    }

    private CompletableFuture<Answer<MemberList>> changeOne(Supplier<CompletableFuture<Void>> change) {
        if (!changing.compareAndSet(false, true)) {
            throw Problem.conflict("Another change of the members is under way")
                    .withHint("cella cell members shows when it is done");
        }
        CompletableFuture<Void> changed;
        try {
            changed = change.get();
        } catch (RuntimeException failure) {
            changing.set(false);
            throw failure;
        }
        return changed.whenComplete((done, failure) -> changing.set(false)).thenCompose(done -> list());
    }
}
