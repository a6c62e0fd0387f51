package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The scripts in the compose file, with the volumes as folders here and a {@code cella} that makes what the scripts take. */
final class ComposeFileTest {
    private static final String CELLA = """
        #!/bin/sh
        case $1 in
            tls)
                for file in ca.pem server.pem server.key scheduler.pem scheduler.key agent.pem; do
                    echo made >"$3/$file"
                done
                ;;
            token)
                [ "$2" = create ] || grep -qx first "${4#@}" || exit 1
                echo '{"secret": "'"$*"'", "made by": "first"}'
                ;;
        esac
        """;

    private static final Path COMPOSE = Path.of("../distribution/deploy/container/compose.yaml");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeVolumes() throws IOException {
        for (String volume : new String[] {"authority", "keys", "data/r1", "data/r2"}) {
            Files.createDirectories(folder.resolve(volume));
        }
        Path cella = folder.resolve("cella");
        Files.writeString(cella, CELLA);
        assertThat(cella.toFile().setExecutable(true)).isTrue();
    }

    @Test
    @Timeout(60)
    void tokens_atTheFirstStart_makesOneForEachSchedulerWithTheFirst() throws Exception {
        Files.writeString(folder.resolve("data/r2/token"), "first");

        assertThat(run("tokens")).isZero();

        assertThat(key("operator.token")).isEqualTo("first");
        assertThat(key("batch.token")).startsWith("token create batch --scope schedule:batch");
        assertThat(key("service.token")).startsWith("token create service --scope schedule:service");
    }

    /** Two replicas led one after the other while the token was made. */
    @Test
    @Timeout(60)
    void tokens_besideAFileThatTheCellDoesNotKnow_takesTheOneThatItKnows() throws Exception {
        Files.writeString(folder.resolve("data/r1/token"), "never made");
        Files.writeString(folder.resolve("data/r2/token"), "first");

        assertThat(run("tokens")).isZero();

        assertThat(key("operator.token")).isEqualTo("first");
    }

    /** The pages say to revoke the first token and to remove its file. Each later start runs the service again. */
    @Test
    @Timeout(60)
    void tokens_afterTheFirstTokenWasRetired_keepsThoseThatAreThere() throws Exception {
        for (String name : new String[] {"operator", "batch", "service"}) {
            Files.writeString(folder.resolve("keys/" + name + ".token"), name);
        }

        assertThat(run("tokens")).isZero();
        Files.writeString(folder.resolve("data/r1/token"), "first, revoked");
        assertThat(run("tokens")).isZero();

        assertThat(key("operator.token")).isEqualTo("operator");
        assertThat(key("batch.token")).isEqualTo("batch");
    }

    /** The one that made them was stopped, or the page's command for a renewal has removed one. */
    @Test
    void certificates_thatAreThereInPart_areMadeAgain() throws Exception {
        Files.writeString(folder.resolve("authority/ca.pem"), "former");

        assertThat(run("certificates")).isZero();
        assertThat(key("server.key")).isEqualTo("made\n");

        Files.writeString(folder.resolve("authority/server.key"), "kept");
        assertThat(run("certificates")).isZero();
        assertThat(key("server.key")).isEqualTo("kept");
    }

    /** The servers are started after it, and would wait for the file. */
    @Test
    void certificates_thatCannotBeCopied_areAFailure() throws Exception {
        assertThat(run("certificates")).isZero();
        Files.delete(folder.resolve("authority/server.pem"));

        assertThat(run("certificates")).isNotZero();
    }

    private String key(String name) throws IOException {
        return Files.readString(folder.resolve("keys").resolve(name));
    }

    /** Within the file, a dollar that is not the composer's own is written twice. */
    private int run(String service) throws Exception {
        String script = new ObjectMapper()
                .valueToTree(new Yaml().load(Files.readString(COMPOSE)))
                .at("/services/" + service + "/command/1")
                .asText()
                .replace("$$", "$")
                .replace("chown -R cella:cella", ": chown")
                .replace("/opt/cella/bin/cella", folder + "/cella")
                .replace("/authority", folder + "/authority")
                .replace("/keys", folder + "/keys")
                .replace("/data", folder + "/data");
        Process process = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }
}
