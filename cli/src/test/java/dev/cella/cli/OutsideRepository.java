package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Scheduler;
import dev.cella.transactions.cell.Cell;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
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
 * What {@code mvn install} leaves for a project outside, in a Maven repository of the test's own: the artifacts of this
 * build beside links to everything that the user's repository has. The user's own is read, and never written.
 */
final class OutsideRepository {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final String GROUP = "dev";
    private static final String OURS = "cella";

    /** From org/junit/jupiter/junit-jupiter-api/VERSION/NAME.jar. */
    private static final String JAR_TO_REPOSITORY = "../../../../../..";

    private final Path folder;

    private OutsideRepository(Path folder) {
        this.folder = folder;
    }

    /** What an outside project compiles against: the parent's pom, and two jars as they are built now. */
    static OutsideRepository installed() throws IOException, URISyntaxException {
        Path folder = Path.of("target/outside-repository").toAbsolutePath();
        delete(folder);
        Files.createDirectories(folder);
        Path users = jarOf(Test.class).resolve(JAR_TO_REPOSITORY).normalize();
        link(users, folder, GROUP);
        link(users.resolve(GROUP), Files.createDirectory(folder.resolve(GROUP)), OURS);
        OutsideRepository repository = new OutsideRepository(folder);
        repository.install("cella", ROOT.resolve("pom.xml"));
        repository.install("cella-transactions", ROOT.resolve("transactions/pom.xml"), jarOf(Cell.class));
        repository.install("cella-scheduling", ROOT.resolve("scheduling/pom.xml"), jarOf(Scheduler.class));
        return repository;
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

    private Path install(String artifact, Path pom) throws IOException {
        Path place = folder.resolve(Path.of(GROUP, OURS, artifact, VERSION));
        Files.createDirectories(place);
        Files.copy(pom, place.resolve(artifact + "-" + VERSION + ".pom"));
        return place;
    }

    /** The jar as it is, or made of the folder of classes that a build before {@code package} has in its place. */
    private void install(String artifact, Path pom, Path built) throws IOException {
        Path jar = install(artifact, pom).resolve(artifact + "-" + VERSION + ".jar");
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

    /** Runs Maven in the root of the checkout, offline. */
    void maven(List<String> arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("mvn", "--offline", "--batch-mode", "-Dmaven.repo.local=" + folder));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
