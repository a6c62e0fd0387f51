package dev.cella.agent.machine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;

/** The facts about the machine, or container, that an agent runs on. */
public record MachineFacts(
        String hostname, String os, String kernel, String architecture, long cpuMilli, long memoryMib) {
    private static final int MILLI = 1_000;
    private static final int MEBI_SHIFT = 20;

    /** Asks the machine. */
    public static MachineFacts read() {
        CgroupLimits limits = CgroupLimits.read(Path.of("/"));
        long processors = Runtime.getRuntime().availableProcessors();
        long cpuMilli = Math.min(processors * MILLI, limits.cpuMilli().orElse(Long.MAX_VALUE));
        long memoryBytes = Math.min(totalMemoryBytes(), limits.memoryBytes().orElse(Long.MAX_VALUE));
        return new MachineFacts(
                ownHostname(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                cpuMilli,
                memoryBytes >> MEBI_SHIFT);
    }

    private static long totalMemoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private static String ownHostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    /** The facts that are useful for selecting machines. */
    public Map<String, String> attributes() {
        return Map.of("hostname", hostname, "os", os, "kernel", kernel, "arch", architecture);
    }
}
