package dev.cella.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command as a process of its own: on the JDK of these tests, with what that JDK wants to be told. */
final class CellaJvm {
    /** Such a process lives for seconds: what a second compiler would win costs more than all the rest. */
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private CellaJvm() {}

    /** To which more arguments may be added. */
    static List<String> command(List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(flagsOfThisJdk());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.cella.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A newer JDK warns of what our libraries do unless it is allowed; the launcher says so, and so does the build to its tests. */
    private static List<String> flagsOfThisJdk() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .toList();
    }
}
