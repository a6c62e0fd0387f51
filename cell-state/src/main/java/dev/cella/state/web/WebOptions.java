package dev.cella.state.web;

import dev.cella.state.core.Membership;
import dev.cella.transactions.replay.WindowReplay;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The address of the doors, the names by which clients may reach them, and the addresses of the other replicas' doors.
 *
 * @param address the port may be 0, for any
 * @param hostNames names and addresses, without a port, that a request may have as its {@code Host} besides the address itself
 * @param replay decides a window of the past again, if the process has a simulator
 * @param specificationBytesMax how many bytes of jobs' specifications there is room for
 */
public record WebOptions(
        InetSocketAddress address,
        Set<String> hostNames,
        Membership membership,
        Security security,
        Optional<WindowReplay> replay,
        long specificationBytesMax) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

    public WebOptions {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("not an address of this machine: " + address.getHostString());
        }
        hostNames = Set.copyOf(hostNames);
    }

    /** Every name that a request may call this server by. */
    Set<String> allHostNames() {
        Set<String> names = new LinkedHashSet<>(hostNames);
        InetAddress host = address.getAddress();
        if (host.isLoopbackAddress() || host.isAnyLocalAddress()) {
            names.addAll(LOOPBACK);
        }
        if (!host.isAnyLocalAddress()) {
            names.add(address.getHostString());
            names.add(host.getHostAddress());
        }
        membership
                .find(membership.self())
                .ifPresent(self -> names.add(self.address().getHost()));
        return names;
    }
}
