package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.scenario.Load;
import dev.cella.client.CellAddresses;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessUsersTest {
    private final Locale usual = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(usual);
    }

    /** Only then the fault that asked for it has an effect. */
    @Test
    void whatFaultsAsk_isDone_whenTheCellHasDoneIt(@TempDir Path data) throws Exception {
        List<String> done = new ArrayList<>();
        try (CellServer server =
                CellServer.start(CellServerOptions.defaults(data).withPort(0).withFreeBytesMin(0), (message, cause) -> {
                    throw new AssertionError(message, cause);
                })) {
            ProcessUsers users = new ProcessUsers(
                    CellAddresses.of(URI.create(server.address())),
                    List.of("batch"),
                    Load.USUAL.withJobs(0),
                    1,
                    System::nanoTime,
                    new SplittableRandom(1));
            users.limitPool(100, () -> done.add("limited"));
            users.submitGangs(2, () -> done.add("gang"));
            users.surge(1, () -> done.add("surge"));
            users.submitStubborn(() -> done.add("stubborn"));
            users.finish();
            assertThat(done).isEmpty();
            users.run();
        }
        assertThat(done).containsExactly("limited", "gang", "gang", "surge", "stubborn");
    }

    @Test
    void seconds_haveAPoint_inEveryLocale() {
        Locale.setDefault(Locale.GERMANY);
        assertThat(ProcessUsers.seconds(1_500)).isEqualTo("1.5");
    }
}
