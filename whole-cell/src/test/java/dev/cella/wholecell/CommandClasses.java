package dev.cella.wholecell;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The class path of the command, and its classes as a JVM has them in memory. Dozens of processes are started here, and each
 * of them takes half as long with such an archive. The first test that starts a process writes the archive, beside these
 * tests' classes. A JVM takes no archive where the build has no jars yet, as in {@code mvn test}.
 */
final class CommandClasses {
    private static final String MAIN = "dev.cella.cli.Main";
    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final long WRITE_MINUTES_MAX = 5;

    private static final CommandClasses OF_THIS_BUILD = new CommandClasses();

    private final String classPath;
    private final List<String> archiveFlags;

    private CommandClasses() {
        Path own = Path.of(CommandClasses.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        List<Path> shipped = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(entry -> Files.exists(entry) && !entry.equals(own))
                .toList();
        classPath = String.join(
                File.pathSeparator, shipped.stream().map(Path::toString).toList());
        archiveFlags = shipped.stream().allMatch(Files::isRegularFile)
                ? List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile=" + archive(own, shipped))
                : List.of();
    }

    /** What starts the command with these arguments. */
    static List<String> command(String... arguments) {
        List<String> command = OF_THIS_BUILD.java(OF_THIS_BUILD.archiveFlags);
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-Xmx512m");
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, MAIN));
        return command;
    }

    /** Tests run in several JVMs: one of them writes it, and the others wait. */
    private Path archive(Path own, List<Path> jars) {
        Path archive = own.resolveSibling("command-classes.jsa");
        try (FileChannel channel = FileChannel.open(
                        own.resolveSibling("command-classes.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (lock.isValid() && !isNewerThanAll(archive, jars)) {
                write(archive);
            }
            return archive;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isNewerThanAll(Path archive, List<Path> jars) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        for (Path jar : jars) {
            if (Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(archive)) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** By a server that ends as soon as it is there, because its input is empty. */
    private void write(Path archive) throws IOException {
        Path folder = Files.createTempDirectory(archive.getParent(), "command-classes");
        Path written = folder.resolve("classes.jsa");
        List<String> command = java(List.of("-XX:ArchiveClassesAtExit=" + written));
        String data = folder.resolve("data").toString();
        command.addAll(List.of("server", "--data", data, "--port", "0", "--until-input-ends"));
        Process server = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        try {
            if (!server.waitFor(WRITE_MINUTES_MAX, TimeUnit.MINUTES) || !Files.exists(written)) {
                throw new IOException(
                        "no archive of classes was written: " + Files.readString(folder.resolve("output")));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        } finally {
            server.destroyForcibly();
        }
        Files.move(written, archive, StandardCopyOption.REPLACE_EXISTING);
    }
}
