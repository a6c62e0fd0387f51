package dev.cella.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.access.TokenSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevTokenTest {
    @TempDir
    private Path data;

    @Test
    void token_isMadeOnce() throws IOException {
        String made = token();

        assertThat(TokenSecret.cell(made)).hasValue("dev");
        assertThat(token()).isEqualTo(made);
    }

    /** As after a power loss, or from a script that made the file for its rights. */
    @Test
    void fileWithNothingInIt_isNoToken() throws IOException {
        Files.writeString(data.resolve("token"), "\n");

        assertThat(TokenSecret.cell(token())).hasValue("dev");
    }

    private String token() throws IOException {
        return DevToken.of(new DevOptions(data, 0, 1, 0, Optional.empty(), Optional.empty(), List.of(), false, 1, 1))
                .secret();
    }
}
