package dev.cella.cli.part;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsFilesException;
import dev.cella.client.access.TlsRole;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import dev.cella.state.Access;
import dev.cella.state.CellServerOptions;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.LogRpc;
import dev.cella.state.ratis.LogTls;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.state.web.Security;
import dev.cella.transactions.model.CellName;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The settings of a server, from its flags and from the part that only its file can have: the replicas. */
final class ServerSettings {
    private static final String HINT = "see cella server --help";
    private static final String LOOPBACK = "127.0.0.1";

    private final ServerFlags flags;
    private final ServerConfiguration file;
    private final Terminal terminal;
    private final OwnAddress addresses = OwnAddress.ofThisMachine();

    private ServerSettings(ServerFlags flags, ServerConfiguration file, Terminal terminal) {
        this.flags = flags;
        this.file = file;
        this.terminal = terminal;
    }

    /** A wrong setting ends the command. */
    static CellServerOptions read(ServerFlags flags, ServerConfiguration file, Terminal terminal)
            throws InterruptedException {
        try {
            return new ServerSettings(flags, file, terminal).options();
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(String.valueOf(wrong.getMessage()), HINT);
        }
    }

    private CellServerOptions options() throws InterruptedException {
        Membership membership = membership();
        Optional<Member> row = membership.find(membership.self());
        if (row.isPresent()) {
            awaitAddresses(row.get());
        }
        Optional<URI> own = row.map(Member::address);
        String host = flags.host().or(() -> own.map(URI::getHost)).orElse(LOOPBACK);
        int port = flags.port().or(() -> own.map(URI::getPort)).orElse(CellServerOptions.PORT_DEFAULT);
        InetAddress address = addresses.get(host);
        return CellServerOptions.defaults(terminal.environment().path(data()))
                .withCell(new CellName(flags.cell().orElse("cell")))
                .withAddress(address, port)
                .withHostNames(flags.hostNames())
                .withAccess(access(address))
                .withReplica(new ReplicaOptions(limits(), log(), membership));
    }

    private void awaitAddresses(Member row) throws InterruptedException {
        if (flags.host().isEmpty()) {
            addresses.await(row.address().getHost(), terminal::say);
        }
        addresses.await(row.log().substring(0, row.log().lastIndexOf(':')), terminal::say);
    }

    /** Beyond loopback a server is closed, unless a setting says that it need not be. */
    private Access access(InetAddress host) {
        Optional<Tls> tls = tls();
        if (tls.isEmpty() && !host.isLoopbackAddress() && !flags.insecure()) {
            throw CommandFailure.usage(
                    "a server that listens beyond loopback (" + host.getHostAddress() + ") has TLS and tokens",
                    "make certificates with cella tls init DIR and give them with --tls DIR; --insecure lets anybody who"
                            + " reaches it give orders");
        }
        if (tls.isEmpty() && !flags.closed()) {
            return Access.OPEN;
        }
        Security security = tls.map(Security::ofTls).orElse(Security.TOKENS);
        return flags.tokenFile()
                .map(file -> Access.ofOwner(security, terminal.environment().path(file)))
                .orElseGet(() -> Access.closed(security));
    }

    private Optional<Tls> tls() {
        try {
            return flags.tls()
                    .map(folder -> Tls.load(TlsFiles.of(terminal.environment().path(folder), TlsRole.SERVER)));
        } catch (TlsFilesException refused) {
            throw CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        }
    }

    private ReplicaLimits limits() {
        ReplicaLimits limits = ReplicaLimits.defaults();
        return file.hasCheckpointLogBytes() ? limits.withCheckpointLogBytes(file.getCheckpointLogBytes()) : limits;
    }

    private String data() {
        return flags.data()
                .orElseThrow(() -> CommandFailure.usage(
                        "no data directory is named", "name it with --data DIR, or with data: in the file"));
    }

    private Membership membership() {
        List<Member> members =
                file.getReplicasList().stream().map(ServerSettings::member).toList();
        if (members.isEmpty()) {
            return Membership.alone();
        }
        return new Membership(
                flags.replica()
                        .orElseThrow(() -> CommandFailure.usage(
                                "no option names this replica",
                                "name it with --replica NAME, or with replica: in the file")),
                members);
    }

    private static Member member(ReplicaConfiguration row) {
        return new Member(row.getName(), row.getLog(), URI.create(row.getAddress()));
    }

    private RatisOptions log() {
        RatisOptions log = logTls();
        return log.withRpc(flags.rpc().map(ServerSettings::rpc).orElse(log.rpc()))
                .withElectionTimeoutMin(flags.electionTimeout().orElse(log.electionTimeoutMin()))
                .withSegmentBytes(file.hasLogSegmentBytes() ? file.getLogSegmentBytes() : log.segmentBytes())
                .withEntriesKept(file.getLogEntriesKept());
    }

    private RatisOptions logTls() {
        RatisOptions log = RatisOptions.defaults();
        return tls().map(tls -> log.withTls(new LogTls(tls.keyManager(), tls.trustManager(TlsRole.SERVER))))
                .orElse(log);
    }

    private static LogRpc rpc(String word) {
        try {
            return LogRpc.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("replicas talk by grpc or netty, not by " + word);
        }
    }
}
