package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.Token;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrangersTest {
    @TempDir
    Path data;

    /** Its answer was lost while the leader was paused, so the tokens of the first try are there already. */
    @Test
    void oneTokenOfTheFirstTryExists_theNextTryMakesAll() throws Exception {
        CellServerOptions options = CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0);
        try (CellServer server = CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        })) {
            URI address = URI.create(server.address());
            HttpCell operator = new HttpCell(address);
            operator.createToken(CreateTokenRequest.newBuilder()
                    .setName("stranger-expired-1")
                    .addScopes("read")
                    .build());
            Strangers strangers = new Strangers(CellAddresses.of(address), "stranger", System::nanoTime);
            strangers.knock();
            strangers.knock();
            assertThat(operator.listTokens().getTokensList())
                    .extracting(Token::getName)
                    .contains("stranger-reader-2", "stranger-expired-2");
        }
    }
}
