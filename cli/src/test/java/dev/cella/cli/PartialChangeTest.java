package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that change what is given of a row, and write the rest back. A replica that is behind has an older rest. */
class PartialChangeTest {
    @TempDir
    Path home;

    @Test
    void pool_isReadFromTheLeader() throws IOException {
        assertThat(asked("pool", "set", "research", "--weight", "2"))
                .containsExactly("/v1/pools/research?linearizable=true", "/v1/pools/research");
    }

    @Test
    void rights_areReadFromTheLeader_ifTheyAreToChange() throws IOException {
        String rights = "/v1/schedulers/batch/rights";
        assertThat(asked("schedulers", "rights", "batch", "--priority-max", "60"))
                .containsExactly(rights + "?linearizable=true", rights);
        assertThat(asked("schedulers", "rights", "batch")).containsExactly(rights);
    }

    private List<String> asked(String... arguments) throws IOException {
        try (ScriptedCell cell = new ScriptedCell()) {
            TypedCommand typed = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", cell.address()));
            assertThat(new CellaCommand(typed.terminal()).run(arguments))
                    .as(typed.err())
                    .isZero();
            return cell.asked();
        }
    }
}
