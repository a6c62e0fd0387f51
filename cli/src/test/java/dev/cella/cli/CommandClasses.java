package dev.cella.cli;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The command as a process of its own, on the JDK of these tests. The tests start dozens of them, and each takes half the CPU
 * time with an archive of the classes. The first test that starts a process writes the archive, beside the tests' classes.
 * There is no archive where the build has no jars yet, as in {@code mvn test}.
 */
public final class CommandClasses {
    private static final String MAIN = "dev.cella.cli.Main";

    /** Such a process lives for seconds: a second compiler costs more than it saves. */
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
                .filter(entry -> Files.exists(entry) && !entry.endsWith("test-classes") && !entry.equals(own))
                .toList();
        Path ownMain = own.resolveSibling("classes");
        boolean hasJars = shipped.stream().allMatch(entry -> Files.isRegularFile(entry) || entry.equals(ownMain));
        if (hasJars) {
            Archive archive = new Archive(own, ownMain, shipped);
            archive.writeIfOld();
            shipped = archive.jars;
            archiveFlags = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile=" + archive.file);
        } else {
            archiveFlags = List.of();
        }
        classPath = joined(shipped);
    }

    /** The command line for the command with these arguments. */
    public static List<String> command(String... arguments) {
        return command(List.of("-Xmx512m"), arguments);
    }

    /**
     * The same, with more flags for its JVM. Ctrl-C reaches it even if these tests run in the background of a shell, which
     * ignores the signal there.
     */
    static List<String> command(List<String> flags, String... arguments) {
        List<String> all = new ArrayList<>(OF_THIS_BUILD.archiveFlags);
        all.addAll(flags);
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(java(all, OF_THIS_BUILD.classPath));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The flags of its JVM, with its class path, for a process that something else than a test starts. */
    static List<String> flags() {
        List<String> all = new ArrayList<>(List.of("-Xmx256m"));
        all.addAll(OF_THIS_BUILD.archiveFlags);
        return flags(all, OF_THIS_BUILD.classPath);
    }

    private static List<String> java(List<String> flags, String classPath) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags(flags, classPath));
        command.add(MAIN);
        return command;
    }

    private static List<String> flags(List<String> further, String classPath) {
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(flagsOfThisJdk());
        flags.addAll(further);
        flags.addAll(List.of("-cp", classPath));
        return flags;
    }

    /** A newer JDK warns of some calls of our libraries unless they are allowed; the launcher and the build allow them. */
    private static List<String> flagsOfThisJdk() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .toList();
    }

    private static String joined(List<Path> entries) {
        return String.join(
                File.pathSeparator, entries.stream().map(Path::toString).toList());
    }

    /** A JVM's archive has classes from jars only, so the classes of this module are packed into one first. */
    private static final class Archive {
        private final Path own;
        private final Path classes;
        private final Path packed;
        private final List<Path> entries;
        final Path file;
        final List<Path> jars;

        Archive(Path own, Path classes, List<Path> entries) {
            this.own = own;
            this.classes = classes;
            this.packed = own.resolveSibling("command-classes.jar");
            this.entries = entries;
            this.jars = entries.stream()
                    .map(entry -> entry.equals(classes) ? packed : entry)
                    .toList();
            // An archive is of one class path.
            this.file = own.resolveSibling(
                    "command-classes-%08x.jsa".formatted(joined(jars).hashCode()));
        }

        /** Tests run in several JVMs: one of them writes it, and the others wait. */
        void writeIfOld() {
            try (FileChannel channel = FileChannel.open(
                            own.resolveSibling("command-classes.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !isNewerThanAll()) {
                    if (entries.contains(classes)) {
                        pack();
                    }
                    write();
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private boolean isNewerThanAll() throws IOException {
            if (!Files.exists(file)) {
                return false;
            }
            List<Path> all = new ArrayList<>();
            for (Path entry : entries) {
                all.addAll(Files.isDirectory(entry) ? filesIn(entry) : List.of(entry));
            }
            for (Path one : all) {
                if (Files.getLastModifiedTime(one).compareTo(Files.getLastModifiedTime(file)) >= 0) {
                    return false;
                }
            }
            return true;
        }

        private static List<Path> filesIn(Path folder) throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(Files::isRegularFile).sorted().toList();
            }
        }

        private void pack() throws IOException {
            try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(packed));
                    JarOutputStream jar = new JarOutputStream(file)) {
                for (Path each : filesIn(classes)) {
                    jar.putNextEntry(new ZipEntry(classes.relativize(each).toString()));
                    Files.copy(each, jar);
                    jar.closeEntry();
                }
            }
        }

        /** A development cell has every part. It is told to end as soon as it is ready. */
        private void write() throws IOException {
            Path folder = Files.createTempDirectory(own.getParent(), "command-classes");
            Path written = folder.resolve("classes.jsa");
            List<String> command = java(List.of("-Xmx512m", "-XX:ArchiveClassesAtExit=" + written), joined(jars));
            command.addAll(List.of("dev", "--data", folder.resolve("data").toString(), "--port", "0"));
            Process cell = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader output = cell.inputReader(StandardCharsets.UTF_8)) {
                List<String> lines = new ArrayList<>();
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    lines.add(line);
                    if (line.startsWith("next:")) {
                        cell.toHandle().destroy();
                    }
                }
                if (!cell.waitFor(WRITE_MINUTES_MAX, TimeUnit.MINUTES) || !Files.exists(written)) {
                    throw new IOException("no archive of classes was written: " + lines);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", stopped);
            } finally {
                cell.destroyForcibly();
            }
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
