package dev.cella.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Finds free ports of this machine, for servers whose addresses must be known before they run.
 *
 * <p>The naive way is to ask the system for any port and to close it again. But the system then gives that port to the next
 * connection, perhaps to one that tries to reach the very server that has not started yet. So this class chooses ports below
 * the range from which the system assigns ports: only a program that asks for such a port gets it.
 */
public final class FreePorts {
    private static final Path GIVEN_AWAY = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** If that file does not exist: no usual system begins lower. */
    private static final int GIVEN_AWAY_FROM = 32_768;

    private static final int FIRST = 10_240;
    private static final int ATTEMPTS_MAX = 10_000;

    /** Returns {@code count} different ports. */
    public static List<Integer> find(int count, Random random) throws IOException {
        int end = Math.max(FIRST + ATTEMPTS_MAX, givenAwayFrom());
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count && attempt < ATTEMPTS_MAX; attempt++) {
                hold(FIRST + random.nextInt(end - FIRST), held);
            }
            if (held.size() < count) {
                throw new IOException("no " + count + " ports of this machine are free");
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            held.forEach(FreePorts::release);
        }
    }

    private static void hold(int port, List<ServerSocket> held) {
        try {
            held.add(new ServerSocket(port));
        } catch (IOException taken) {
            // Tries the next one.
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot let a port go", failure);
        }
    }

    private static int givenAwayFrom() throws IOException {
        return Files.exists(GIVEN_AWAY)
                ? Integer.parseInt(Files.readString(GIVEN_AWAY).strip().split("\\s+", 2)[0])
                : GIVEN_AWAY_FROM;
    }

    private FreePorts() {}
}
