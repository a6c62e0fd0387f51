package dev.cella.cli.part;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags of {@code cella server}. The values of omitted flags may come from elsewhere, see {@link ConfigurationOption}.
 */
final class ServerFlags {
    @Option(names = "--data", paramLabel = "DIR", description = "where the cell is kept (CELLA_SERVER_DATA)")
    private @Nullable String data;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "the address to listen on (CELLA_SERVER_HOST; default: 127.0.0.1)")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "the port to listen on; 0 takes any (CELLA_SERVER_PORT; default: 7070)")
    private @Nullable Integer port;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description = "a further name by which requests may call this server; may be repeated")
    private Set<String> hostNames = Set.of();

    @Option(
            names = "--cell",
            paramLabel = "NAME",
            description = "the name of the cell (CELLA_SERVER_CELL; default: cell)")
    private @Nullable String cell;

    @Option(
            names = "--replica",
            paramLabel = "NAME",
            description = "which of the replicas in the file this one is (CELLA_SERVER_REPLICA)")
    private @Nullable String replica;

    @Option(
            names = "--rpc",
            paramLabel = "grpc|netty",
            description = "how replicas talk to each other, all the same (CELLA_SERVER_RPC; default: grpc)")
    private @Nullable String rpc;

    @Option(
            names = "--election-timeout",
            paramLabel = "DURATION",
            description = "a replica without a leader for this long stands for election (default: 1500ms)")
    private @Nullable Duration electionTimeout;

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description = "the certificates that cella tls init made; every call then takes TLS and a token"
                    + " (CELLA_SERVER_TLS)")
    private @Nullable String tls;

    @Option(
            names = "--closed",
            description = "every call takes a token, over plain HTTP: for loopback (CELLA_SERVER_CLOSED)")
    private boolean closed;

    @Option(
            names = "--insecure",
            description = "listens beyond loopback although it has no TLS: anybody may give orders"
                    + " (CELLA_SERVER_INSECURE)")
    private boolean insecure;

    @Option(names = "--token-file", hidden = true, description = "keeps the token of this file valid")
    private @Nullable String tokenFile;

    Optional<String> tls() {
        return Optional.ofNullable(tls);
    }

    boolean closed() {
        return closed;
    }

    boolean insecure() {
        return insecure;
    }

    Optional<String> tokenFile() {
        return Optional.ofNullable(tokenFile);
    }

    @Option(
            names = "--until-input-ends",
            hidden = true,
            description = "stops when standard input ends, as it does when the parent process ends")
    private boolean untilInputEnds;

    boolean untilInputEnds() {
        return untilInputEnds;
    }

    @Option(
            names = "--rehearse",
            hidden = true,
            description = "first uses what the leader of several replicas uses, so that the launcher keeps its classes")
    private boolean rehearse;

    boolean rehearse() {
        return rehearse;
    }

    Optional<String> data() {
        return Optional.ofNullable(data);
    }

    Optional<String> host() {
        return Optional.ofNullable(host);
    }

    Optional<Integer> port() {
        return Optional.ofNullable(port);
    }

    Set<String> hostNames() {
        return hostNames;
    }

    Optional<String> cell() {
        return Optional.ofNullable(cell);
    }

    Optional<String> replica() {
        return Optional.ofNullable(replica);
    }

    Optional<String> rpc() {
        return Optional.ofNullable(rpc);
    }

    Optional<Duration> electionTimeout() {
        return Optional.ofNullable(electionTimeout);
    }
}
