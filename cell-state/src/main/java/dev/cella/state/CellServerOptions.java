package dev.cella.state;

import dev.cella.state.web.WebOptions;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.replay.WindowReplay;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The options of a server of a cell.
 *
 * @param data the directory in which it keeps everything
 * @param cell the name of the cell; a directory of another cell is refused
 * @param host the address it listens on
 * @param port 0 for any
 * @param hostNames further names by which requests may call it
 * @param freeBytesMin with less free space than this it does not start; with less than half of it, jobs cannot be updated
 * @param beside names of files in the directory that are not the server's
 * @param replica bounds, and how the log is kept
 * @param access who has access
 * @param replay decides a window of the past again, if the process has a simulator
 */
public record CellServerOptions(
        Path data,
        CellName cell,
        InetAddress host,
        int port,
        Set<String> hostNames,
        long freeBytesMin,
        Set<String> beside,
        ReplicaOptions replica,
        Access access,
        Optional<WindowReplay> replay) {
    public static final int PORT_DEFAULT = 7070;

    private static final long FREE_BYTES_MIN_DEFAULT = 2L << 30;

    public CellServerOptions {
        hostNames = Set.copyOf(hostNames);
        beside = Set.copyOf(beside);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is from 0 to 65535, not " + port);
        }
    }

    /** The options of the doors. */
    WebOptions web() {
        return new WebOptions(
                new InetSocketAddress(host, port),
                hostNames,
                replica.membership(),
                access.security(),
                replay,
                replica.limits().specificationBytesMax());
    }

    /** A cell called "cell" on the loopback address and the usual port. */
    public static CellServerOptions defaults(Path data) {
        return new CellServerOptions(
                data,
                new CellName("cell"),
                InetAddress.getLoopbackAddress(),
                PORT_DEFAULT,
                Set.of(),
                FREE_BYTES_MIN_DEFAULT,
                Set.of(),
                ReplicaOptions.defaults(),
                Access.OPEN,
                Optional.empty());
    }

    public CellServerOptions withCell(CellName other) {
        return new CellServerOptions(data, other, host, port, hostNames, freeBytesMin, beside, replica, access, replay);
    }

    public CellServerOptions withAddress(InetAddress otherHost, int otherPort) {
        return new CellServerOptions(
                data, cell, otherHost, otherPort, hostNames, freeBytesMin, beside, replica, access, replay);
    }

    public CellServerOptions withPort(int other) {
        return withAddress(host, other);
    }

    public CellServerOptions withHostNames(Set<String> others) {
        return new CellServerOptions(data, cell, host, port, others, freeBytesMin, beside, replica, access, replay);
    }

    public CellServerOptions withAccess(Access other) {
        return new CellServerOptions(data, cell, host, port, hostNames, freeBytesMin, beside, replica, other, replay);
    }

    public CellServerOptions withFreeBytesMin(long other) {
        return new CellServerOptions(data, cell, host, port, hostNames, other, beside, replica, access, replay);
    }

    public CellServerOptions withReplica(ReplicaOptions other) {
        return new CellServerOptions(data, cell, host, port, hostNames, freeBytesMin, beside, other, access, replay);
    }

    public CellServerOptions withReplay(WindowReplay other) {
        return new CellServerOptions(
                data, cell, host, port, hostNames, freeBytesMin, beside, replica, access, Optional.of(other));
    }

    /** For a directory that other programs use too. */
    public CellServerOptions withBeside(Set<String> others) {
        return new CellServerOptions(data, cell, host, port, hostNames, freeBytesMin, others, replica, access, replay);
    }
}
