package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.web.Security;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first token of a closed cell, over several starts of its only server. */
@Timeout(180)
class FirstTokenTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private Path data;
    private Path file;

    @BeforeEach
    void name() {
        data = folder.resolve("data");
        file = data.resolve("token");
    }

    @Test
    void restart_afterTheLastTokenWasRevoked_makesOneWithAnotherSecret() throws Exception {
        String revoked;
        try (CellServer server = start(Access.closed(Security.TOKENS))) {
            revoked = secret();
            assertThat(send(server, "DELETE", "/v1/tokens/first", revoked)).isEqualTo(200);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        try (CellServer server = start(Access.closed(Security.TOKENS))) {
            assertThat(read(server, revoked)).isEqualTo(401);
            assertThat(secret()).isNotEqualTo(revoked);
            assertThat(read(server, secret())).isEqualTo(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void restart_ofACellWithAToken_changesNothing() throws Exception {
        start(Access.closed(Security.TOKENS)).close();
        String before = secret();

        try (CellServer server = start(Access.closed(Security.TOKENS))) {
            assertThat(secret()).isEqualTo(before);
            assertThat(read(server, before)).isEqualTo(200);
        }
    }

    /** The server died while it wrote the file, or after that and before the cell had the token. */
    @Test
    void start_withAFileOfATokenThatWasNeverMade_makesOne() throws Exception {
        start(Access.OPEN).close();
        Files.writeString(file, "");

        try (CellServer server = start(Access.closed(Security.TOKENS))) {
            assertThat(read(server, "")).isEqualTo(401);
            assertThat(read(server, secret())).isEqualTo(200);
        }
    }

    @Test
    void restart_thatKeepsTheTokenOfItsOwner_makesItValidAgain() throws Exception {
        file = folder.resolve("mine");
        Access ofOwner = Access.ofOwner(Security.TOKENS, file);
        String mine;
        try (CellServer server = start(ofOwner)) {
            mine = secret();
            assertThat(send(server, "DELETE", "/v1/tokens/first", mine)).isEqualTo(200);
        }

        try (CellServer server = start(ofOwner)) {
            assertThat(secret()).isEqualTo(mine);
            assertThat(read(server, mine)).isEqualTo(200);
        }
    }

    private CellServer start(Access access) throws Exception {
        CellServerOptions options = CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0);
        return CellServer.start(options.withAccess(access), (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private String secret() throws IOException {
        return Files.readString(file).strip();
    }

    private static int read(CellServer server, String secret) throws Exception {
        return send(server, "GET", "/v1/cell", secret);
    }

    private static int send(CellServer server, String verb, String path, String secret) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .method(verb, BodyPublishers.noBody())
                .header("Authorization", "Bearer " + secret)
                .build();
        return CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }
}
