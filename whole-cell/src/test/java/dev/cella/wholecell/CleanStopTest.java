package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers that are told to stop log no stack trace: nothing has failed. {@link DevStartsTest} stops a dev of three. */
@Timeout(600)
class CleanStopTest {
    @TempDir
    Path folder;

    @Test
    void threeServers_stoppedOneAfterAnotherUnderLoad() {
        try (ReplicatedCell cell = ReplicatedCell.start(folder);
                ClaimLoad load = new ClaimLoad(cell)) {
            load.start();
            load.awaitMore(20);
            String leader = cell.awaitLeader();
            assertNoTrace(leader, cell.terminate(leader));
            load.awaitMore(20);
            load.stop();
            for (String name : cell.running()) {
                assertNoTrace(name, cell.terminate(name));
            }
        }
    }

    private static void assertNoTrace(String where, String text) {
        assertThat(CellaProcess.tracesIn(text)).as(where).isEmpty();
    }
}
