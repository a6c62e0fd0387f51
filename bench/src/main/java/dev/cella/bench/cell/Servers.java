package dev.cella.bench.cell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The servers of a measured cell.
 *
 * @param mainClass of the command {@code cella}, which is started as each of them
 * @param replicas one, three or five
 * @param rpc how they talk to each other, as {@code cella server --rpc} says it
 * @param electionTimeout after which a follower stands for election, as {@code cella server --election-timeout} says it
 * @param javaOptions of each server's JVM
 * @param schedulerJavaOptions of the JVM of each scheduler that is a process
 * @param closed whether each call takes TLS and a token
 */
public record Servers(
        String mainClass,
        int replicas,
        String rpc,
        String electionTimeout,
        List<String> javaOptions,
        List<String> schedulerJavaOptions,
        boolean closed) {
    /** The launcher's flags for the JVM of a part that starts often: its compilers yield, and the second begins late. */
    private static final List<String> START = List.of(
            "-XX:Tier4InvocationThreshold=30000",
            "-XX:Tier4MinInvocationThreshold=6000",
            "-XX:Tier4CompileThreshold=90000",
            "-XX:Tier4BackEdgeThreshold=240000",
            "-XX:ThreadPriorityPolicy=1",
            "-XX:CompilerThreadPriority=10",
            "-XX:-PrintWarnings");

    /** The launcher's flag for the JVM of a part that lives for long: it counts for jstat once a second. */
    static final String LONG_LIVED = "-XX:PerfDataSamplingInterval=1000";

    private static final String ENDS_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

    /** The launcher's flags for a server's JVM. */
    public static final List<String> LAUNCHED =
            startingQuickly("-Xmx1g", ENDS_WITHOUT_MEMORY, "-XX:+UseG1GC", "-Dio.netty.jfr.enabled=false", LONG_LIVED);

    /** The launcher's flags for a scheduler's JVM. */
    private static final List<String> SCHEDULER_LAUNCHED =
            List.of("-Xms128m", "-Xmx1g", ENDS_WITHOUT_MEMORY, "-XX:+UseSerialGC", LONG_LIVED);

    /** The path of the launcher's archive of a server's loaded classes, if there is one. */
    public static final String CLASSES_PROPERTY = "cella.server.classes";

    public Servers {
        if (replicas != 1 && replicas != 3 && replicas != 5) {
            throw new IllegalArgumentException("a cell has 1, 3 or 5 replicas, not " + replicas);
        }
    }

    /** Open servers: no call takes a token. */
    public Servers(String mainClass, int replicas, String rpc, String electionTimeout, List<String> javaOptions) {
        this(mainClass, replicas, rpc, electionTimeout, javaOptions, SCHEDULER_LAUNCHED, false);
    }

    public static Servers one(String mainClass) {
        return new Servers(mainClass, 1, "grpc", "1500ms", launched(""));
    }

    /** The same servers with certificates and tokens. */
    public Servers asClosed() {
        return new Servers(mainClass, replicas, rpc, electionTimeout, javaOptions, schedulerJavaOptions, true);
    }

    /** The same servers, and schedulers with these flags. */
    public Servers withSchedulerJavaOptions(List<String> options) {
        return new Servers(mainClass, replicas, rpc, electionTimeout, javaOptions, options, closed);
    }

    /** What the launcher gives a server, and behind it further flags with blanks between them. */
    public static List<String> launched(String further) {
        List<String> options = withClasses(LAUNCHED);
        options.addAll(Arrays.stream(further.split(" ", -1))
                .filter(option -> !option.isEmpty())
                .toList());
        return options;
    }

    static List<String> startingQuickly(String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(START);
        return all;
    }

    /** The flags, and those for the launcher's archive of a server's loaded classes. */
    static List<String> withClasses(List<String> flags) {
        String classes = System.getProperty(CLASSES_PROPERTY, "");
        List<String> options = new ArrayList<>(flags);
        if (!classes.isEmpty()) {
            // The JVM must not print a warning if further flags make the archive useless: the first line of a server
            // is its address.
            options.addAll(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile=" + classes));
        }
        return options;
    }
}
