package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Scheduler;
import dev.cella.transactions.cell.Cell;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The Maven repositories for a project outside of this tree: the one in the distribution, with the artifacts of this build, and
 * a local one of the test, with links to everything in the user's repository except Cella. The test never writes to the user's.
 */
final class OutsideRepository {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final String SCHEDULING = "cella-scheduling-" + VERSION + ".jar";
    private static final String GROUP = "dev";
    private static final String OURS = "cella";

    /** Maven and its tests live for seconds: a second compiler costs more than it saves. */
    private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** From org/junit/jupiter/junit-jupiter-api/VERSION/NAME.jar. */
    private static final String JAR_TO_REPOSITORY = "../../../../../..";

    private final Path local;
    private final Path lib;
    private final Path distributed;

    private OutsideRepository(Path local, Path lib, Path distributed) {
        this.local = local;
        this.lib = lib;
        this.distributed = distributed;
    }

    /** The poms of this build, and two jars as they are built now. */
    static OutsideRepository distributed() throws Exception {
        Path folder = Path.of("target/outside-repository").toAbsolutePath();
        delete(folder);
        Path local = Files.createDirectories(folder.resolve("local"));
        Path users = jarOf(Test.class).resolve(JAR_TO_REPOSITORY).normalize();
        link(users, local, GROUP);
        link(users.resolve(GROUP), Files.createDirectory(local.resolve(GROUP)), OURS);
        Path lib = Files.createDirectories(folder.resolve("lib"));
        put(jarOf(Cell.class), lib.resolve("cella-transactions-" + VERSION + ".jar"));
        put(jarOf(Scheduler.class), lib.resolve(SCHEDULING));
        OutsideRepository repository = new OutsideRepository(local, lib, folder.resolve("maven"));
        repository.distribute();
        return repository;
    }

    private void distribute() throws IOException, InterruptedException {
        run(ROOT, List.of("distribution/repository", distributed.toString(), lib.toString()));
    }

    /** Distributes the same version again, with other contents. */
    void rebuild() throws IOException, InterruptedException {
        try (FileSystem jar = FileSystems.newFileSystem(built())) {
            Files.writeString(jar.getPath("rebuilt"), "");
        }
        distribute();
    }

    /** The jar that is distributed. */
    Path built() {
        return lib.resolve(SCHEDULING);
    }

    /** The jar that Maven compiles against. */
    Path fetched() {
        return local.resolve(GROUP)
                .resolve(OURS)
                .resolve("cella-scheduling")
                .resolve(VERSION)
                .resolve(SCHEDULING);
    }

    /** The repository of the distribution. */
    Path folder() {
        return distributed;
    }

    /** Links are deleted, not what they lead to. */
    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> inside = Files.walk(folder)) {
                for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private static Path jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void link(Path from, Path to, String except) throws IOException {
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.getFileName().toString().equals(except)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child);
                }
            }
        }
    }

    /** The jar as it is, or made of the folder of classes that a build before {@code package} has in its place. */
    private static void put(Path built, Path jar) throws IOException {
        if (Files.isRegularFile(built)) {
            Files.copy(built, jar);
        } else {
            pack(built, jar);
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
                entries.closeEntry();
            }
        }
    }

    /** Runs Maven in that folder, without a network: it may fetch from a file only. */
    void maven(Path folder, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "mvn",
                "--offline",
                "--batch-mode",
                "-Daether.offline.protocols=file",
                "-Dmaven.repo.local=" + local,
                "-Dcella.repository=" + distributed.toUri(),
                "-DargLine=" + ONE_COMPILER));
        command.addAll(arguments);
        run(folder, command);
    }

    private static void run(Path folder, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", ONE_COMPILER);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
