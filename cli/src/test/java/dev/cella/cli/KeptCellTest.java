package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands that keep a cell and bring it back say to programs. */
class KeptCellTest {
    @TempDir
    private static Path home;

    private static CellServer server;

    @BeforeAll
    static void start() throws Exception {
        server = server("data");
    }

    private static CellServer server(String data) throws Exception {
        return CellServer.start(
                CellServerOptions.defaults(home.resolve(data)).withPort(0).withFreeBytesMin(0), (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static JsonNode printed(int code, String... arguments) throws IOException {
        TypedCommand command = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", server.address()));
        assertThat(new CellaCommand(command.terminal()).run(arguments))
                .as(command.err())
                .isEqualTo(code);
        return new ObjectMapper().readTree(command.out());
    }

    @Test
    void backup_saysWhatItWrote_andRestoreWhatItFounded() throws IOException {
        JsonNode backup = printed(0, "cell", "backup", "cell.backup", "-o", "json");
        assertThat(backup.get("file").asText())
                .isEqualTo(home.resolve("cell.backup").toString());
        assertThat(backup.get("bytes").asLong()).isEqualTo(Files.size(home.resolve("cell.backup")));
        assertThat(backup.get("cell").asText()).isEqualTo("cell");

        JsonNode restored = printed(0, "cell", "restore", "cell.backup", "--data", "restored", "-o", "json");
        assertThat(restored.get("incarnationBefore")).isEqualTo(backup.get("incarnation"));
        assertThat(restored.get("incarnation")).isNotEqualTo(backup.get("incarnation"));
        assertThat(restored.get("version")).isEqualTo(backup.get("version"));
    }

    @Test
    void revive_saysWhatItFounded_andTheLastEntryThatItHas() throws Exception {
        server("lost").close();

        JsonNode revived = printed(0, "cell", "revive", "lost", "--data", "revived", "-o", "json");
        assertThat(revived.get("data").asText()).isEqualTo("revived");
        assertThat(revived.get("incarnation")).isNotEqualTo(revived.get("incarnationBefore"));
        assertThat(revived.get("lastTerm").asLong()).isPositive();
        assertThat(revived.get("lastIndex").isNumber()).isTrue();
    }

    @Test
    void verify_namesWhatIsWholeAndWhatIsDamaged() throws IOException {
        printed(0, "cell", "backup", "verified.backup", "-o", "json");
        assertThat(printed(0, "cell", "verify", "verified.backup", "-o", "json").get("whole"))
                .isNotEmpty();

        Path damaged = Files.write(home.resolve("damaged.backup"), new byte[100]);
        assertThat(printed(1, "cell", "verify", damaged.toString(), "-o", "json")
                        .get("damage"))
                .isNotEmpty();
    }
}
