package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.ratis.LogRpc;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RehearsalTest {
    @TempDir
    Path folder;

    @Timeout(120)
    @ParameterizedTest
    @EnumSource(LogRpc.class)
    void run_theLeaderLeaves_andAnotherOneServesUsersAndSchedulers(LogRpc rpc) throws Exception {
        List<String> leaders = Rehearsal.run(folder, rpc);

        assertThat(leaders).hasSize(2).doesNotHaveDuplicates();
    }
}
