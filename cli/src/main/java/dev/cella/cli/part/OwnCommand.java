package dev.cella.cli.part;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs this {@code cella} as another process, with the classes of this one. */
public final class OwnCommand {
    private static final String MAIN = "dev.cella.cli.Main";

    /** Flags of a JVM that say how it finds its classes, which of them may do what, and what it may take for itself. */
    private static final List<String> PASSED_ON = List.of(
            "-XX:SharedArchiveFile=",
            "-Xshare:",
            "-Xlog:cds",
            "--",
            "-XX:TieredStopAtLevel=",
            "-XX:Tier4",
            "-XX:ThreadPriorityPolicy=",
            "-XX:CompilerThreadPriority=",
            "-XX:-PrintWarnings",
            "-XX:PerfDataSamplingInterval=");

    private OwnCommand() {}

    /**
     * Returns the command with these arguments.
     *
     * @param jvmFlags flags of the JVM, before the class path
     * @param arguments what is typed after {@code cella}
     */
    public static List<String> with(List<String> jvmFlags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(passedOn());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        return command;
    }

    /** An archive of the same classes halves the time to start, and a process of seconds loses by a second compiler. */
    private static List<String> passedOn() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> PASSED_ON.stream().anyMatch(flag::startsWith))
                .toList();
    }
}
