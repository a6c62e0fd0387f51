package dev.cella.state;

import dev.cella.state.web.WebOptions;
import dev.cella.transactions.model.CellName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

/**
 * What may be chosen about a server of a cell.
 *
 * @param data the directory in which it keeps everything
 * @param cell the name of the cell; a directory of another cell is refused
 * @param host the address it listens on
 * @param port 0 for any
 * @param hostNames further names by which requests may call it
 * @param freeBytesMin with less free space than this it does not start
 * @param replica bounds, and how the log is kept
 */
public record CellServerOptions(
        Path data,
        CellName cell,
        InetAddress host,
        int port,
        Set<String> hostNames,
        long freeBytesMin,
        ReplicaOptions replica) {
    public static final int PORT_DEFAULT = 7070;

    private static final long FREE_BYTES_MIN_DEFAULT = 2L << 30;

    public CellServerOptions {
        hostNames = Set.copyOf(hostNames);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is from 0 to 65535, not " + port);
        }
    }

    /** Where the doors are. */
    WebOptions web() {
        return new WebOptions(new InetSocketAddress(host, port), hostNames, replica.membership());
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
                ReplicaOptions.defaults());
    }

    public CellServerOptions withCell(CellName other) {
        return new CellServerOptions(data, other, host, port, hostNames, freeBytesMin, replica);
    }

    public CellServerOptions withAddress(InetAddress otherHost, int otherPort) {
        return new CellServerOptions(data, cell, otherHost, otherPort, hostNames, freeBytesMin, replica);
    }

    public CellServerOptions withPort(int other) {
        return withAddress(host, other);
    }

    public CellServerOptions withHostNames(Set<String> others) {
        return new CellServerOptions(data, cell, host, port, others, freeBytesMin, replica);
    }

    public CellServerOptions withFreeBytesMin(long other) {
        return new CellServerOptions(data, cell, host, port, hostNames, other, replica);
    }

    public CellServerOptions withReplica(ReplicaOptions other) {
        return new CellServerOptions(data, cell, host, port, hostNames, freeBytesMin, other);
    }
}
