package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.logs.AttemptKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFoldersTest {
    private static final AttemptKey KEY = new AttemptKey("m", 7, 0, 3, 1);

    @TempDir
    private Path data;

    /** The look for room, which comes before each start, has made the directory above it. */
    @Test
    void create_makesTheFolderOfTheAttemptAlone() throws Exception {
        WorkFolders folders = WorkFolders.open(data);
        Files.delete(folders.root());
        assertThatThrownBy(() -> folders.create(KEY, Optional.empty())).isInstanceOf(IOException.class);
        assertThat(folders.root()).doesNotExist();

        folders.makeAgain();
        assertThat(folders.create(KEY, Optional.empty())).isEmptyDirectory();
        folders.remove(KEY);
        folders.close();
    }
}
