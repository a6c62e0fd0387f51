package dev.cella.cli.part;

import com.google.protobuf.util.Durations;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.InputFile;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ReplicaRpc;
import dev.cella.client.proto.ServerConfiguration;
import dev.cella.state.CellServerOptions;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.ratis.LogRpc;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.model.CellName;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a server is started with, put together from where it may be said: a flag, else the environment ({@code
 * CELLA_SERVER_DATA} and so on), else the file, else a default.
 */
final class ServerSettings {
    private static final String VARIABLE_PREFIX = "CELLA_SERVER_";
    private static final String HINT = "see cella server --help";
    private static final String EXAMPLE = "docs/operating.md has a file that is right";
    private static final String LOOPBACK = "127.0.0.1";

    private final Terminal terminal;
    private final ServerConfiguration file;

    private ServerSettings(Terminal terminal, ServerConfiguration file) {
        this.terminal = terminal;
        this.file = file;
    }

    /** What flags say goes before the environment and the file; what is wrong in any of them ends the command. */
    static CellServerOptions read(ServerFlags flags, Terminal terminal) {
        ServerConfiguration file = flags.config()
                .map(name -> new InputFile(name, "configuration", EXAMPLE, terminal)
                        .read(ServerConfiguration.getDefaultInstance())
                        .message())
                .orElse(ServerConfiguration.getDefaultInstance());
        try {
            return new ServerSettings(terminal, file).options(flags);
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(String.valueOf(wrong.getMessage()), HINT);
        }
    }

    private CellServerOptions options(ServerFlags flags) {
        Membership membership = membership(flags);
        Optional<URI> own = membership.find(membership.self()).map(Member::address);
        String host = choose(flags.host(), "HOST", file.hasHost(), file.getHost())
                .orElse(own.map(URI::getHost).orElse(LOOPBACK));
        int port = choose(flags.port().map(String::valueOf), "PORT", file.hasPort(), String.valueOf(file.getPort()))
                .map(ServerSettings::port)
                .orElse(own.map(URI::getPort).orElse(CellServerOptions.PORT_DEFAULT));
        return CellServerOptions.defaults(terminal.environment().path(data(flags)))
                .withCell(new CellName(choose(flags.cell(), "CELL", file.hasCell(), file.getCell())
                        .orElse("cell")))
                .withAddress(address(host), port)
                .withHostNames(flags.hostNames().isEmpty() ? Set.copyOf(file.getHostNamesList()) : flags.hostNames())
                .withReplica(new ReplicaOptions(limits(), log(flags), membership));
    }

    private ReplicaLimits limits() {
        ReplicaLimits limits = ReplicaLimits.defaults();
        return file.hasCheckpointLogBytes() ? limits.withCheckpointLogBytes(file.getCheckpointLogBytes()) : limits;
    }

    private String data(ServerFlags flags) {
        return choose(flags.data(), "DATA", file.hasData(), file.getData())
                .orElseThrow(() -> CommandFailure.usage(
                        "it is not said where the cell is kept", "say it by --data DIR, or by data: in the file"));
    }

    private Optional<String> choose(Optional<String> flag, String variable, boolean isInFile, String inFile) {
        return flag.or(() -> terminal.environment().variable(VARIABLE_PREFIX + variable))
                .or(() -> isInFile ? Optional.of(inFile) : Optional.empty());
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException("a port is a number, not " + text);
        }
    }

    private static InetAddress address(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null) {
                return address;
            }
        } catch (UnknownHostException | SocketException unknown) {
            // Said below, like an address of another machine.
        }
        throw new IllegalArgumentException("the host " + host + " has no address here");
    }

    private Membership membership(ServerFlags flags) {
        Optional<String> self = choose(flags.replica(), "REPLICA", file.hasReplica(), file.getReplica());
        List<Member> members =
                file.getReplicasList().stream().map(ServerSettings::member).toList();
        if (members.isEmpty()) {
            return Membership.alone();
        }
        return new Membership(
                self.orElseThrow(() -> CommandFailure.usage(
                        "it is not said which of the replicas this is",
                        "say it by --replica NAME, or by replica: in the file")),
                members);
    }

    private static Member member(ReplicaConfiguration row) {
        return new Member(row.getName(), row.getLog(), URI.create(row.getAddress()));
    }

    private RatisOptions log(ServerFlags flags) {
        RatisOptions log = RatisOptions.defaults();
        LogRpc rpc = choose(
                        flags.rpc(), "RPC", file.getRpc() != ReplicaRpc.REPLICA_RPC_UNSPECIFIED, inFile(file.getRpc()))
                .map(ServerSettings::rpc)
                .orElse(log.rpc());
        Duration timeout = flags.electionTimeout()
                .or(() -> file.hasElectionTimeout()
                        ? Optional.of(Duration.ofNanos(Durations.toNanos(file.getElectionTimeout())))
                        : Optional.empty())
                .orElse(log.electionTimeoutMin());
        return log.withRpc(rpc)
                .withElectionTimeoutMin(timeout)
                .withSegmentBytes(file.hasLogSegmentBytes() ? file.getLogSegmentBytes() : log.segmentBytes());
    }

    private static String inFile(ReplicaRpc rpc) {
        return rpc.name().substring("REPLICA_RPC_".length());
    }

    private static LogRpc rpc(String word) {
        try {
            return LogRpc.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("replicas talk by grpc or netty, not by " + word);
        }
    }
}
