package dev.cella.chaos.processes;

import java.util.ArrayList;
import java.util.List;

/**
 * Hosts with one address each on one switch, in the namespaces of an {@link Enclosure}. Hosts are numbered from 1; this process
 * sits at the switch. Only the thread of the run uses it.
 */
final class HostNetwork implements AutoCloseable {
    private static final String UP = """
            set -e
            mount -t tmpfs none /run
            ip link set lo up
            ip link add switch type bridge
            ip addr add 10.79.0.254/24 dev switch
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
            """;

    /** No network card has this address, so what is sent there is lost without a word. */
    private static final String NOWHERE = "02:00:00:00:00:fe";

    /** The links first: a process that still runs keeps its host's namespace, and the link with it. */
    private static final String DOWN = """
            for host in $(seq 1 %d); do
              ip link del p$host
              ip netns del h$host
            done
            ip link del switch
            umount /run
            """;

    private final int hosts;

    HostNetwork(int hosts) {
        this.hosts = hosts;
        Tool.run("sh", "-c", UP.formatted(hosts));
    }

    /** Another run may make hosts then. */
    @Override
    public void close() {
        Tool.works("sh", "-c", DOWN.formatted(hosts));
    }

    String address(int host) {
        return "10.79.0." + host;
    }

    /** Put before a command, it runs the command on that host. */
    List<String> on(int host) {
        // Not "ip netns exec": that hides /sys/fs/cgroup, which an agent uses.
        return List.of("nsenter", "--net=/run/netns/h" + host);
    }

    void cutOff(int host) {
        Tool.run("ip", "link", "set", "p" + host, "down");
    }

    void reconnect(int host) {
        Tool.run("ip", "link", "set", "p" + host, "up");
    }

    boolean isCutOff(int host) {
        return !Tool.run("ip", "-o", "link", "show", "p" + host).contains("state UP");
    }

    /** Loses all packets from one host to the other. */
    void loseFrom(int host, int to) {
        Tool.run(
                "ip",
                "-n",
                "h" + host,
                "neigh",
                "replace",
                address(to),
                "lladdr",
                NOWHERE,
                "dev",
                "eth0",
                "nud",
                "permanent");
    }

    /** Returns whether the kernel sends what is for the other host to nowhere. */
    boolean losesFrom(int host, int to) {
        return Tool.run("ip", "-n", "h" + host, "neigh", "show", "to", address(to))
                .contains(NOWHERE);
    }

    void loseNothingFrom(int host, int to) {
        Tool.works("ip", "-n", "h" + host, "neigh", "del", address(to), "dev", "eth0");
    }

    /** Messages that the host sends are late, lost and repeated. Refused where the kernel lacks netem. */
    void disturb(int host) {
        Tool.run(
                "ip",
                "netns",
                "exec",
                "h" + host,
                "tc",
                "qdisc",
                "add",
                "dev",
                "eth0",
                "root",
                "netem",
                "delay",
                "20ms",
                "20ms",
                "loss",
                "5%",
                "duplicate",
                "5%");
    }

    void calm(int host) {
        Tool.works("ip", "netns", "exec", "h" + host, "tc", "qdisc", "del", "dev", "eth0", "root");
    }

    /** Every process of the host, as a power cut reaches them. */
    List<Long> processesOn(int host) {
        List<Long> processes = new ArrayList<>();
        Tool.run("ip", "netns", "pids", "h" + host).lines().forEach(line -> processes.add(Long.parseLong(line)));
        return processes;
    }
}
