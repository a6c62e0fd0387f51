package dev.cella.wholecell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Hosts with one address each on one switch, made of network namespaces. Hosts are numbered from 1.
 *
 * <p>A process that sleeps keeps the switch's namespaces open, and the hosts' namespaces are mounted inside it. They vanish
 * with that process, and nothing outside sees them. Where this machine lets nobody make namespaces, the test is skipped and
 * says so.
 */
final class SwitchedNetwork implements AutoCloseable {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final String UP = "up";

    private static final String SCRIPT = """
            set -e
            mount -t tmpfs none /run
            ip link add switch type bridge
            ip link set switch up
            for host in $(seq 1 %d); do
              ip netns add h$host
              ip link add p$host type veth peer name eth0 netns h$host
              ip link set p$host master switch
              ip link set p$host up
              ip -n h$host addr add 10.79.0.$host/24 dev eth0
              ip -n h$host link set eth0 up
              ip -n h$host link set lo up
            done
            echo up
            exec sleep 3600
            """;

    private final Process holder;

    private SwitchedNetwork(Process holder) {
        this.holder = holder;
    }

    static SwitchedNetwork ofHosts(int count) {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--net"));
        if (!ROOT) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("sh", "-c", SCRIPT.formatted(count)));
        try {
            Process holder =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = awaitUp(holder);
            Assumptions.assumeTrue(said.equals(UP), () -> skipped(said));
            return new SwitchedNetwork(holder);
        } catch (IOException e) {
            return Assumptions.abort(skipped(e.toString()));
        }
    }

    private static String awaitUp(Process holder) throws IOException {
        BufferedReader said = holder.inputReader();
        StringBuilder refusal = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.equals(UP)) {
                return UP;
            }
            refusal.append(line).append(' ');
        }
        return refusal.toString();
    }

    /** A skipped test is easily overlooked, so this is also printed. */
    private static String skipped(String why) {
        String words = "SKIPPED: no network namespaces can be made on this machine: " + why;
        System.err.println(words);
        return words;
    }

    static String address(int host) {
        return "10.79.0." + host;
    }

    /** Put before a command, it runs the command on that host. */
    List<String> on(int host) {
        List<String> command = enter();
        // Not "ip netns exec": that hides /sys/fs/cgroup, which an agent uses.
        command.addAll(List.of("nsenter", "--net=/run/netns/h" + host));
        return command;
    }

    private List<String> enter() {
        List<String> command =
                new ArrayList<>(List.of("nsenter", "--target", String.valueOf(holder.pid()), "--mount", "--net"));
        if (!ROOT) {
            command.addAll(List.of("--user", "--preserve-credentials"));
        }
        return command;
    }

    /** Nothing goes from or to that host any more; its processes run on. */
    void cutOff(int host) {
        setPort(host, "down");
    }

    void heal(int host) {
        setPort(host, "up");
    }

    private void setPort(int host, String state) {
        List<String> command = enter();
        command.addAll(List.of("ip", "link", "set", "p" + host, state));
        try {
            Process change =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(change.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!change.waitFor(1, TimeUnit.MINUTES) || change.exitValue() != 0) {
                throw new AssertionError(command + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while changing a network", e);
        }
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
