package dev.cella.stress;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * One run of jcstress over some tests, in a separate process: it starts a JVM for each of them, runs their actors in parallel
 * for a while on states that are rebuilt each time, and counts what they saw.
 */
final class StressRun {
    /** One JVM with standard flags per test, and as little time as finds the planted races many times over. */
    private static final List<String> BRIEFLY =
            List.of("-f", "1", "-iters", "1", "-time", "300", "-sc", "false", "-af", "NONE", "-jvmArgs", "-Xmx256m");

    /** For the process that starts the others and reads their results. Those have the JVM's own flags. */
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** jcstress reads each class of its class path more than once, so it gets the stressed modules and their libraries only. */
    private static final Pattern NEEDED =
            Pattern.compile("test-classes|jcstress|jopt-simple|transactions|cell-client|cell-state"
                    + "|guava|failureaccess|slf4j-api|RoaringBitmap|jspecify|protobuf-java");

    private static final int BRIEF_MINUTES = 10;
    private static final int LONG_MINUTES = 24 * 60;

    private final List<TestResult> results;

    private StressRun(List<TestResult> results) {
        this.results = results;
    }

    /**
     * Runs all tests whose class names match.
     *
     * @param mode one of jcstress' own, such as {@code default} or {@code tough}; empty for a run of seconds
     */
    static StressRun of(String tests, String mode, Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", classPath(), "org.openjdk.jcstress.Main"));
        command.addAll(List.of("-t", tests, "-r", folder.resolve("report").toString()));
        command.addAll(mode.isEmpty() ? BRIEFLY : List.of("-m", mode));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            var unused = process.waitFor(mode.isEmpty() ? BRIEF_MINUTES : LONG_MINUTES, TimeUnit.MINUTES);
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        return new StressRun(read(folder, output));
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> NEEDED.matcher(entry).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<TestResult> read(Path folder, Path output) throws IOException {
        List<TestResult> results = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> written = files.filter(
                            file -> file.getFileName().toString().endsWith(".bin.gz"))
                    .sorted(Comparator.naturalOrder())
                    .toList();
            for (Path file : written) {
                new DiskReadCollector(file.toString(), results::add).dump();
            }
        } catch (ClassNotFoundException unknown) {
            throw new IOException("results of another jcstress", unknown);
        }
        if (results.isEmpty()) {
            throw new IOException("jcstress ran no test:\n" + Files.readString(output));
        }
        return results;
    }

    /** The results of some of its tests. */
    StressRun only(Pattern names) {
        return new StressRun(results.stream()
                .filter(result -> names.matcher(simpleName(result)).matches())
                .toList());
    }

    /** The tests that have run, and saw something. */
    Set<String> ran() {
        return names(results.stream().filter(result -> result.getTotalCount() > 0));
    }

    /** The tests in which a forbidden result was seen. */
    Set<String> caught() {
        return names(results.stream().filter(result -> !result.grading().isPassed));
    }

    /** The results, for people. */
    String messages() {
        return results.stream()
                .flatMap(result ->
                        Stream.concat(result.grading().failureMessages.stream(), result.getMessages().stream()))
                .map(message -> message + "\n")
                .collect(Collectors.joining());
    }

    private static Set<String> names(Stream<TestResult> of) {
        return of.map(StressRun::simpleName).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String simpleName(TestResult result) {
        return result.getName().substring(result.getName().lastIndexOf('.') + 1);
    }
}
