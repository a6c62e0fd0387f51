package dev.cella.state.core;

import dev.cella.state.core.StartRefusedException.Why;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;

/**
 * An address at which a part of a server will listen.
 *
 * <p>The transports report a taken port in different ways, and the log's gRPC ends the process. So an address is checked before
 * the part that listens there is started.
 *
 * @param whenRefused the reason that a refusal has
 * @param hint what a person can do when the port is taken
 */
public record ListenAddress(InetSocketAddress address, Why whenRefused, String hint) {

    /** Opens the port for a moment. */
    public void check() throws IOException, StartRefusedException {
        if (address.isUnresolved()) {
            throw refused("no address of the host " + address.getHostString() + " is known", "correct the name");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (BindException cannot) {
            throw isOfThisMachine() ? unavailable(String.valueOf(cannot.getMessage())) : notOfThisMachine();
        }
    }

    private boolean isOfThisMachine() throws IOException {
        return address.getAddress().isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address.getAddress()) != null;
    }

    /** The other usual cause is a port below 1024 for a user without the right to open one. */
    private StartRefusedException unavailable(String cause) {
        String port = "port " + address.getPort() + " of " + host();
        return refused(cause.contains("in use") ? port + " is in use" : port + " cannot be opened: " + cause, hint);
    }

    private StartRefusedException notOfThisMachine() {
        return refused(
                "this machine does not have the address " + host(), "choose an address of this machine to listen at");
    }

    private String host() {
        return address.getAddress().getHostAddress();
    }

    private StartRefusedException refused(String message, String advice) {
        return new StartRefusedException(whenRefused, message, advice);
    }
}
