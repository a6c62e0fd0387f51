package dev.cella.cli.part;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Finds the address of this machine that a host names. At a boot the address of a replica may come later than its server. Nobody
 * would start the server again then, because systemd gives up after a few failed starts. So the server waits.
 */
final class OwnAddress {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Function<String, Optional<InetAddress>> lookup;
    private final Duration lookEvery;

    OwnAddress(Function<String, Optional<InetAddress>> lookup, Duration lookEvery) {
        this.lookup = lookup;
        this.lookEvery = lookEvery;
    }

    static OwnAddress ofThisMachine() {
        return new OwnAddress(OwnAddress::find, LOOK_EVERY);
    }

    private static Optional<InetAddress> find(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null
                    ? Optional.of(address)
                    : Optional.empty();
        } catch (UnknownHostException | SocketException unknown) {
            return Optional.empty();
        }
    }

    InetAddress get(String host) {
        return lookup.apply(host).orElseThrow(() -> new IllegalArgumentException(none(host)));
    }

    private static String none(String host) {
        return "the host " + host + " has no address here";
    }

    /** Returns when there is one, and says once that it waits. */
    void await(String host, Consumer<String> say) throws InterruptedException {
        if (lookup.apply(host).isPresent()) {
            return;
        }
        say.accept(none(host) + " yet; this replica waits for it");
        while (lookup.apply(host).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(lookEvery.toMillis());
        }
    }
}
