package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.ListenAddress;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPeer;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.LogSyncs;
import dev.cella.state.core.Membership;
import dev.cella.state.core.OwnersOnly;
import dev.cella.state.core.PeerStanding;
import dev.cella.state.core.ReplicatedLog;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.core.StartRefusedException.Why;
import dev.cella.state.core.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpcWithProxy;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log on Apache Ratis, its server embedded in this process.
 *
 * <p>Entries are submitted within the process, never through {@code RaftClient}, whose path was by far the slowest part in
 * measurements. The result of an entry comes from its apply, handed over in memory as soon as it is applied here. Only
 * failures in Ratis' own reply count, and a failure does not prove that the entry is not committed.
 *
 * <p>The log is begun (formatted) once in the life of a directory, before anything is acknowledged in it. Every later start
 * recovers it. When asked to recover an empty directory, Ratis would format it; so this class first checks that the expected
 * files exist.
 *
 * <p>One thread at a time may call {@link #append}. Ratis returns from it when the entry has its place.
 */
public final class RatisLog implements ReplicatedLog {
    static final String LOOPBACK = "127.0.0.1";

    /** This file exists in the log's directory until the log has an entry. An empty log without it was emptied. */
    private static final String FRESH = "fresh";

    /** A process that has ended refuses a connection at once. */
    private static final Duration REFUSES_MAX = Duration.ofMillis(100);

    /** A follower that is silent for longer, in election time-outs, is cut off, or its process stands still. */
    private static final int SILENT_TIMEOUTS_MAX = 4;

    private final DataDirectory directory;
    private final RatisOptions options;
    private final Time time;
    private final List<LogPeer> peersAtStart;
    private final String ownLog;
    private final RaftPeerId self;
    private final RaftGroupId group;
    private final LogFiles files;
    private final Proposers proposers;
    private final ClientId client;
    private final AtomicLong calls = new AtomicLong();
    private final PendingEntries pending;
    private final Successors successors;
    private final Followers followers;
    private final CommitNews news;
    private final ConfirmedEntries confirmed;
    private final LeaderWatch watch;
    private volatile @Nullable LogStateMachine stateMachine;
    private volatile @Nullable RaftServer server;
    private volatile boolean hasStarted;
    private volatile long lastEntryAtStart = -1;

    public RatisLog(DataDirectory directory, RatisOptions options, Membership membership, Time time) {
        this.directory = directory;
        this.options = options;
        this.time = time;
        this.self = RaftPeerId.valueOf(directory.identity().peerId(directory.replica(membership)));
        this.ownLog = ownLog(membership);
        this.peersAtStart = peersAtStart(membership);
        this.group = RaftGroupId.valueOf(directory.cellId());
        this.proposers = new Proposers(directory.cellId());
        this.client = proposers.next();
        this.pending = new PendingEntries(client);
        this.successors = new Successors(options.electionTimeoutMin(), time);
        this.followers = new Followers(
                self,
                () -> division().map(RaftServer.Division::getRaftConf),
                new LostConnections(
                        options.electionTimeoutMin().multipliedBy(SILENT_TIMEOUTS_MAX), this::replaceConnection),
                successors,
                options.electionTimeoutMin(),
                time);
        this.news = new CommitNews(time, followers::tellCommitted);
        this.confirmed = new ConfirmedEntries(directory.log());
        this.files = new LogFiles(directory.log(), directory.cellId(), self.toString(), isAlone());
        this.watch = new LeaderWatch(new RatisFollower(self, group, () -> server), options.electionTimeoutMin());
    }

    /** The configured address to listen on; by default the address under which the others know it. */
    private String ownLog(Membership membership) {
        return membership
                .find(membership.self())
                .map(Membership.Member::log)
                .or(() -> kept(self.toString()).map(LogPeer::log))
                .orElse(LOOPBACK + ":0");
    }

    private Optional<LogPeer> kept(String id) {
        return directory.identity().peers().stream()
                .filter(peer -> peer.id().equals(id))
                .findFirst();
    }

    /** The members it assumes until it has read its log. A joining member waits until the leader tells it. */
    private List<LogPeer> peersAtStart(Membership membership) {
        if (!directory.identity().peers().isEmpty() || directory.identity().hasJoined()) {
            return directory.identity().peers();
        }
        return membership.isAlone()
                ? List.of(new LogPeer(self.toString(), ownLog, address(membership, self.toString())))
                : membership.members().stream()
                        .map(member -> new LogPeer(
                                member.name(), member.log(), member.address().toString()))
                        .toList();
    }

    private static String address(Membership membership, String name) {
        return membership.find(name).map(member -> member.address().toString()).orElse("");
    }

    private boolean isAlone() {
        return peersAtStart.size() == 1 && peersAtStart.get(0).id().equals(self.toString());
    }

    /**
     * Marks the log as begun, without an entry. The first entry of a just restored directory follows its checkpoint. Without the
     * mark it would be founded with others that lack the checkpoint.
     */
    public static void beginEmpty(DataDirectory directory) throws IOException {
        OwnersOnly.createDirectories(directory.log());
        DurableFiles.write(directory.log().resolve(FRESH));
        DurableFiles.sync(directory.log());
        directory.markLogBegun();
    }

    /** Ratis' gRPC ends the process, without a word to the operator, if it cannot listen. */
    public static void checkPort(String log) throws IOException, StartRefusedException {
        new ListenAddress(
                        PeerAddress.of(log).resolved(),
                        Why.LOG_PORT_IN_USE,
                        "the log of this replica listens there (" + log
                                + "): stop the program that has the port, or give the log another one")
                .check();
    }

    @Override
    public void start(LogListener listener) throws IOException, StartRefusedException {
        checkPort(ownLog);
        CheckpointShipping shipping = new CheckpointShipping(directory, listener, time);
        StartupOption option = directory.hasLog() ? recoverWhole(listener) : begin(listener);
        LogStateMachine machine = new LogStateMachine(
                self,
                listener,
                proposers,
                pending,
                this::isLeader,
                shipping,
                followers,
                options.entriesKept(),
                this::peersMayHaveChanged,
                this::forgetConnections);
        stateMachine = machine;
        startServer(machine, option);
        peersMayHaveChanged();
        // From here on, leadership is reported and entries can be proposed.
        machine.openForLeading();
        watch.start();
        shipping.watch();
    }

    /**
     * Ratis reports a damaged file as a broken invariant. If the start fails, all files are read to find the damage.
     */
    private void startServer(LogStateMachine machine, StartupOption option) throws IOException, StartRefusedException {
        try {
            RaftServer made = build(machine, option);
            server = made;
            made.start();
            hasStarted = true;
        } catch (IOException | RuntimeException failure) {
            files.checkAll();
            throw failure;
        }
    }

    private void replaceConnection(RaftPeerId follower) {
        RaftServer running = server;
        if (running != null && running.getServerRpc() instanceof RaftServerRpcWithProxy<?, ?> connected) {
            connected.getProxies().resetProxy(follower);
        }
    }

    /**
     * Closes the connections of an earlier leadership or candidacy. A member that only follows uses none of them. Ratis' Netty
     * client does not notice that a member at the other end started again: the next request for its vote would fail. If all
     * failed, the member would have to wait for another election time-out. A gRPC channel connects again by itself.
     *
     * <p>Closing waits for the network, and Ratis calls this while it holds its lock.
     */
    private void forgetConnections() {
        if (options.rpc() == LogRpc.NETTY) {
            var unused = CompletableFuture.runAsync(() -> division()
                    .filter(member -> member.getInfo().isFollower())
                    .ifPresent(member -> member.getRaftConf().getCurrentPeers().stream()
                            .map(RaftPeer::getId)
                            .filter(peer -> !peer.equals(self))
                            .forEach(this::replaceConnection)));
        }
    }

    private boolean isLeader() {
        return division().map(member -> member.getInfo().isLeader()).orElse(false);
    }

    private Optional<RaftServer.Division> division() {
        RaftServer running = server;
        try {
            return running == null ? Optional.empty() : Optional.of(running.getDivision(group));
        } catch (IOException notServedAnyMore) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> leader() {
        return division().map(member -> member.getInfo().getLeaderId()).map(id -> LogPeer.nameIn(id.toString()));
    }

    @Override
    public long entriesBehind() {
        return division()
                .map(member -> committed(member) - member.getInfo().getLastAppliedIndex())
                .orElse(0L);
    }

    @Override
    public LogSyncs syncs() {
        return division().map(member -> RatisTimers.syncs(member.getMemberId())).orElse(LogSyncs.NONE);
    }

    /**
     * If its writer fails in an unexpected way, Ratis begins to close, waits for that writer forever, and tells nobody.
     */
    @Override
    public boolean isAlive() {
        return division()
                .map(member -> LifeCycle.States.STARTING_OR_RUNNING.contains(
                        member.getInfo().getLifeCycleState()))
                .orElse(false);
    }

    /** As far as this member knows from any other. */
    private static long committed(RaftServer.Division member) {
        return member.getCommitInfos().stream()
                .mapToLong(CommitInfoProto::getCommitIndex)
                .max()
                .orElse(0);
    }

    /**
     * Begins a log. A restored directory has a checkpoint and no entry: without the checkpoint it would begin another cell, which
     * is empty.
     */
    private StartupOption begin(LogListener listener) throws IOException, StartRefusedException {
        Optional<Path> damaged = directory.damagedCheckpoint();
        if (listener.newestCheckpoint().isAtStart() && damaged.isPresent()) {
            throw new StartRefusedException(
                    Why.DAMAGED,
                    "no checkpoint is whole (%s was put aside), and the log has no entry".formatted(damaged.get()),
                    files.advice());
        }
        format(listener.newestCheckpoint());
        return StartupOption.FORMAT;
    }

    /**
     * Files that are here now are from starts that took no command. A member may vote as soon as it runs and must not forget its
     * votes, so the log counts as begun before that. A log that is begun again keeps its mark: the process may be killed here.
     */
    private void format(LogPosition checkpoint) throws IOException, StartRefusedException {
        if (directory.hasLog()) {
            files.removeWithoutEntries(checkpoint);
        } else {
            DurableFiles.removeTree(directory.log());
            beginEmpty(directory);
        }
    }

    private StartupOption recoverWhole(LogListener listener) throws IOException, StartRefusedException {
        lastEntryAtStart = listener.newestCheckpoint().index();
        StartupOption option = recover(listener);
        confirmed.read();
        confirmed.of(self.toString()).ifPresent(entry -> directory.mustReach("its own file", entry));
        directory.checkReaches(lastEntryAtStart, files.advice());
        return option;
    }

    private StartupOption recover(LogListener listener) throws IOException, StartRefusedException {
        if (isStillFresh()) {
            return begin(listener);
        }
        if (!isAlone() && files.isEmptyAfterACheckpointCame(listener.newestCheckpoint())) {
            return StartupOption.RECOVER;
        }
        checkHadAnEntry();
        lastEntryAtStart = Math.max(lastEntryAtStart, files.recover(listener.newestCheckpoint()));
        return StartupOption.RECOVER;
    }

    /**
     * The log counts as begun, and nothing has happened in it: no entry has come, and there is no vote to forget. A lone replica
     * has voted at most for itself.
     */
    private boolean isStillFresh() throws IOException {
        return isFreshWithoutEntry() && (isAlone() || !files.mayHaveVoted());
    }

    private boolean isFreshWithoutEntry() throws IOException {
        return Files.exists(directory.log().resolve(FRESH)) && files.isEmpty();
    }

    /** A vote that is forgotten could elect a second leader, which lacks entries. */
    private void checkHadAnEntry() throws IOException, StartRefusedException {
        if (isFreshWithoutEntry()) {
            throw new StartRefusedException(
                    Why.LOG_INCOMPLETE,
                    "the log in %s has no entry yet, and this replica may have voted".formatted(directory.log()),
                    files.advice()
                            + "; if all replicas say this, the cell has taken no command, and each can start on an empty directory");
        }
    }

    private RaftServer build(LogStateMachine machine, StartupOption option) throws IOException {
        RaftProperties settings =
                RatisSettings.of(options, ownLog, isAlone(), directory.log().toFile());
        Parameters parameters = RatisSettings.parameters(options);
        WatchedRpc.install(settings, parameters, followers);
        return RaftServer.newBuilder()
                .setServerId(self)
                .setGroup(RaftGroup.valueOf(group, raftPeers(peersAtStart)))
                .setProperties(settings)
                .setParameters(parameters)
                .setStateMachine(machine)
                .setOption(option)
                .build();
    }

    private static List<RaftPeer> raftPeers(List<LogPeer> peers) {
        return peers.stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(peer.id())
                        .setAddress(peer.log())
                        .setClientAddress(peer.address().isEmpty() ? null : peer.address())
                        .build())
                .toList();
    }

    // ---- its members

    @Override
    public List<LogPeer> peers() {
        return division().stream()
                .flatMap(member -> member.getRaftConf().getCurrentPeers().stream())
                .map(this::logPeer)
                .sorted(Comparator.comparing(LogPeer::id))
                .toList();
    }

    /** A lone replica may listen on any port, and the log does not know which. */
    private LogPeer logPeer(RaftPeer peer) {
        String id = peer.getId().toString();
        String known = kept(id).or(() -> atStart(id)).map(LogPeer::address).orElse("");
        String address = peer.getClientAddress() == null ? known : peer.getClientAddress();
        boolean isAnyPort = peer.getId().equals(self) && peer.getAddress().endsWith(":0");
        return new LogPeer(id, isAnyPort ? listening() : peer.getAddress(), address);
    }

    private Optional<LogPeer> atStart(String id) {
        return peersAtStart.stream().filter(peer -> peer.id().equals(id)).findFirst();
    }

    private String listening() {
        RaftServer running = server;
        return running != null && hasStarted
                ? LOOPBACK + ":" + running.getServerRpc().getInetSocketAddress().getPort()
                : ownLog;
    }

    /**
     * Stores the members beside the log. A start reads there where to listen, and others read whether this replica is a
     * member.
     *
     * <p>A lone replica can lead before Ratis listens, and its port is known only once it does. The start calls this at its end.
     *
     * <p>The members of a log without an entry are those in the configuration, which may name other addresses at the next start.
     * The first entry of a log has the members, so this is called before a command is acknowledged.
     */
    private synchronized void peersMayHaveChanged() {
        if (!hasStarted) {
            return;
        }
        try {
            List<LogPeer> peers = peers();
            if (!peers.isEmpty() && !isStillFresh()) {
                directory.keepPeers(peers);
            }
            if (!files.isEmpty()) {
                removeMark();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write down who the members of the log are", failure);
        }
    }

    private void removeMark() throws IOException {
        if (Files.deleteIfExists(directory.log().resolve(FRESH))) {
            DurableFiles.sync(directory.log());
        }
    }

    @Override
    public List<PeerStanding> standings() {
        return division().map(this::standings).orElse(List.of());
    }

    private List<PeerStanding> standings(RaftServer.Division member) {
        Map<String, Long> committed = new HashMap<>();
        member.getCommitInfos()
                .forEach(info -> committed.put(info.getServer().getId().toStringUtf8(), info.getCommitIndex()));
        Map<String, Long> silent = new HashMap<>();
        member.getInfo()
                .getRoleInfoProto()
                .getLeaderInfo()
                .getFollowerInfoList()
                .forEach(info -> silent.put(info.getId().getId().toStringUtf8(), info.getLastRpcElapsedTimeMs()));
        long last = committed(member);
        return peers().stream()
                .map(peer -> new PeerStanding(
                        peer,
                        peer.id().equals(self.toString()) && isLeader(),
                        Math.max(0, last - committed.getOrDefault(peer.id(), 0L)),
                        silent.getOrDefault(peer.id(), Long.MAX_VALUE)))
                .toList();
    }

    /** An entry counts as confirmed when its member knows that it is committed, and has it on disk. */
    @Override
    public Map<String, Long> confirmed() {
        Map<String, Long> now = new HashMap<>();
        now.put(self.toString(), lastEntryAtStart);
        division().ifPresent(member -> {
            member.getCommitInfos()
                    .forEach(info ->
                            now.merge(info.getServer().getId().toStringUtf8(), info.getCommitIndex(), Math::max));
            now.merge(self.toString(), member.getRaftLog().getLastCommittedIndex(), Math::max);
            confirmed.learn(now);
        });
        return confirmed.all();
    }

    @Override
    public void keepConfirmed() throws IOException {
        confirmed();
        confirmed.write();
    }

    /**
     * When it completes, the new members are stored here, so that this replica tells everybody of them. Ratis holds its lock
     * while it completes its part, and storing waits for the disk.
     */
    @Override
    public CompletableFuture<Void> changePeers(List<LogPeer> next) {
        SetConfigurationRequest.Arguments change = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(raftPeers(next))
                .setServersInCurrentConf(raftPeers(peers()))
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build();
        return ask(running -> running.setConfigurationAsync(
                        new SetConfigurationRequest(client, self, group, calls.incrementAndGet(), change)))
                .thenRunAsync(this::peersMayHaveChanged);
    }

    @Override
    public Optional<LogPeer> successor() {
        return isLeader()
                ? successors
                        .rank(standings())
                        .filter(peer -> !LeaderWatch.refuses(peer.log(), REFUSES_MAX))
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public CompletableFuture<Void> transferLead(String id) {
        return ask(running -> running.transferLeadershipAsync(new TransferLeadershipRequest(
                client,
                self,
                group,
                calls.incrementAndGet(),
                RaftPeerId.valueOf(id),
                options.electionTimeoutMin().multipliedBy(4).toMillis())));
    }

    /** An administrative command to Ratis. */
    @FunctionalInterface
    private interface Order {
        CompletableFuture<RaftClientReply> to(RaftServer server) throws IOException;
    }

    private CompletableFuture<Void> ask(Order order) {
        try {
            return order.to(running()).thenAccept(RatisLog::checkDone);
        } catch (IOException | RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static void checkDone(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new CompletionException(String.valueOf(reply.getException()), reply.getException());
        }
    }

    private RaftServer running() {
        RaftServer running = server;
        if (running == null) {
            throw new IllegalStateException("the log has not been started");
        }
        return running;
    }

    // ---- its entries

    @Override
    public CompletableFuture<AppliedEntry> append(byte[] entry) {
        long call = calls.incrementAndGet();
        CompletableFuture<AppliedEntry> applied = pending.expect(call);
        news.proposed();
        var landed = applied.whenComplete((done, failure) -> news.landed());
        try {
            var unused = submit(call, entry).whenComplete((reply, failure) -> pending.replied(call, reply, failure));
        } catch (IOException | RuntimeException failure) {
            pending.replied(call, null, failure);
        }
        return landed;
    }

    private CompletableFuture<@Nullable RaftClientReply> submit(long call, byte[] entry) throws IOException {
        return entrance()
                .submitClientRequestAsync(RaftClientRequest.newBuilder()
                        .setClientId(client)
                        .setServerId(self)
                        .setGroupId(group)
                        .setCallId(call)
                        .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
                        .setType(RaftClientRequest.writeRequestType())
                        .build());
    }

    /**
     * The server hands a request over to another thread and waits until that one has given it its place. The division takes it
     * on this thread.
     */
    private RaftClientAsynchronousProtocol entrance() throws IOException {
        RaftServer running = running();
        return running.getDivision(group) instanceof RaftClientAsynchronousProtocol direct ? direct : running;
    }

    /**
     * A member that leads has applied what was committed before it led, and acknowledges an entry only when it has applied it.
     * So it lacks nothing if a majority confirms it, in the term in which it was ready to lead before the call.
     */
    @Override
    public CompletableFuture<Void> catchUp() {
        long term = term();
        return leadsIn(term)
                ? followers.confirmLeader().thenAccept(confirmed -> checkLeadsIn(term))
                : CompletableFuture.failedFuture(notLeading());
    }

    private long term() {
        return division().map(member -> member.getInfo().getCurrentTerm()).orElse(-1L);
    }

    /** Terms never go back. So if the term is the same afterwards, it was the same when the member was ready to lead. */
    private boolean leadsIn(long term) {
        LogStateMachine machine = stateMachine;
        return machine != null && machine.leads() && term() == term;
    }

    private void checkLeadsIn(long term) {
        if (!leadsIn(term)) {
            throw new CompletionException(notLeading());
        }
    }

    private static IOException notLeading() {
        return new IOException("this member of the log does not lead");
    }

    @Override
    public void close() throws IOException {
        watch.close();
        LogStateMachine machine = stateMachine;
        if (machine != null) {
            machine.expectShutdown();
        }
        RaftServer running = server;
        if (running != null) {
            Optional<RaftLog> log = readLog();
            if (log.isPresent()) {
                confirmed();
            }
            running.close();
            if (log.isPresent()) {
                files.closed(log.get().getFlushIndex());
                confirmed.write();
            }
        }
    }

    /** Ratis has none if it was refused because of damage in it. */
    private Optional<RaftLog> readLog() {
        return hasStarted ? division().map(RaftServer.Division::getRaftLog) : Optional.empty();
    }
}
