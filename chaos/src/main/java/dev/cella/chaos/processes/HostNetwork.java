package dev.cella.chaos.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

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

    private static final String NETEM = "netem delay 20ms 20ms loss 5% duplicate 5%";

    /** Loses one of twenty messages, where the kernel has no netem. */
    private static final String LOSS =
            "iptables %s OUTPUT -o eth0 -m statistic --mode random --probability 0.05 -j DROP";

    private static final Pattern NETEM_LOST = Pattern.compile("netem[^\\n]*\\n[^\\n]*dropped [1-9]");
    private static final Pattern TABLES_LOST = Pattern.compile("(?m)^ *[1-9][0-9]* +[0-9]+ +DROP ");

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

    /** What a machine must be able to do for {@link #disturb}, tried out on another link. */
    static String disturbProbe() {
        return "tc qdisc add dev lo root " + NETEM + " || " + LOSS.formatted("-A");
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

    /**
     * Messages that the host sends are late, lost and repeated. A kernel without netem only loses them; TCP repeats them, so its
     * users see that as delay, too.
     */
    void disturb(int host) {
        if (!Tool.works(onHost(host, "tc qdisc add dev eth0 root " + NETEM))) {
            Tool.run(onHost(host, LOSS.formatted("-A")));
        }
    }

    void calm(int host) {
        Tool.works(onHost(host, "tc qdisc del dev eth0 root"));
        Tool.works(onHost(host, LOSS.formatted("-D")));
    }

    /** Returns whether the kernel has counted a message that it lost since {@link #disturb}. */
    boolean hasLost(int host) {
        String counts = Tool.run(onHost(host, "tc -s qdisc show dev eth0; iptables -nvxL OUTPUT 2>&1 || true"));
        return NETEM_LOST.matcher(counts).find() || TABLES_LOST.matcher(counts).find();
    }

    private static String[] onHost(int host, String command) {
        return new String[] {"ip", "netns", "exec", "h" + host, "sh", "-c", command};
    }

    /** Every process of the host, as a power cut reaches them. */
    List<Long> processesOn(int host) {
        List<Long> processes = new ArrayList<>();
        Tool.run("ip", "netns", "pids", "h" + host).lines().forEach(line -> processes.add(Long.parseLong(line)));
        return processes;
    }
}
