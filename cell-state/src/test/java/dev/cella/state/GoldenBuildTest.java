package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.Problem;
import dev.cella.state.BuiltReplica.Start;
import dev.cella.transactions.codec.EntryCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar of the last build before the newest feature level, which {@link OperationsUnderLoadTest} runs beside today's.
 *
 * <p>Before a level is added, write the jar of the build that does not know it yet: {@code mvn test -pl cell-state -am
 * -Dtest=GoldenBuildTest -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.compiler.debug=false
 * -Dcella.golden.build=level-11.jar.gz}. Then name it in {@link Build#BEFORE}, and remove the one before. The jar has Cella's
 * classes alone; the libraries are those of the newest build.
 */
class GoldenBuildTest {
    private static final String TO_WRITE = "cella.golden.build";

    @Test
    void buildBefore_isTheLastThatDoesNotKnowTheNewestLevel() {
        assertThat(Build.BEFORE.levelMax()).isEqualTo(EntryCodec.FEATURE_LEVEL_MAX - 1);
    }

    /** Otherwise it would go on with other tables than all others, until the next entry. */
    @Test
    void buildBefore_leavesAtTheEntryThatRaisesTheLevel(@TempDir Path folder) throws Exception {
        CompletableFuture<String> departed = new CompletableFuture<>();
        int before = Build.BEFORE.levelMax();
        Start start = new Start(folder, "r1", 0, List.of(), before, (message, cause) -> departed.complete(message));
        try (BuiltReplica newest = Build.NEWEST.starter().start(start)) {
            HttpRequest raise = HttpRequest.newBuilder(URI.create(newest.address() + "/v1/level"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"level\": " + (before + 1) + "}"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(raise, BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }

        Thread starting = new Thread(() -> startBefore(start, departed));
        starting.start();
        try {
            assertThat(departed.get(2, TimeUnit.MINUTES)).contains("written by a newer program");
        } finally {
            starting.interrupt();
            starting.join();
        }
    }

    /** A replica that leaves while it starts goes on waiting until it is ready, so another thread looks. */
    private static void startBefore(Start start, CompletableFuture<String> departed) {
        try {
            Build.BEFORE.starter().start(start).close();
            departed.completeExceptionally(new AssertionError("it stays"));
        } catch (Exception refusal) {
            departed.completeExceptionally(refusal);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = TO_WRITE, matches = "level-[0-9]+[.]jar[.]gz")
    void thisBuild_isWritten() throws Exception {
        Path jar = Path.of("src/test/resources/dev/cella/state/builds", System.getProperty(TO_WRITE));
        Files.createDirectories(jar.getParent());
        try (OutputStream packed = Files.newOutputStream(jar, StandardOpenOption.CREATE_NEW);
                OutputStream bytes = new GZIPOutputStream(packed);
                ZipOutputStream files = new ZipOutputStream(bytes)) {
            files.setLevel(0);
            for (Class<?> ofModule : List.of(EntryCodec.class, Problem.class, CellServer.class)) {
                write(folder(ofModule), "", files);
            }
            write(
                    folder(ReplicaOfThisBuild.class),
                    ReplicaOfThisBuild.class.getName().replace('.', '/'),
                    files);
        }
    }

    private static Path folder(Class<?> ofModule) throws URISyntaxException {
        Path folder = Path.of(
                ofModule.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertThat(folder).as("classes that are not packed yet").isDirectory();
        return folder;
    }

    private static void write(Path folder, String prefix, ZipOutputStream files) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString();
                if (name.startsWith(prefix) && name.startsWith("dev/")) {
                    ZipEntry entry = new ZipEntry(name);
                    entry.setTime(0);
                    files.putNextEntry(entry);
                    Files.copy(file, files);
                }
            }
        }
    }
}
