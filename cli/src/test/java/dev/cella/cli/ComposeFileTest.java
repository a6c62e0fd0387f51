package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The scripts in the compose file, with the volumes as folders here and a {@code cella} that prints what it is given. */
final class ComposeFileTest {
    private static final Path COMPOSE = Path.of("../distribution/deploy/container/compose.yaml");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeVolumes() throws IOException {
        for (String volume : new String[] {"keys", "data/r1", "data/r2"}) {
            Files.createDirectories(folder.resolve(volume));
        }
        Path cella = folder.resolve("cella");
        Files.writeString(cella, "#!/bin/sh\necho '{\"secret\": \"'\"$*\"'\"}'\n");
        assertThat(cella.toFile().setExecutable(true)).isTrue();
    }

    @Test
    @Timeout(60)
    void tokens_atTheFirstStart_makesOneForEachSchedulerWithTheFirst() throws Exception {
        Files.writeString(folder.resolve("data/r2/token"), "first");

        run("tokens");

        assertThat(key("operator.token")).isEqualTo("first");
        assertThat(key("batch.token")).startsWith("token create batch --scope schedule:batch");
        assertThat(key("service.token")).startsWith("token create service --scope schedule:service");
    }

    /** The pages say to revoke the first token and to remove its file. Each later start runs the service again. */
    @Test
    @Timeout(60)
    void tokens_afterTheFirstTokenWasRetired_keepsThoseThatAreThere() throws Exception {
        for (String name : new String[] {"operator", "batch", "service"}) {
            Files.writeString(folder.resolve("keys/" + name + ".token"), name);
        }

        run("tokens");
        Files.writeString(folder.resolve("data/r1/token"), "first, revoked");
        run("tokens");

        assertThat(key("operator.token")).isEqualTo("operator");
        assertThat(key("batch.token")).isEqualTo("batch");
    }

    private String key(String name) throws IOException {
        return Files.readString(folder.resolve("keys").resolve(name));
    }

    /** Within the file, a dollar that is not the composer's own is written twice. */
    private void run(String service) throws Exception {
        String script = new ObjectMapper()
                .valueToTree(new Yaml().load(Files.readString(COMPOSE)))
                .at("/services/" + service + "/command/1")
                .asText()
                .replace("$$", "$")
                .replace("/opt/cella/bin/cella", folder + "/cella")
                .replace("/keys", folder + "/keys")
                .replace("/data", folder + "/data");
        Process process =
                new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
