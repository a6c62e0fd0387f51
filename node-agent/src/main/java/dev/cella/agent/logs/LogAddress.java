package dev.cella.agent.logs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The address at which an agent serves its tasks' output: where it listens, and the name that servers use.
 *
 * @param host as in the URL; an address of version 6 has its brackets
 * @param port 0 takes any free port
 */
public record LogAddress(String host, InetAddress listens, int port) {
    public static final LogAddress LOOPBACK =
            new LogAddress(InetAddress.getLoopbackAddress().getHostAddress(), InetAddress.getLoopbackAddress(), 0);

    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** An address of version 4 or 6, as URIs have it. */
    private static final Pattern ADDRESS = Pattern.compile("[\\d.]+|\\[.*]");

    /**
     * Parses {@code http://host} or {@code http://host:port}; https is the same, because the certificates decide it.
     *
     * @throws IllegalArgumentException if it is no such address, or the host is unknown
     */
    public static LogAddress parse(String text) {
        URI uri = uri(text);
        boolean isPlain = uri.getRawPath() == null
                || uri.getRawPath().isEmpty()
                || uri.getRawPath().equals("/");
        if (!SCHEMES.contains(String.valueOf(uri.getScheme()))
                || uri.getHost() == null
                || !isPlain
                || uri.getRawQuery() != null) {
            throw noAddress(text);
        }
        InetAddress listens = resolve(uri.getHost());
        if (listens.isAnyLocalAddress()) {
            throw new IllegalArgumentException("must name one address that the servers can reach, is " + text);
        }
        refuseHidden(uri.getHost(), listens);
        return new LogAddress(uri.getHost(), listens, Math.max(0, uri.getPort()));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            throw noAddress(text);
        }
    }

    private static IllegalArgumentException noAddress(String text) {
        return new IllegalArgumentException("must be http://host:port, is " + text);
    }

    private static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("names an unknown host: " + host, unknown);
        }
    }

    /** Other hosts resolve the name to an address at which this one would not listen. */
    static void refuseHidden(String host, InetAddress listens) {
        boolean saysLoopback =
                host.equalsIgnoreCase("localhost") || ADDRESS.matcher(host).matches();
        if (listens.isLoopbackAddress() && !saysLoopback) {
            throw new IllegalArgumentException("names " + host + ", which this machine takes for "
                    + listens.getHostAddress() + " (/etc/hosts): give the address at which the servers reach it");
        }
    }

    InetSocketAddress socket() {
        return new InetSocketAddress(listens, port);
    }
}
