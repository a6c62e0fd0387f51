package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella pool} and {@code cella schedulers rights}, typed beside a server. */
class PoolCommandsTest {
    @TempDir
    private static Path home;

    private static CellServer server;

    @BeforeAll
    static void start() throws Exception {
        server = CellServer.start(
                CellServerOptions.defaults(home.resolve("data")).withPort(0).withFreeBytesMin(0), (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
        new HttpCell(URI.create(server.address()))
                .putMachine(PutMachineRequest.newBuilder()
                        .setName("m")
                        .putCapacity("cpuMilli", 4_000)
                        .putCapacity("memoryMib", 4_000)
                        .putAttributes("partition", "batch")
                        .build());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static String typed(int code, String... arguments) {
        TypedCommand command = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", server.address()));
        int exited = new CellaCommand(command.terminal()).run(arguments);
        String said = command.out() + command.err();
        assertThat(exited).as(said).isEqualTo(code);
        return said;
    }

    @Test
    void pool_isSetChangedListedAndRemoved() {
        assertThat(typed(0, "pool", "list")).contains("no pool is defined");
        assertThat(typed(0, "pool", "set", "research", "--weight", "2", "--limit", "cpuMilli=3000"))
                .contains("research", "cpuMilli=3000");
        assertThat(typed(0, "pool", "set", "research", "--minimum", "cpuMilli=1000", "--order", "fifo"))
                .contains("cpuMilli=3000", "cpuMilli=1000", "FIFO");
        assertThat(typed(0, "pool", "set", "research", "--limit", "cpuMilli=none"))
                .doesNotContain("3000");
        assertThat(typed(0, "pool", "list")).contains("POOL", "WEIGHT", "DEFICIT", "research");
        assertThat(typed(1, "pool", "set", "research", "--weight", "0")).contains("error:", "weight");
        assertThat(typed(64, "pool", "set", "research", "--limit", "cpuMilli=much"))
                .contains("error:", "whole number");
        for (String path : List.of("research//vision", "/research", "research/")) {
            assertThat(typed(64, "pool", "set", path))
                    .as(path)
                    .contains("error:", "is no path of a pool: \"" + path, "such as research/vision");
        }
        assertThat(typed(1, "pool", "remove", "research//vision")).contains("error:", "is no path of a pool");
        assertThat(typed(0, "pool", "remove", "research")).contains("removed");
        assertThat(typed(1, "pool", "remove", "research")).contains("error:", "nobody defined");
    }

    @Test
    void rights_areShownAndChanged() {
        assertThat(typed(0, "schedulers", "rights", "batch")).contains("batch", "LOWER", "all");
        assertThat(typed(0, "schedulers", "rights", "batch", "--machines", "partition=batch", "--priority-max", "60"))
                .contains("partition=batch", "60");
        assertThat(typed(0, "schedulers", "rights", "batch", "--evicts", "own", "--pool", "research"))
                .contains("partition=batch", "OWN", "research");
        assertThat(typed(0, "schedulers", "rights", "batch", "--machines", "partition!=batch"))
                .contains("partition!=batch", "note:", "no machine");
        assertThat(typed(0, "schedulers", "rights", "batch", "--machines", "all", "--pool", "all"))
                .doesNotContain("partition");
        assertThat(typed(64, "schedulers", "rights", "batch", "--machines", "any"))
                .contains("error:", "attribute=value", "hint:", "--machines all lets it use every machine");
        assertThat(typed(64, "schedulers", "rights", "batch", "--evicts", "everybody"))
                .contains("error:");
    }
}
